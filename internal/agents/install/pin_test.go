package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The managed hook of Factory Droid keeps hooks on, and takes that along when it goes.
func TestPin(t *testing.T) {
	for _, before := range []string{"", "{\n  \"model\": \"x\"\n}\n", `{"hooks": {"hooksDisabled": false}}`} {
		r, path := managedIn(t, "droid")
		apply(t, Uninstall, r)
		if before != "" {
			put(t, path, before)
		}
		apply(t, Install, r)
		if got := get(t, path); strings.Count(got, `"hooksDisabled": false`) != 1 || !strings.Contains(got, "hook droid") {
			t.Errorf("%q: installed %s", before, got)
		}
		if n := apply(t, Install, r); n != 0 {
			t.Errorf("%q: %d changes the second time", before, n)
		}
		apply(t, Uninstall, r)
		after, err := os.ReadFile(path)
		if string(after) != before || before == "" && err == nil {
			t.Errorf("%q: left %q, %v", before, after, err)
		}
	}
}

// Only the managed settings are pinned, and only with false.
func TestPinned(t *testing.T) {
	r := installed(t, "droid")
	if got := get(t, settings(t, r)); strings.Contains(got, "hooksDisabled") {
		t.Error(got)
	}
	r, path := managedIn(t, "droid")
	put(t, path, strings.Replace(get(t, path), `"hooksDisabled": false`, `"hooksDisabled": true`, 1))
	if _, err := Install(r); err == nil || !strings.Contains(err.Error(), "hooks.hooksDisabled must be false: correct it") {
		t.Error(err)
	}
	r, path = managedIn(t, "droid")
	put(t, path, strings.Replace(get(t, path), `"hooksDisabled": false`, `"other": 1`, 1))
	put(t, filepath.Join(r.Place.Dir, ".factory", "settings.json"), `{"hooks": {"hooksDisabled": true}}`)
	if got := told(r, Problem, good); !strings.Contains(got, "project/.factory/settings.json has hooks.hooksDisabled: true, which turns hooks off\n") {
		t.Error(got)
	}
}
