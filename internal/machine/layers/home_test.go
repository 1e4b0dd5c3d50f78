package layers

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What a policy protects below the home directory is protected there.
func TestProtectBelowHome(t *testing.T) {
	p := Fixed(t.TempDir(), "")
	p.Managed = ""
	if err := os.MkdirAll(p.Config, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "version: 1\nhardline: {protect: ['~/notes', /srv/data]}\nsecurity: {approval: {service: 'https://a.example', keys_file: ~/keys.json}}\n"
	if err := os.WriteFile(p.UserFile(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l := Load(p, p.Home)
	if l.Err != nil {
		t.Fatal(l.Err)
	}
	for _, want := range []string{filepath.Join(p.Home, "notes"), "/srv/data", filepath.Join(p.Home, "keys.json")} {
		if !slices.Contains(l.Settings.Protect, want) {
			t.Errorf("%s is not protected: %q", want, l.Settings.Protect)
		}
	}
	for path, want := range map[string]string{"~": p.Home, "~/": p.Home, "~ann/x": "~ann/x", "/~/x": "/~/x"} {
		if got := p.below([]string{path})[0]; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
