package world_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/world"
)

func TestHolds(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"plain": "KEY=1\r\n# Todo\n", "wide": "KEY=\xc3\xa9", "nul": "KEY=\x00TODO", "large": strings.Repeat("x", 1<<20+1), "none": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("plain", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	w := world.New(nil)
	for _, row := range []struct {
		file, word string
		found, ok  bool
	}{
		{"plain", "TODO", true, true}, {"plain", "todo", true, true}, {"plain", "FIXME", false, true}, {"link", "TODO", true, true}, {"none", "TODO", false, true},
		{"wide", "TODO", false, false}, {"nul", "TODO", false, false}, {"large", "TODO", false, false}, {"absent", "TODO", false, false}, {".", "TODO", false, false}, {"plain", "", false, false},
	} {
		if found, ok := w.Holds(filepath.Join(dir, row.file), row.word); found != row.found || ok != row.ok {
			t.Errorf("%s in %s: got %v %v, want %v %v", row.word, row.file, found, ok, row.found, row.ok)
		}
	}
}
