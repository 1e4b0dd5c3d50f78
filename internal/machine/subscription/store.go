package subscription

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// A store keeps the last good bundle of a subscription in a folder:
// state.json, and the archive that it names by its digest. The record is
// replaced last, so that a crash leaves the old pair or the new one. Several
// processes may share it.
type store struct {
	dir   string
	name  string
	limit int64
	write func(file string, data []byte) error
}

const (
	recordFile = "state.json"
	lockFile   = "lock"
	archiveEnd = ".tar.gz"
	invalidEnd = ".invalid"
	patience   = 10 * time.Second
	// newPrefix begins the names of files that are being written.
	newPrefix = "new-"
)

func newStore(dir, name string, limit int64) *store {
	return &store{filepath.Join(dir, name), name, limit, replace}
}

func replace(file string, data []byte) error { return atomicfile.Write(file, newPrefix, data) }

// load returns the record, or nil where there is none that can be read, and
// the archive where wanted says so. A record that cannot be read is set aside.
func (s *store) load(ctx context.Context, wanted func(*record) bool) (*record, []byte, error) {
	if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	r, err := s.record()
	if err != nil || r == nil || !wanted(r) {
		return r, nil, err
	}
	archive, err := plainfile.ReadOwn(s.archive(r.Digest), s.limit)
	if err != nil {
		return r, nil, fmt.Errorf("the kept bundle cannot be read: %v; it will be downloaded again", err) // not fs.ErrNotExist
	}
	return r, archive, nil
}

// save stores a record and its archive, unless another process has stored a
// later one. Where fresh is false, the archive is written only if missing.
func (s *store) save(ctx context.Context, r record, archive []byte, fresh bool) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	kept, aside := s.record()
	if aside != nil && !errors.Is(aside, errForgotten) {
		return aside
	}
	if kept != nil && kept.newer(&r) {
		return nil
	}
	if kept != nil && kept.resigned(&r) && kept.Downloaded.After(r.Downloaded) {
		return nil
	}
	if kept != nil && r.Highest > 0 && kept.Highest == r.Highest && kept.Digest != r.Digest && !kept.resigned(&r) {
		return fmt.Errorf("another process keeps sequence %d with another content; publish the bundle with a higher sequence", r.Highest)
	}
	return errors.Join(aside, s.writePair(r, archive, fresh))
}

// writePair writes the archive before the record that names it.
func (s *store) writePair(r record, archive []byte, fresh bool) error {
	info, err := os.Stat(s.archive(r.Digest))
	if fresh || err != nil || info.Size() != int64(len(archive)) {
		if err := s.write(s.archive(r.Digest), archive); err != nil {
			return err
		}
	}
	r.Version, r.Name = recordVersion, s.name
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := s.write(filepath.Join(s.dir, recordFile), append(data, '\n')); err != nil {
		return err
	}
	s.clean(r.Digest)
	return nil
}

func (s *store) archive(digest string) string {
	return filepath.Join(s.dir, digest+archiveEnd)
}

// clean removes earlier archives, and what a crash left half written.
func (s *store) clean(digest string) {
	entries, _ := os.ReadDir(s.dir)
	for _, e := range entries {
		if name := e.Name(); name != digest+archiveEnd && (strings.HasSuffix(name, archiveEnd) || strings.HasPrefix(name, newPrefix)) {
			_ = os.Remove(filepath.Join(s.dir, name)) // the next one tries again
		}
	}
}

// lock waits until no other process uses the folder.
func (s *store) lock(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	l := plainfile.Lock(filepath.Join(s.dir, lockFile))
	ok, err := l.TryLockContext(ctx, 10*time.Millisecond)
	if errors.Is(err, context.DeadlineExceeded) || err == nil && !ok {
		return nil, fmt.Errorf("another process has locked %s for %v: end it", s.dir, patience)
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil // the end of the process unlocks too
}
