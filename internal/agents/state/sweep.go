package state

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

const (
	// unused is how long a session is kept that nobody uses.
	unused = 14 * 24 * time.Hour
	// most is how many files are kept at all.
	most = 20_000
	// between is how often the directory is swept.
	between = time.Hour
)

// sweep removes what is old, at most once in a while. Nothing depends on its
// success.
func (s *Store) sweep() {
	mark := filepath.Join(s.dir, "swept")
	now := s.now()
	if info, err := os.Stat(mark); err == nil && now.Sub(info.ModTime()) < between && now.After(info.ModTime().Add(-between)) {
		return
	}
	if f, err := plainfile.Append(mark); err != nil {
		return
	} else if f.Close() != nil || os.Chtimes(mark, now, now) != nil {
		return
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for _, name := range stale(entries, now) {
		_ = os.Remove(filepath.Join(s.dir, name)) // another process may have done it
	}
}

// stale returns the files to remove: those that nobody used for long, and the
// ones used least recently beyond what is kept. Files that were set aside stay
// as long as others.
func stale(entries []fs.DirEntry, now time.Time) []string {
	type aged struct {
		name string
		used time.Time
	}
	var all []aged
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || e.IsDir() || e.Name() == "swept" {
			continue
		}
		all = append(all, aged{e.Name(), info.ModTime()})
	}
	slices.SortFunc(all, func(a, b aged) int { return a.used.Compare(b.used) })
	var out []string
	for i, f := range all {
		if now.Sub(f.used) > unused || len(all)-i > most {
			out = append(out, f.name)
		}
	}
	return out
}

// Aside returns the files that were set aside because they could not be read.
func (s *Store) Aside() ([]string, error) {
	return plainfile.Named(s.dir, func(name string) bool { return strings.Contains(name, ".json.invalid-") })
}
