package state_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/agents/state"
	"github.com/policyctl/policyctl/pkg/policy"
)

var start = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// A clock can be moved.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func use(t *testing.T, s *state.Store, key string, f func(*policy.Session)) {
	t.Helper()
	if err := s.With(context.Background(), key, f); err != nil {
		t.Fatal(err)
	}
}

func sessions(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "sessions", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

func TestGrantsStay(t *testing.T) {
	dir := t.TempDir()
	s := state.New(dir, time.Now)
	use(t, s, "a", func(p *policy.Session) { p.Grant("shell make") })
	other := state.New(dir, time.Now)
	use(t, other, "a", func(p *policy.Session) {
		if data, err := p.Snapshot(); err != nil || !strings.Contains(string(data), "shell make") {
			t.Errorf("the grant is gone: %s, %v", data, err)
		}
		p.Revoke("shell make")
	})
	for _, key := range []string{"a", "b"} {
		use(t, s, key, func(p *policy.Session) {
			if data, _ := p.Snapshot(); strings.Contains(string(data), "shell make") {
				t.Errorf("%s has the grant: %s", key, data)
			}
		})
	}
}

// TestKeysAreNoPaths shows that what a session is called says nothing about
// where it is kept.
func TestKeysAreNoPaths(t *testing.T) {
	dir := t.TempDir()
	s := state.New(dir, time.Now)
	for _, key := range []string{"../../x", "/etc/passwd", "", strings.Repeat("x", 1<<16), "a\x00b"} {
		use(t, s, key, func(*policy.Session) {})
	}
	if n := sessions(t, dir); n != 5 {
		t.Errorf("%d files for 5 sessions", n)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("beside the sessions: %v", entries)
	}
}

// TestSweep shows that sessions that nobody uses go, and others stay.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	c := &clock{start}
	s := state.New(dir, c.now)
	for i := range 3 {
		use(t, s, fmt.Sprint("old", i), func(*policy.Session) {})
	}
	files, _ := filepath.Glob(filepath.Join(dir, "sessions", "*"))
	for _, name := range files {
		if err := os.Chtimes(name, start, start); err != nil {
			t.Fatal(err)
		}
	}
	c.at = start.Add(15 * 24 * time.Hour)
	use(t, s, "new", func(*policy.Session) {})
	if n := sessions(t, dir); n != 1 {
		t.Errorf("%d sessions are kept, want 1", n)
	}
	if locks, _ := filepath.Glob(filepath.Join(dir, "sessions", "*.lock")); len(locks) != 1 {
		t.Errorf("%d locks are kept, want 1", len(locks))
	}
}

// TestBusy shows that a session that another process holds is used without its
// history, which the verdict then says.
func TestBusy(t *testing.T) {
	s := state.New(t.TempDir(), time.Now)
	use(t, s, "a", func(*policy.Session) {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		if err := s.With(ctx, "a", func(p *policy.Session) {
			if p.Unreadable == nil {
				t.Error("two processes hold one session")
			}
		}); err != nil {
			t.Error(err)
		}
	})
}

// TestTorn shows that what a crash left behind the last whole line does not
// count, and is gone after the next use.
func TestTorn(t *testing.T) {
	dir := t.TempDir()
	s := state.New(dir, time.Now)
	use(t, s, "a", func(p *policy.Session) { p.Grant("shell make") })
	file := stored(t, dir)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, tail := range map[string]string{"a beginning": string(whole[:20]), "zeros": "\x00\x00", "all but its end": string(whole[:len(whole)-1])} {
		if err := os.WriteFile(file, append(slices.Clip(whole), tail...), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			use(t, s, "a", func(p *policy.Session) {
				if data, err := p.Snapshot(); p.Unreadable != nil || err != nil || !strings.Contains(string(data), "shell make") {
					t.Errorf("%s: %v, %v, %s", name, p.Unreadable, err, data)
				}
			})
		}
		if data, err := os.ReadFile(file); err != nil || strings.Count(string(data), "\n") != 2 || !strings.HasSuffix(string(data), "}\n") {
			t.Errorf("%s: %v, %q", name, err, data)
		}
	}
}

// TestBounded shows that a file that is written to on and on stays short, and
// that the latest use counts.
func TestBounded(t *testing.T) {
	dir := t.TempDir()
	s := state.New(dir, time.Now)
	replaced := 0
	for i, last := 0, int64(0); i < 2000; i++ {
		use(t, s, "a", func(p *policy.Session) {
			if data, _ := p.Snapshot(); i > 0 && !strings.Contains(string(data), fmt.Sprint("rule ", i-1, `"`)) {
				t.Fatalf("use %d: %s", i, data)
			}
			p.Revoke(fmt.Sprint("rule ", i-1))
			p.Grant(fmt.Sprint("rule ", i))
		})
		info, err := os.Stat(stored(t, dir))
		if err != nil || info.Size() > 64<<10 {
			t.Fatal(info, err)
		}
		if info.Size() < last {
			replaced++
		}
		last = info.Size()
	}
	if replaced == 0 || replaced > 10 {
		t.Errorf("replaced %d times", replaced)
	}
}

// stored returns the file of the only session.
func stored(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "sessions", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	return files[0]
}

func TestAside(t *testing.T) {
	dir := t.TempDir()
	s := state.New(dir, time.Now)
	if files, err := s.Aside(); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
	use(t, s, "a", func(*policy.Session) {})
	files, _ := filepath.Glob(filepath.Join(dir, "sessions", "*.json"))
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	use(t, s, "a", func(p *policy.Session) {
		if p.Unreadable == nil || !strings.Contains(p.Unreadable.Error(), ".json.invalid-") {
			t.Errorf("it says %v", p.Unreadable)
		}
	})
	if files, err := s.Aside(); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	use(t, s, "a", func(p *policy.Session) {
		if p.Unreadable != nil {
			t.Error(p.Unreadable)
		}
	})
}
