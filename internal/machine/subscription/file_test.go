package subscription

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// place writes a file as it should be written, with a time of change.
func place(t *testing.T, file string, data []byte, changed time.Time) {
	t.Helper()
	if err := errors.Join(os.WriteFile(file+".new", data, 0o600), os.Chtimes(file+".new", changed, changed), os.Rename(file+".new", file)); err != nil {
		t.Fatal(err)
	}
}

func TestFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	for _, url := range []string{file, "file://" + file} {
		r := newRig(t, url)
		place(t, file, signed(t, 1), noon.Add(-time.Minute))
		r.fetch()
		r.has("r1")
		r.pass(time.Minute)
		r.fetch()
		if h := r.Health(); len(r.got) != 1 || h.Contact != noon.Add(time.Minute) || h.URL != file {
			t.Errorf("activated %v, health %+v", r.got, h)
		}
		place(t, file, signed(t, 2), noon)
		r.fetch()
		r.has("r2")
	}
}

// Two changes within the grain of the time look alike: a young file is read
// again.
func TestFileChangedTwiceAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	r := newRig(t, file, unsigned)
	one, two := plain(t, 1), plain(t, 2)
	if len(one) != len(two) {
		t.Fatal("the sizes differ: nothing is tested")
	}
	place(t, file, one, noon)
	r.fetch()
	place(t, file, two, noon)
	r.fetch()
	r.has("r2")
}

func TestFileRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "b.tar.gz")
	r := newRig(t, file, func(c *Config) { c.Limits.Archive = 4 << 10 })
	r.fetch(": request: ", "no such file")
	place(t, file, signed(t, 1), noon.Add(-time.Minute))
	r.fetch()
	for _, row := range []struct {
		want string
		put  func() error
	}{
		{"no such file", func() error { return nil }},
		{"not a plain file", func() error { return os.Mkdir(file, 0o700) }},
		{"not a plain file", func() error { return os.Symlink("/dev/zero", file) }},
		{"is empty", func() error { return os.WriteFile(file, nil, 0o600) }},
		{"larger than 4096 bytes", func() error { return os.WriteFile(file, make([]byte, 5000), 0o600) }},
		{"not gzip", func() error { return os.WriteFile(file, []byte("text"), 0o600) }},
		{"signature", func() error { return os.WriteFile(file, plain(t, 2), 0o600) }},
	} {
		if err := errors.Join(os.RemoveAll(file), row.put()); err != nil {
			t.Fatal(err)
		}
		r.fetch(row.want, `"r1" stays active`)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	place(t, filepath.Join(dir, "target"), signed(t, 3), noon)
	if err := os.Symlink("target", file); err != nil { // as Kubernetes mounts a file
		t.Fatal(err)
	}
	r.fetch()
	r.has("r3")
}

func TestFileWrittenWhileRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	place(t, file, plain(t, 1), noon.Add(-time.Second))
	late := func(name string) (*os.File, error) {
		f, err := os.Open(name)
		place(t, file, plain(t, 2), noon)
		return f, err
	}
	f := &fileSource{file, defaultArchive, func() time.Time { return noon }, late}
	if _, err := f.get(t.Context(), ""); !errors.Is(err, errWritten) {
		t.Errorf("got %v", err)
	}
}
