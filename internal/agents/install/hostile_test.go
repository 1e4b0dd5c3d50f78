package install

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Settings that cannot be edited without loss are refused, with their place,
// and stay as they are.
func TestRefused(t *testing.T) {
	rows := []struct{ want, agent, text string }{
		{`:2:3: this is a comment, which JSON does not have; the agent may not read it either`, "claude", "{\n  // keep me\n}"},
		{`:1:2: this is a comment`, "copilot", `{/* a */}`},
		{`:1:2: JSON has no comments`, "qwen", `{/* a }`},
		{`:1:15: this is a comment`, "claude", `{"a": 1, "b": /**/2}`},
		{`:1:8: a comma before a closing bracket`, "qwen", `{"a": 1,}`},
		{`:1:8: a comma before a closing bracket`, "claude", `{"a": 1,}`},
		{`:1:10: the key "a" appears twice: keep one`, "claude", `{"a": 1, "a": 2}`},
		{`:1:15: the key "hooks" appears twice`, "claude", `{"hooks": {}, "h\u006foks": {}}`},
		{`:1:1: the settings must be an object`, "claude", `[]`},
		{`:1:1: the settings must be an object`, "claude", `"hooks"`},
		{`:1:11: hooks must be an object`, "claude", `{"hooks": []}`},
		{`:1:11: hooks must be an object`, "claude", `{"hooks": null}`},
		{`:1:26: hooks.PreToolUse must be an array`, "claude", `{"hooks": {"PreToolUse": {}}}`},
		{`:1:27: each entry of hooks.PreToolUse must be an object with an array of hooks`, "claude", `{"hooks": {"PreToolUse": ["x"]}}`},
		{`:1:27: each entry of hooks.PreToolUse must be an object with an array of hooks`, "codex", `{"hooks": {"PreToolUse": [{"hooks": {}}]}}`},
		{`:1:38: each hook of PreToolUse must be an object`, "claude", `{"hooks": {"PreToolUse": [{"hooks": ["x"]}]}}`},
		{`:1:27: each hook of PreToolUse must be an object`, "copilot", `{"hooks": {"PreToolUse": ["x"]}, "version": 1}`},
		{`:1:38: the matcher must be a string`, "claude", `{"hooks": {"PreToolUse": [{"matcher":[], "hooks": []}]}}`},
		{`:1:13: version must be 1: correct it`, "copilot", `{"version": 2}`},
		{`:1:8: the JSON ends too early`, "claude", `{"a": [`},
		{`:1:3: not JSON: invalid character 'a'`, "claude", `{ a: 1}`},
		{`:1:6: not JSON: invalid character '1' after object name (expecting ':')`, "claude", `{"a" 1}`},
		{`:1:9: not JSON: invalid character '"' after object value (expecting ',' or '}')`, "claude", `{"a": 1 "b": 2}`},
		{`:1:7: not JSON: invalid character 'y'`, "claude", `{"a": yes}`},
		{`:1:8: not JSON: invalid character '1'`, "claude", `{"a": 01}`},
		{`:1:7: not JSON: invalid character 'N'`, "claude", `{"a": NaN}`},
		{`:1:9: not JSON: invalid character '\n' in string`, "claude", "{\"a\": \"b\n\"}"},
		{`:1:8: not JSON: invalid character '\x00' in string`, "claude", "{\"a\": \"\x00\"}"},
		{":1:8: not JSON: invalid escape sequence `\\q`", "claude", `{"a": "\q"}`},
		{`:2:1: something follows the JSON: remove it`, "claude", "{}\n{}"},
		{`:1:1: there is a byte order mark here`, "claude", "\uFEFF{}"},
		{`:1:8: the JSON is not valid UTF-8`, "claude", "{\"a\": \"\xff\"}"},
		{`the JSON nests deeper than 100 levels`, "claude", `{"a": ` + strings.Repeat("[", 100000)},
		{`it has more than 4 MiB`, "claude", strings.Repeat(" ", maxFile+1)},
	}
	for _, row := range rows {
		r := request(lookup(t, row.agent), newPlace(t))
		path := settings(t, r)
		put(t, path, row.text)
		_, err := Install(r)
		if err == nil || !strings.Contains(err.Error(), row.want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%.60q: %v, want %s", row.text, err, row.want)
		}
		if get(t, path) != row.text {
			t.Errorf("%.60q has changed", row.text)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
			t.Errorf("%.60q: %d files, %v", row.text, len(entries), err)
		}
	}
}

func TestRefusalHasSnippet(t *testing.T) {
	r := request(lookup(t, "claude"), newPlace(t))
	put(t, settings(t, r), "{} // mine")
	_, err := Install(r)
	refusal, ok := errors.AsType[*Refusal](err)
	if !ok || refusal.Snippet != get(t, "testdata/settings/claude-empty.installed") {
		t.Errorf("%v", err)
	}
}

// What stands in place of a file of settings.
func TestFiles(t *testing.T) {
	rows := []struct {
		want string
		make func(path string) error
	}{
		{"is not a file: move it away", func(path string) error { return os.MkdirAll(path, 0o755) }},
		{"is a broken link", func(path string) error { return os.Symlink("nothing", path) }},
		{"too many levels of symbolic links", func(path string) error { return os.Symlink(path, path) }},
		{"is read-only: run chmod u+w on it", func(path string) error { return os.WriteFile(path, []byte("{}"), 0o444) }},
		{"is not a file", func(path string) error { return os.Symlink("/dev/null", path) }},
	}
	for _, row := range rows {
		r := request(lookup(t, "claude"), newPlace(t))
		path := settings(t, r)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), row.make(path)); err != nil {
			t.Fatal(err)
		}
		if _, err := Install(r); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v, want %s", err, row.want)
		}
	}
}

// A file that is not to be written may be looked at.
func TestReadOnly(t *testing.T) {
	r := request(lookup(t, "claude"), newPlace(t))
	apply(t, Install, r)
	if err := os.Chmod(settings(t, r), 0o400); err != nil {
		t.Fatal(err)
	}
	if n := apply(t, Install, r); n != 0 {
		t.Errorf("%d changes", n)
	}
	if _, err := Uninstall(r); err == nil || !strings.Contains(err.Error(), "is read-only: run chmod u+w on it") {
		t.Errorf("%v", err)
	}
}

func TestNewFile(t *testing.T) {
	r := request(lookup(t, "copilot"), newPlace(t))
	apply(t, Install, r)
	for path, want := range map[string]os.FileMode{settings(t, r): 0o600, filepath.Dir(settings(t, r)): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

// A link stays a link, what it names keeps its permissions, and a backup of it
// has them too.
func TestLink(t *testing.T) {
	r := request(lookup(t, "claude"), newPlace(t))
	path, target := settings(t, r), filepath.Join(r.Place.Home, "dotfiles", "claude.json")
	put(t, target, "{}\n")
	if err := errors.Join(os.Chmod(target, 0o640), os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink("../dotfiles/claude.json", path)); err != nil {
		t.Fatal(err)
	}
	p, err := Install(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Notes) != 1 || p.Notes[0] != path+" leads to "+target+", which is changed" {
		t.Errorf("notes %q", p.Notes)
	}
	backup, err := p.Changes[0].Apply(time.Now())
	if err != nil || filepath.Dir(backup) != filepath.Dir(target) || get(t, backup) != "{}\n" {
		t.Errorf("backup %s: %v", backup, err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%s is no link any longer", path)
	}
	for _, file := range []string{target, backup} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s has mode %v", file, info.Mode())
		}
	}
}

// What a link names is not removed, even if nothing is left in it.
func TestLinkStays(t *testing.T) {
	r := request(lookup(t, "claude"), newPlace(t))
	path, target := settings(t, r), filepath.Join(r.Place.Home, "claude.json")
	apply(t, Install, r)
	if err := errors.Join(os.Rename(path, target), os.Symlink(target, path)); err != nil {
		t.Fatal(err)
	}
	apply(t, Uninstall, r)
	if got := get(t, target); strings.TrimSpace(got) != "{}" {
		t.Errorf("%q is left", got)
	}
	if n := apply(t, Install, r); n != 1 {
		t.Errorf("%d changes to install again", n)
	}
}

// The settings of a project may not lead out of it: a repository could
// have any file of the user changed.
func TestLinkOutOfProject(t *testing.T) {
	for _, link := range []string{".claude", ".claude/settings.json"} {
		r := request(lookup(t, "claude"), newPlace(t))
		r.Scope = Project
		victim := filepath.Join(r.Place.Home, ".claude")
		put(t, filepath.Join(victim, "settings.json"), "{}")
		path := filepath.Join(r.Place.Dir, link)
		if filepath.Base(link) == "settings.json" {
			victim = filepath.Join(victim, "settings.json")
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(victim, path)); err != nil {
			t.Fatal(err)
		}
		if _, err := Install(r); err == nil || !strings.Contains(err.Error(), "leads out of the project") {
			t.Errorf("%s: %v", link, err)
		}
	}
}

func TestChangedMeanwhile(t *testing.T) {
	for _, before := range []string{"", "{}"} {
		r := request(lookup(t, "claude"), newPlace(t))
		path := settings(t, r)
		if before != "" {
			put(t, path, before)
		}
		p, err := Install(r)
		if err != nil {
			t.Fatal(err)
		}
		put(t, path, `{"a": 1}`)
		if _, err := p.Changes[0].Apply(time.Now()); err == nil || !strings.HasSuffix(err.Error(), "has changed meanwhile: try again") {
			t.Errorf("%v", err)
		}
		if get(t, path) != `{"a": 1}` {
			t.Error("the other change is lost")
		}
	}
}
