package atomicfile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(file, "new-", []byte("new")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil || string(data) != "new" {
		t.Errorf("%q, %v", data, err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v, want 0600", info.Mode(), err)
	}
	if err := atomicfile.Write(filepath.Join(dir, "none", "f"), "new-", nil); err == nil {
		t.Error("a directory that is not there is no error")
	}
	if err := atomicfile.Write(dir, "new-", nil); err == nil {
		t.Error("a directory was replaced")
	}
	if left, err := filepath.Glob(filepath.Join(dir, "new-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Who reads while others write sees one content, whole.
func TestReaders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	contents := []string{strings.Repeat("a", 100_000), strings.Repeat("b", 50_000)}
	if err := atomicfile.Write(file, "new-", []byte(contents[0])); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, content := range contents {
		all.Go(func() {
			for range 20 {
				if err := atomicfile.Write(file, "new-", []byte(content)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		if data, err := os.ReadFile(file); err != nil || string(data) != contents[0] && string(data) != contents[1] {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
	}
	all.Wait()
}
