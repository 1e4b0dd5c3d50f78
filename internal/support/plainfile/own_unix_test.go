//go:build unix

package plainfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// A link in the place of a file of ours is neither read nor written nor locked.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	target, link, own := filepath.Join(dir, "target"), filepath.Join(dir, "link"), filepath.Join(dir, "own")
	if err := os.WriteFile(target, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if text, err := plainfile.ReadOwn(link, 100); err == nil || !strings.Contains(err.Error(), link+": it is a link to "+target) {
		t.Errorf("it was read: %s, %v", text, err)
	}
	if f, err := plainfile.Append(link); !errors.Is(err, plainfile.Link(target)) {
		t.Errorf("it was extended: %v, %v", f, err)
	}
	if err := plainfile.WriteOwn(link, []byte("ours")); err == nil {
		t.Error("it was written")
	}
	if _, err := plainfile.Lock(link).TryLock(); err == nil {
		t.Error("it was locked")
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "theirs" {
		t.Errorf("%s, %v", text, err)
	}
	if err := plainfile.WriteOwn(own, []byte("ours")); err != nil {
		t.Error(err)
	}
	if text, err := plainfile.ReadOwn(own, 100); err != nil || string(text) != "ours" {
		t.Errorf("%s, %v", text, err)
	}
}
