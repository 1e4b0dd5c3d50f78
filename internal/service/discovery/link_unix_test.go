//go:build unix

package discovery_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/discovery"
)

// A link in the place of the file could show what it leads to, or lead a client astray.
func TestLinkedFile(t *testing.T) {
	dir := t.TempDir()
	file, real := filepath.Join(dir, discovery.File), filepath.Join(dir, "real.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(real, []byte(`{"url":"http://127.0.0.1:1"}`), 0o600), os.Symlink(real, file)); err != nil {
		t.Fatal(err)
	}
	none := func(string) string { return "" }
	if found, err := discovery.Find(none, dir, true); err == nil || !strings.Contains(err.Error(), file+": it is a link to "+real) || strings.Count(err.Error(), file) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if err := errors.Join(os.Remove(file), os.Rename(real, file)); err != nil {
		t.Fatal(err)
	}
	if found, err := discovery.Find(none, dir, true); err != nil || found.URL != "http://127.0.0.1:1" {
		t.Errorf("%+v, %v", found, err)
	}
}
