package plainfile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

func TestReadAll(t *testing.T) {
	for limit, want := range map[int64]string{7: "it is larger than 7 bytes", 64 << 10: "it is larger than 64 KiB", 5 << 20: "it is larger than 5 MiB"} {
		text := strings.Repeat("x", int(limit))
		if got, err := plainfile.ReadAll(strings.NewReader(text), limit); err != nil || string(got) != text {
			t.Errorf("%d bytes: %d, %v", limit, len(got), err)
		}
		if got, err := plainfile.ReadAll(strings.NewReader(text+"x"), limit); err == nil || err.Error() != want || got != nil {
			t.Errorf("%d bytes and one: %v, want %s", limit, err, want)
		}
	}
}

// A size is told in the largest unit that it fills.
func TestLong(t *testing.T) {
	for l, want := range map[plainfile.Long]string{1<<10 - 1: "1023 bytes", 1 << 10: "1 KiB", 1<<20 - 1: "1023 KiB", 1 << 20: "1 MiB"} {
		if got := l.Error(); got != "it is larger than "+want {
			t.Errorf("%d: %s", int64(l), got)
		}
	}
}

func TestNamed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.bak", "b", "c.bak"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	is := func(name string) bool { return strings.HasSuffix(name, ".bak") }
	want := []string{filepath.Join(dir, "a.bak"), filepath.Join(dir, "c.bak")}
	if got, err := plainfile.Named(dir, is); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := plainfile.Named(filepath.Join(dir, "none"), is); err != nil || got != nil {
		t.Errorf("%q, %v", got, err)
	}
}
