//go:build unix

package keyfile

import (
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A secret is for its owner alone, and a public key for all; each is in a file of its own.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	one := func(kind Type, der string) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: string(kind), Bytes: []byte(der)}))
	}
	for name, row := range map[string]struct {
		want Type
		mode os.FileMode
		text string
		says string // "" where it is read
	}{
		"secret":                {Secret, 0o600, one(Secret, "der"), ""},
		"public":                {Public, 0o644, one(Public, "der"), ""},
		"others read it":        {Secret, 0o604, one(Secret, "der"), "others may read it (mode 0604)"},
		"the group reads it":    {Secret, 0o640, one(Secret, "der"), "others may read it (mode 0640)"},
		"a public key for it":   {Secret, 0o600, one(Public, "der"), "it does not hold one PRIVATE KEY"},
		"a secret for a public": {Public, 0o600, one(Secret, "der"), "it does not hold one PUBLIC KEY"},
		"two":                   {Secret, 0o600, one(Secret, "der") + one(Secret, "der"), "it does not hold one PRIVATE KEY"},
		"none":                  {Secret, 0o600, "der", "it does not hold one PRIVATE KEY"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(row.text), row.mode); err != nil {
			t.Fatal(err)
		}
		der, err := Read(path, row.want)
		if row.says == "" && (err != nil || string(der) != "der") || row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says) || der != nil) {
			t.Errorf("%s: %q, %v", name, der, err)
		}
	}
	if der, err := Read(dir, Secret); err == nil {
		t.Errorf("a directory: %q", der)
	}
}

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
