package world

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// plant makes empty files below a directory, and a link for each NAME=TARGET.
func plant(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		name, target, link := strings.Cut(name, "=")
		path := dir + "/" + name
		err := os.MkdirAll(path[:strings.LastIndexByte(path, '/')], 0o755)
		switch {
		case err != nil:
		case link:
			err = os.Symlink(target, path)
		default:
			err = os.WriteFile(path, nil, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// still returns a World of which the clock stands still.
func still() *World {
	w, now := New(nil), time.Now()
	w.now = func() time.Time { return now }
	return w
}

// below returns what a walk visits, relative to the directory, with a slash
// behind directories and an @ behind links.
func below(t testing.TB, w *World, dir string, skip ...string) (seen []string, ok bool) {
	t.Helper()
	ok = w.Below(dir, func(path string, typ fs.FileMode) error {
		name, found := strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/")
		if !found {
			t.Errorf("%s does not begin with %s", path, dir)
		}
		switch typ {
		case fs.ModeDir:
			name += "/"
		case fs.ModeSymlink:
			name += "@"
		}
		seen = append(seen, name)
		if slices.Contains(skip, name) {
			return fs.SkipDir
		}
		return nil
	})
	return seen, ok
}

func TestBelow(t *testing.T) {
	dir, w := t.TempDir(), still()
	plant(t, dir, "b.go", ".env", "a/x/deep.go", "a/y.go", "c/z.go", "in=a", "loop=.", "lost=/nowhere", "file=b.go")
	plant(t, dir+"/..", "way="+dir)
	for _, r := range []struct {
		dir, want string
		skip      []string
	}{
		{dir, ".env a/ b.go c/ file@ in@ loop@ lost@ a/x/ a/y.go c/z.go a/x/deep.go", nil},
		{dir + "/", ".env a/ b.go c/ file@ in@ loop@ lost@ a/x/ a/y.go c/z.go a/x/deep.go", nil},
		{dir, ".env a/ b.go c/ file@ in@ loop@ lost@ c/z.go", []string{"a/"}},
		{dir + "/in", "x/ y.go x/deep.go", nil},
		{dir + "/../way/a", "x/ y.go x/deep.go", nil},
		{dir + "/b.go", "", nil},
		{dir + "/missing", "", nil},
		{dir + "/b.go/x", "", nil},
	} {
		if seen, ok := below(t, w, r.dir, r.skip...); strings.Join(seen, " ") != r.want || !ok {
			t.Errorf("below %s: %v, %t; want %s", r.dir, seen, ok, r.want)
		}
	}
	for _, dir := range []string{"relative", "", "/proc/self/cwd"} {
		if _, ok := below(t, w, dir); ok {
			t.Errorf("what lies below %q is taken for known", dir)
		}
	}
}

// TestBelowEnds shows that visit can end the walk.
func TestBelowEnds(t *testing.T) {
	dir, n := t.TempDir(), 0
	plant(t, dir, "a", "b", "c/d")
	ok := still().Below(dir, func(string, fs.FileMode) error { n++; return fs.SkipAll })
	if n != 1 || !ok {
		t.Errorf("it went on for %d, and says %t", n, ok)
	}
	still().Below(dir, func(string, fs.FileMode) error { n++; return errors.New("x") })
	if n != 2 {
		t.Errorf("it went on after an error")
	}
}

// TestBelowIsBounded shows that a large directory and a slow one are not
// known, and that what lies at their top was seen before.
func TestBelowIsBounded(t *testing.T) {
	dir, w := t.TempDir(), still()
	w.entries = 50
	plant(t, dir, ".env")
	for i := range 60 {
		plant(t, dir, fmt.Sprintf("d%d/%d", i%10, i))
	}
	seen, ok := below(t, w, dir)
	if ok || len(seen) > w.entries || len(seen) < 40 || seen[0] != ".env" {
		t.Errorf("of a large directory it saw %d, and says %t", len(seen), ok)
	}
	w.entries = 71
	if seen, ok := below(t, w, dir); !ok || len(seen) != 71 {
		t.Errorf("of 71 entries it saw %d, and says %t", len(seen), ok)
	}
	start := time.Now()
	calls := 0
	w.now = func() time.Time { calls++; return start.Add(time.Duration(calls) * maxWalk / 3) }
	if seen, ok := below(t, w, dir); ok || len(seen) == 0 {
		t.Errorf("of a slow directory it saw %d, and says %t", len(seen), ok)
	}
}

// TestBelowUnreadable shows that what may not be looked at is unknown.
func TestBelowUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may look everywhere")
	}
	dir := t.TempDir()
	plant(t, dir, "a/b")
	if err := os.Chmod(dir+"/a", 0); err != nil {
		t.Fatal(err)
	}
	if _, ok := below(t, still(), dir); ok {
		t.Error("a directory that may not be read is taken for known")
	}
}

func BenchmarkBelow(b *testing.B) {
	dir, w := b.TempDir(), still()
	for i := range 50 {
		for k := range 40 {
			plant(b, dir, fmt.Sprintf("d%d/%d.go", i, k))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if !w.Below(dir, func(string, fs.FileMode) error { return nil }) {
			b.Fatal("not known")
		}
	}
}
