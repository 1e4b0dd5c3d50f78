package referral

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A file is there, is not, or nothing is claimed of it.
func TestFilesOf(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(dir, "there"), filepath.Join(home, "mine")} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	got := filesOf([]string{"there", "new", "~/mine", dir + "/there", "link", "there/below", "a\x00b"}, dir, home)
	want := []approval.File{{Path: "there", Exists: true}, {Path: "new"}, {Path: "~/mine", Exists: true}, {Path: dir + "/there", Exists: true}, {Path: "link", Exists: true}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := filesOf([]string{"there"}, "", home); got != nil {
		t.Errorf("without a directory: %v", got)
	}
}
