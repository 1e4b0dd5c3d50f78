//go:build unix

package keyfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A link in the place of a key is not followed, wherever it leads, and the error says
// where that is and what to do.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	real, link, broken := filepath.Join(dir, "real"), filepath.Join(dir, "link"), filepath.Join(dir, "broken")
	if err := errors.Join(Write(real, []byte("der")), os.Symlink(real, link), os.Symlink(filepath.Join(dir, "none"), broken)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []Type{Secret, Public} {
		for path, target := range map[string]string{link: real, broken: filepath.Join(dir, "none")} {
			der, err := Read(path, want)
			if der != nil || err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "it is a link to "+target) || !strings.Contains(err.Error(), "give the path of the file itself") {
				t.Errorf("%s: %q, %v", path, der, err)
			}
		}
	}
	if der, err := Read(real, Secret); err != nil || string(der) != "der" {
		t.Errorf("%q, %v", der, err)
	}
	if _, err := Read(filepath.Join(dir, "none"), Secret); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
