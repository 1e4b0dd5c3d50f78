package install

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/agents/hook"
)

// What stands in a file of TOML comes back to the byte, and nothing is left of a file of
// ours.
func TestOtherForms(t *testing.T) {
	for _, a := range agents() {
		loc, _ := a.location(User, "linux")
		texts := []string{""}
		switch loc.form {
		case settingsJSON:
			continue
		case hooksTOML:
			texts = append(texts, "a = 1\n", "[x]\ny = 2 # mine\n", "[[hooks]]\nevent = \"Stop\"\ncommand = \"true\"\n", "# only a comment\n")
		}
		for _, text := range texts {
			r := request(a, newPlace(t))
			path := settings(t, r)
			if text != "" {
				put(t, path, text)
			}
			if n := apply(t, Install, r); n != 1 {
				t.Errorf("%s: %q: %d changes", a.Name, text, n)
			}
			if n := apply(t, Install, r); n != 0 {
				t.Errorf("%s: %q: %d changes the second time", a.Name, text, n)
			}
			if n := apply(t, Uninstall, r); n != 1 {
				t.Errorf("%s: %q: %d changes to uninstall", a.Name, text, n)
			}
			if _, err := os.Stat(path); text == "" && err == nil || text != "" && get(t, path) != text {
				t.Errorf("%s: %q does not come back", a.Name, text)
			}
		}
	}
}

// A file that is not ours is left alone, and one of ours that somebody has changed is
// told of.
func TestOwnText(t *testing.T) {
	for _, a := range agents() {
		loc, _ := a.location(User, "linux")
		if loc.form != ownText {
			continue
		}
		r := request(a, newPlace(t))
		put(t, settings(t, r), "export default 1\n")
		if _, err := Install(r); err == nil || !strings.Contains(err.Error(), "policyctl has not written this file") {
			t.Errorf("%s: %v", a.Name, err)
		}
		if n := apply(t, Uninstall, r); n != 0 {
			t.Errorf("%s: %d changes to a file of somebody else", a.Name, n)
		}

		r = installed(t, a.Name)
		path := settings(t, r)
		put(t, path, strings.Replace(get(t, path), "policyctl is missing", "nothing is missing", 1))
		if got := told(r, Problem, good); !strings.Contains(got, "is not what policyctl writes") {
			t.Errorf("%s: %s", a.Name, got)
		}
		if n := apply(t, Install, r); n != 1 {
			t.Errorf("%s: %d changes", a.Name, n)
		}
		if got := told(r, Problem, good); got != "" {
			t.Errorf("%s: %s", a.Name, got)
		}
	}
}

// The script for Cline answers whatever becomes of the hook.
func TestScript(t *testing.T) {
	for _, r := range []struct{ hook, want string }{
		{"printf '{\"cancel\":true,\"errorMessage\":\"no\"}'", "no"},
		{"true", ""},
		{"exit 1", "missing or failed"}, {"exit 2", "missing or failed"}, {"kill -9 $$", "missing or failed"},
	} {
		dir := t.TempDir()
		program := filepath.Join(dir, "policyctl-hook")
		put(t, program, "#!/bin/sh\ncat >/dev/null\n"+r.hook+"\n")
		if err := os.Chmod(program, 0o755); err != nil {
			t.Fatal(err)
		}
		if got := cancelled(t, dir, program); got != r.want && !strings.Contains(got, r.want) {
			t.Errorf("%s: %q", r.hook, got)
		}
	}
	if got := cancelled(t, t.TempDir(), "/nowhere/policyctl-hook"); !strings.Contains(got, "missing or failed") {
		t.Errorf("a missing hook: %q", got)
	}
}

// cancelled runs the script for Cline with a program as the hook, and returns the reason of
// its answer.
func cancelled(t *testing.T, dir, program string) string {
	t.Helper()
	path := filepath.Join(dir, "PreToolUse")
	put(t, path, lookup(t, "cline").write(owned{"tool_call", program + " cline", 120}))
	cmd := exec.Command("/bin/sh", path)
	cmd.Stdin = strings.NewReader("{}")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: an agent that heeds no exit code sees one", err)
	}
	if len(out) == 0 {
		return ""
	}
	var said struct{ ErrorMessage string }
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return said.ErrorMessage
}

// Each event for which install writes a hook is one that the hook answers, and each agent
// that is installed has a protocol.
func TestProtocols(t *testing.T) {
	for _, a := range agents() {
		protocol, ok := hook.Lookup(a.Name)
		if !ok || protocol.Title != a.Title {
			t.Errorf("%s has no protocol of its title", a.Name)
			continue
		}
		for _, e := range a.events {
			if protocol.Answers(e.name) == e.tells {
				t.Errorf("%s: %s", a.Name, e.name)
			}
		}
	}
}
