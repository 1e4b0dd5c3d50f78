package grant

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
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
	maxFile    = 8 << 20
	maxEntries = 10_000
	// forgotten is how long an entry of a conversation is kept.
	forgotten = 14 * 24 * time.Hour
	// noted is how often the time is noted in a file that has entries with an
	// end, so that a clock that was set back later on is noticed.
	noted = 5 * time.Minute
)

// Read returns the entries that have not ended, and changes nothing. Beside an
// error there are none.
func (s *Store) Read() ([]Entry, error) {
	r, err := s.record()
	return r.living(s.time()), err
}

// List returns the entries that have not ended, and removes the others for
// good. A file that cannot be used is set aside, which an [AsideError] says; the
// store is then empty.
func (s *Store) List() ([]Entry, error) {
	r, err := s.record()
	now := s.time()
	switch {
	case err == nil && r.isDue(now):
		s.refresh()
		fallthrough
	case err == nil || !errors.Is(err, errDamaged) || errors.Is(err, errHeld):
		return r.living(now), err
	}
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r, err = s.load()
	return r.living(now), err
}

// Stamp tells what the file holds apart from what it held before, without reading it.
func (s *Store) Stamp() string {
	info, err := os.Stat(s.path())
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.ModTime().UnixNano(), info.Size())
}

// Add stores entries, all or none, and returns those that approve more than
// what was stored before: one that is there already stays as it is, unless the
// new one holds for longer.
func (s *Store) Add(entries ...Entry) (added []Entry, err error) {
	now := s.time()
	if entries, err = stamped(entries, now); err != nil {
		return nil, err
	}
	err = s.change(adding(entries, now, &added))
	if err != nil {
		return nil, err
	}
	return added, nil
}

// adding returns an edit that adds entries to a list, and says which say more than it.
func adding(entries []Entry, now time.Time, added *[]Entry) func([]Entry) ([]Entry, error) {
	return func(list []Entry) ([]Entry, error) {
		list = slices.DeleteFunc(list, func(e Entry) bool { return e.Scope == Session && e.Effect != Denies && now.Sub(e.Created) > forgotten })
		list, *added = merged(list, entries)
		if len(list) > maxEntries {
			return nil, fmt.Errorf("more than %d approvals: revoke some", maxEntries)
		}
		return list, nil
	}
}

// Missing returns what Add would return, and stores nothing.
func (s *Store) Missing(entries ...Entry) (missing []Entry, err error) {
	if entries, err = stamped(entries, s.time()); err != nil {
		return nil, err
	}
	list, err := s.Read()
	if err != nil {
		return nil, err
	}
	_, missing = merged(list, entries)
	return missing, nil
}

// stamped returns valid entries with the time at which they were made.
func stamped(entries []Entry, now time.Time) ([]Entry, error) {
	entries = slices.Clone(entries)
	for i := range entries {
		e := &entries[i]
		if e.Created.IsZero() {
			e.Created = now
		}
		if err := e.Validate(); err != nil {
			return nil, err
		}
		if e.By == "" {
			return nil, errors.New("an entry does not say what made it")
		}
	}
	return entries, nil
}

// merged adds entries to a list, and returns those that say more than it.
func merged(list, entries []Entry) (all, added []Entry) {
	for _, e := range entries {
		at := slices.IndexFunc(list, func(o Entry) bool { return o.same(&e) })
		switch {
		case at < 0:
			list = append(list, e)
		case e.Request != "" && e.Request == list[at].Request:
			continue // it is stored again, and begins no new count
		case e.outlasts(&list[at]):
			list[at] = e
		default:
			continue
		}
		added = append(added, e)
	}
	return list, added
}

// Remove removes the entries that match, and returns them.
func (s *Store) Remove(match func(*Entry) bool) (removed []Entry, err error) {
	err = s.change(removing(match, &removed))
	if err != nil {
		return nil, err
	}
	return removed, nil
}

// removing returns an edit that removes the entries that match, and says which.
func removing(match func(*Entry) bool, removed *[]Entry) func([]Entry) ([]Entry, error) {
	return func(list []Entry) ([]Entry, error) {
		*removed = nil
		return slices.DeleteFunc(list, func(e Entry) bool {
			if match(&e) {
				*removed = append(*removed, e)
				return true
			}
			return false
		}), nil
	}
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
	return s.edit(edit)
}

// refresh writes the file anew, without what has ended. It waits for nobody,
// since a hook is in a hurry, and tells of nothing: what is read is right
// without it, and the next look tries again.
func (s *Store) refresh() {
	l := s.locker()
	if ok, err := l.TryLock(); err != nil || !ok {
		return
	}
	_ = s.edit(func(list []Entry) ([]Entry, error) { return list, nil })
	_ = l.Unlock()
}

// edit is change under the lock.
func (s *Store) edit(edit func([]Entry) ([]Entry, error)) error {
	r, err := s.load()
	if err != nil {
		return err
	}
	if r, err = r.edited(s.time(), edit); err != nil {
		return err
	}
	return s.replace(r)
}

// time returns the time in whole seconds, as the file has it.
func (s *Store) time() time.Time { return s.now().UTC().Truncate(time.Second) }

func (s *Store) path() string { return filepath.Join(s.dir, File) }

func (s *Store) lock() (unlock func(), err error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	l := s.locker()
	if err := l.Lock(); err != nil {
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil // the end of the process unlocks too
}

func (s *Store) locker() *flock.Flock {
	return plainfile.Lock(s.path() + ".lock")
}

// record reads the file; one that is missing has no entries.
func (s *Store) record() (record, error) {
	data, err := s.open()
	if errors.Is(err, fs.ErrNotExist) {
		return record{}, nil
	}
	if err != nil {
		return record{}, err
	}
	r, err := decode(data)
	switch {
	case err != nil && holdsDenials(data):
		return record{}, fmt.Errorf("%s: %w: %w: %w", s.path(), errDamaged, err, errHeld)
	case err != nil:
		return record{}, fmt.Errorf("%s: %w: %w", s.path(), errDamaged, err)
	}
	return r, nil
}

// open reads the file. One that others may write approves nothing.
func (s *Store) open() ([]byte, error) {
	info, err := os.Lstat(s.path())
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", s.path())
	}
	dir, err := os.Stat(s.dir)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && (info.Mode()|dir.Mode())&0o022 != 0 {
		return nil, fmt.Errorf("other users may write to %s or its directory: policyctl ignores it until only you can", s.path())
	}
	data, err := plainfile.ReadOwn(s.path(), maxFile)
	if long, ok := errors.AsType[plainfile.Long](err); ok {
		return nil, fmt.Errorf("%s: %w: %w: %w", s.path(), errDamaged, long, errHeld)
	}
	return data, err
}

// replace writes the file anew in one step: after a crash there is the old one
// or the new one.
func (s *Store) replace(r record) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(s.path(), File+".new-", append(data, '\n'))
}
