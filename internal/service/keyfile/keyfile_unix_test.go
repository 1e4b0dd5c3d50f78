//go:build unix

package keyfile_test

import (
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/keyfile"
)

// A secret is for its owner alone, and a public key for all; each is in a file of its own.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	one := func(kind keyfile.Type, der string) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: string(kind), Bytes: []byte(der)}))
	}
	for name, row := range map[string]struct {
		want keyfile.Type
		mode os.FileMode
		text string
		says string // "" where it is read
	}{
		"secret":                {keyfile.Secret, 0o600, one(keyfile.Secret, "der"), ""},
		"public":                {keyfile.Public, 0o644, one(keyfile.Public, "der"), ""},
		"others read it":        {keyfile.Secret, 0o604, one(keyfile.Secret, "der"), "others may read it (mode 0604)"},
		"the group reads it":    {keyfile.Secret, 0o640, one(keyfile.Secret, "der"), "others may read it (mode 0640)"},
		"a public key for it":   {keyfile.Secret, 0o600, one(keyfile.Public, "der"), "it does not hold one PRIVATE KEY"},
		"a secret for a public": {keyfile.Public, 0o600, one(keyfile.Secret, "der"), "it does not hold one PUBLIC KEY"},
		"two":                   {keyfile.Secret, 0o600, one(keyfile.Secret, "der") + one(keyfile.Secret, "der"), "it does not hold one PRIVATE KEY"},
		"none":                  {keyfile.Secret, 0o600, "der", "it does not hold one PRIVATE KEY"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(row.text), row.mode); err != nil {
			t.Fatal(err)
		}
		der, err := keyfile.Read(path, row.want)
		if row.says == "" && (err != nil || string(der) != "der") || row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says) || der != nil) {
			t.Errorf("%s: %q, %v", name, der, err)
		}
	}
	if der, err := keyfile.Read(dir, keyfile.Secret); err == nil {
		t.Errorf("a directory: %q", der)
	}
}

// A link in the place of a key is not followed, wherever it leads, and the error says
// where that is and what to do.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	real, link, broken := filepath.Join(dir, "real"), filepath.Join(dir, "link"), filepath.Join(dir, "broken")
	if err := errors.Join(keyfile.Write(real, []byte("der")), os.Symlink(real, link), os.Symlink(filepath.Join(dir, "none"), broken)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []keyfile.Type{keyfile.Secret, keyfile.Public} {
		for path, target := range map[string]string{link: real, broken: filepath.Join(dir, "none")} {
			der, err := keyfile.Read(path, want)
			if der != nil || err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "it is a link to "+target) || !strings.Contains(err.Error(), "give the path of the file itself") {
				t.Errorf("%s: %q, %v", path, der, err)
			}
		}
	}
	if der, err := keyfile.Read(real, keyfile.Secret); err != nil || string(der) != "der" {
		t.Errorf("%q, %v", der, err)
	}
	if _, err := keyfile.Read(filepath.Join(dir, "none"), keyfile.Secret); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
