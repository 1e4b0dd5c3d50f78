// Package state keeps what sessions remember between processes: the history of
// calls that the loop guard judges, and the grants of a conversation.
//
// Each session is a file of its own, locked while it is used. What it holds is
// written behind what it held, as one line, and the last whole line counts, so
// that a crash leaves the old or the new one; a file that has become long is
// replaced in one step. Files that are not
// used are removed after a time, and the oldest where there are too many. A
// file that cannot be read is set aside, and the session then has no history:
// the loop guard has no opinion and the verdict says so.
//
// The package judges nothing and knows no policy.
package state

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Store keeps sessions in a directory. It is safe for concurrent use, also
// by several processes.
type Store struct {
	dir string
	now func() time.Time
}

// New returns the store below a directory of state, which need not exist.
func New(dir string, now func() time.Time) *Store {
	return &Store{dir: filepath.Join(dir, "sessions"), now: now}
}

// A record is a line of the file of a session.
type record struct {
	Version int             `json:"version"`
	Session string          `json:"session"`
	Used    time.Time       `json:"used"`
	State   json.RawMessage `json:"state,omitempty"`
	Dialogs Dialogs         `json:"dialogs,omitempty"`
}

// Dialogs are the calls about which the agent of a session has asked the
// person in a dialog of its own and which have not come to run, by a name of
// the caller's, with the time of the dialog.
type Dialogs map[string]time.Time

// maxDialogs bounds how many are kept, and dialogLife for how long: the oldest
// goes.
const (
	maxDialogs = 64
	dialogLife = 24 * time.Hour
)

// trim forgets what is old or too much.
func (d Dialogs) trim(now time.Time) {
	for name, at := range d {
		if now.Sub(at) > dialogLife || at.After(now) {
			delete(d, name)
		}
	}
	for len(d) > maxDialogs {
		oldest := ""
		for name, at := range d {
			if oldest == "" || at.Before(d[oldest]) || at.Equal(d[oldest]) && name < oldest {
				oldest = name
			}
		}
		delete(d, oldest)
	}
}

const (
	recordVersion = 1
	maxRecord     = 256 << 10
	// maxAppended is how long a file becomes before it is replaced. To replace
	// one costs ten times what writing behind it does.
	maxAppended = 64 << 10
	patience    = 2 * time.Second
)

// With gives use the session with a key and stores what it holds afterwards.
// Two uses of one session never overlap. The session that use is given is
// always valid: where the stored one cannot be had it is empty, and says why
// in [policy.Session.Unreadable]. The error is about storing alone.
func (s *Store) With(ctx context.Context, key string, use func(*policy.Session)) error {
	return s.WithDialogs(ctx, key, func(session *policy.Session, _ Dialogs) { use(session) })
}

// WithDialogs is [Store.With] for a use that also reads and changes the
// dialogs of the session.
func (s *Store) WithDialogs(ctx context.Context, key string, use func(*policy.Session, Dialogs)) error {
	session := &policy.Session{ID: key, Doom: doom.New(1)}
	file := s.file(key)
	unlock, err := s.lock(ctx, file)
	if err != nil {
		session.Unreadable = err
		use(session, Dialogs{})
		return nil
	}
	defer unlock()
	dialogs := make(Dialogs)
	size, err := s.load(file, key, session, dialogs)
	if session.Unreadable = err; err != nil {
		use(session, Dialogs{})
		return nil
	}
	use(session, dialogs)
	dialogs.trim(s.now())
	if err := s.store(file, size, key, session, dialogs); err != nil {
		return fmt.Errorf("loop detection is off: the history of the session is not stored: %w", err)
	}
	s.sweep()
	return nil
}

// file is named by a hash: a key is chosen by the one who is watched.
func (s *Store) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+".json")
}

// lock waits for the lock of a file, which is another file: the one that is
// locked is never replaced.
func (s *Store) lock(ctx context.Context, file string) (unlock func(), err error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	name := strings.TrimSuffix(file, ".json") + ".lock"
	l := plainfile.Lock(name)
	ok, err := l.TryLockContext(ctx, 5*time.Millisecond)
	switch {
	case errors.Is(err, context.DeadlineExceeded), err == nil && !ok:
		return nil, fmt.Errorf("another process has used it for %v", patience)
	case err != nil:
		return nil, err
	}
	now := s.now()
	_ = os.Chtimes(name, now, now)        // so that it is not swept; only its age suffers
	return func() { _ = l.Unlock() }, nil // the end of the process unlocks too
}

// load restores a session from its file, if there is one. What cannot be read
// is set aside for a person to look at. size is that of a file behind which can
// be written, 0 where there is none.
func (s *Store) load(file, key string, session *policy.Session, dialogs Dialogs) (size int, err error) {
	data, err := plainfile.ReadOwn(file, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err == nil {
		last, whole := lastLine(data)
		if err = restore(last, key, session, dialogs); err == nil && whole {
			return len(data), nil
		} else if err == nil {
			return 0, nil
		}
	}
	aside := fmt.Sprintf("%s.invalid-%s", file, s.now().UTC().Format("20060102T150405Z"))
	if moved := os.Rename(file, aside); moved != nil {
		return 0, errors.Join(err, moved)
	}
	return 0, fmt.Errorf("%w; it is now %s", err, filepath.Base(aside))
}

// lastLine returns the last line that has an end, and reports whether nothing
// is behind it. A file without any is a line.
func lastLine(data []byte) (line []byte, whole bool) {
	end := bytes.LastIndexByte(data, '\n')
	if end < 0 {
		return data, false
	}
	return data[bytes.LastIndexByte(data[:end], '\n')+1 : end], end == len(data)-1
}

func restore(data []byte, key string, session *policy.Session, dialogs Dialogs) error {
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	if r.Version != recordVersion {
		return fmt.Errorf("version %d: only version %d is known", r.Version, recordVersion)
	}
	if r.Session != key {
		return errors.New("it is of another session")
	}
	if err := session.Restore(r.State); err != nil {
		return err
	}
	maps.Copy(dialogs, r.Dialogs)
	return nil
}

// store writes a session behind the file of a size, or replaces the file.
func (s *Store) store(file string, size int, key string, session *policy.Session, dialogs Dialogs) error {
	state, err := session.Snapshot()
	if err != nil {
		return err
	}
	data, err := json.Marshal(record{Version: recordVersion, Session: key, Used: s.now().UTC().Truncate(time.Second), Dialogs: dialogs})
	if err != nil {
		return err
	}
	// To have the state marshalled would read it once more, byte by byte.
	data = append(append(append(data[:len(data)-1], `,"state":`...), state...), "}\n"...)
	if size == 0 || size+len(data) > maxAppended {
		return s.replace(file, data)
	}
	f, err := plainfile.Append(file)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// replace writes a file anew in one step. It does not wait for the disk: what a
// loss of power takes is the history of a loop.
func (s *Store) replace(file string, data []byte) error {
	f, err := os.CreateTemp(s.dir, "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is swept otherwise
	}
	return err
}
