package grant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/policyctl/policyctl/internal/atomicfile"
)

// A Store keeps entries in a file, for all processes of a person. It is safe
// for concurrent use, also by several processes.
type Store struct {
	dir string
	now func() time.Time
}

// NewStore returns the store in a directory of state, which need not exist.
func NewStore(dir string, now func() time.Time) *Store { return &Store{dir: dir, now: now} }

// File is the name of a store's file in its directory.
const File = "grants.json"

const (
	version    = 2
	maxFile    = 8 << 20
	maxEntries = 10_000
	// forgotten is how long an entry of a conversation is kept.
	forgotten = 14 * 24 * time.Hour
)

// A record is the file.
type record struct {
	Version int     `json:"version"`
	Entries []Entry `json:"entries"`
}

// An AsideError says that the file could not be used and was set aside: the
// store is empty.
type AsideError struct {
	File string // where it is now
	Err  error
}

// Error says where the file is, and what it means.
func (e *AsideError) Error() string {
	return fmt.Sprintf("the stored approvals could not be used, so that nothing is approved any longer: %v; they are now in %s: look at it, then remove it and approve anew", e.Err, e.File)
}

// Unwrap returns why the file could not be used.
func (e *AsideError) Unwrap() error { return e.Err }

// errDamaged says that a file will not be of use by itself again.
var errDamaged = errors.New("the file cannot be used")

// errOld says that a file is of the first version, whose entries were plain
// texts.
var errOld = errors.New("they are of version 1, which had no directories")

// Read returns the entries and changes nothing. Beside an error there are
// none.
func (s *Store) Read() ([]Entry, error) {
	data, err := s.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", s.path(), errDamaged, err)
	}
	return entries, nil
}

// List returns the entries. A file that cannot be used is set aside, which an
// [AsideError] says; the store is then empty.
func (s *Store) List() ([]Entry, error) {
	entries, err := s.Read()
	if err == nil || !errors.Is(err, errDamaged) {
		return entries, err
	}
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	return s.load()
}

// Add stores entries, all or none. Those that are there already stay as they
// are.
func (s *Store) Add(entries ...Entry) error {
	now := s.now().UTC().Truncate(time.Second)
	for i := range entries {
		e := &entries[i]
		if err := e.Validate(); err != nil {
			return err
		}
		if e.By == "" {
			return errors.New("an entry does not say what made it")
		}
	}
	return s.change(func(list []Entry) ([]Entry, error) {
		list = slices.DeleteFunc(list, func(e Entry) bool { return e.Scope == Session && now.Sub(e.Created) > forgotten })
		for _, e := range entries {
			if e.Created.IsZero() {
				e.Created = now
			}
			if !slices.ContainsFunc(list, func(o Entry) bool { return o.same(&e) }) {
				list = append(list, e)
			}
		}
		if len(list) > maxEntries {
			return nil, fmt.Errorf("more than %d approvals: revoke some", maxEntries)
		}
		return list, nil
	})
}

// Remove removes the entries that match, and returns them.
func (s *Store) Remove(match func(*Entry) bool) (removed []Entry, err error) {
	err = s.change(func(list []Entry) ([]Entry, error) {
		return slices.DeleteFunc(list, func(e Entry) bool {
			if match(&e) {
				removed = append(removed, e)
				return true
			}
			return false
		}), nil
	})
	if err != nil {
		return nil, err
	}
	return removed, nil
}

// Aside returns the files that were set aside.
func (s *Store) Aside() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), File); ok && (strings.HasPrefix(rest, ".v1.bak") || strings.HasPrefix(rest, ".invalid-")) {
			out = append(out, filepath.Join(s.dir, e.Name()))
		}
	}
	return out, err
}

// change replaces the entries by what edit makes of them, one process after
// the other. A file that cannot be used is set aside first, and nothing is
// stored then: the error says so.
func (s *Store) change(edit func([]Entry) ([]Entry, error)) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	list, err := s.load()
	if err != nil {
		return err
	}
	if list, err = edit(list); err != nil {
		return err
	}
	return s.replace(list)
}

func (s *Store) path() string { return filepath.Join(s.dir, File) }

func (s *Store) lock() (unlock func(), err error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	l := flock.New(s.path()+".lock", flock.SetPermissions(0o600))
	if err := l.Lock(); err != nil {
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil // the end of the process unlocks too
}

// load reads the entries under the lock and sets aside what cannot be used.
func (s *Store) load() ([]Entry, error) {
	entries, err := s.Read()
	if err == nil || !errors.Is(err, errDamaged) {
		return entries, err
	}
	aside := s.path() + ".v1.bak"
	if _, taken := os.Lstat(aside); !errors.Is(err, errOld) {
		aside = s.path() + ".invalid-" + s.stamp()
	} else if taken == nil {
		aside += "-" + s.stamp()
	}
	if moved := os.Rename(s.path(), aside); moved != nil {
		return nil, errors.Join(err, moved)
	}
	return nil, &AsideError{File: aside, Err: err}
}

func (s *Store) stamp() string { return s.now().UTC().Format("20060102T150405.000000000Z") }

// open reads the file. One that others may write approves nothing.
func (s *Store) open() ([]byte, error) {
	info, err := os.Lstat(s.path())
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", s.path())
	}
	dir, err := os.Stat(s.dir)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && (info.Mode()|dir.Mode())&0o022 != 0 {
		return nil, fmt.Errorf("others than you may write %s or its directory: nothing in it counts until only you may", s.path())
	}
	f, err := os.Open(s.path())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: %w: it is larger than %d MiB", s.path(), errDamaged, maxFile>>20)
	}
	return data, err
}

func decode(data []byte) ([]Entry, error) {
	var v struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &v); err == nil && v.Version == 1 {
		return nil, errOld
	}
	var r record
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the list")
	}
	if r.Version != version {
		return nil, fmt.Errorf("version %d: only version %d is known", r.Version, version)
	}
	for i := range r.Entries {
		if err := r.Entries[i].Validate(); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
	}
	return r.Entries, nil
}

// replace writes the file anew in one step: after a crash there is the old one
// or the new one.
func (s *Store) replace(entries []Entry) error {
	data, err := json.MarshalIndent(record{version, append([]Entry{}, entries...)}, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(s.path(), File+".new-", append(data, '\n'))
}
