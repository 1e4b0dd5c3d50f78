package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// TestPermissionsMean judges the calls of testdata/permissions.txt, each by the one
// permission that it stands below: a denial and an ask beside an allow of everything.
// /home/dev there is a home directory with a project and with what lies beside it.
func TestPermissionsMean(t *testing.T) {
	data, err := os.ReadFile("testdata/permissions.txt")
	if err != nil {
		t.Fatal(err)
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"evil", "other", "project/src", "project/tests", "project/build", "project/dist", "project/web", "project/scripts", "project/docker"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var action, match string
	var e *policy.Engine
	permissions, calls, missed := 0, 0, 0
	for line := range strings.Lines(string(data)) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "/home/dev", home)
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] != '\t':
			action, match, _ = strings.Cut(line, " ")
			e = engineOf(t, action, match)
			permissions++
			continue
		}
		want, text, _ := strings.Cut(line[1:], " ")
		list := [][2]string{{want, text}}
		if want == "base" {
			list = around(action, text)
		}
		for _, row := range list {
			calls++
			c := callOf(t, row[1], home)
			v := decide(t, e, nil, c)
			if !means(t, row[0], action, match, v) {
				missed++
				t.Errorf("%s %s: %s: want %s, got %s at %s by %q: %s", action, match, row[1], row[0], v.Decision, v.Stage, v.Rule, v.Why)
			}
		}
	}
	t.Logf("%d permissions, %d calls, %d otherwise", permissions, calls, missed)
	if permissions < 230 || calls < 2600 {
		t.Errorf("%d permissions with %d calls are fewer than there were", permissions, calls)
	}
}

// around returns what every permission means for calls around a command that it means: a denial
// and an ask mean it behind wrappers and in any part of a line, an allow behind wrappers in the
// project, without what decides where, by what and with which output it runs.
func around(action, call string) [][2]string {
	if action == "allow" {
		return [][2]string{
			{"cover", call}, {"cover", "timeout 60 " + call}, {"cover", call + " && " + call},
			{"leave", "cd ../other && " + call}, {"leave", "LD_PRELOAD=./p " + call}, {"leave", call + " > ../other/x"},
			{"leave", "docker exec app " + call}, {"leave", call + "; ./evil"},
		}
	}
	return [][2]string{
		{"hit", call}, {"hit", "sudo " + call}, {"hit", "timeout 5 " + call}, {"hit", "true && " + call}, {"hit", call + " | cat"},
		{"hit", "env A=1 " + call}, {"hit", "echo \"$(" + call + ")\""}, {"hit", "if true; then " + call + "; fi"},
	}
}

// callOf returns a call of the shell, or of another tool, which stands behind @ with its
// subject.
func callOf(t *testing.T, text, home string) *policy.Call {
	t.Helper()
	c := policy.Shell(text, home+"/project")
	if rest, ok := strings.CutPrefix(text, "@"); ok {
		tool, subject, _ := strings.Cut(rest, " ")
		field := map[string]string{"fetch": "url", "write": "file_path", "read": "file_path", "edit": "file_path"}[tool]
		if field == "" {
			field = "x"
		}
		c.Tool, c.Input = tool, map[string]any{field: subject}
	}
	c.Home, c.ProjectDir = home, c.Dir
	return c
}

// engineOf returns an engine with one permission, to whose denial or ask an allow of
// everything is added.
func engineOf(t *testing.T, action, match string) *policy.Engine {
	t.Helper()
	if action == "allowlist" {
		return engineIn(t, world.New(nil), "", func(s *policy.Settings) { s.Allowlist = []policy.Entry{{Text: match}} })
	}
	list := action + " " + match
	if action != "allow" {
		list += "|allow *"
	}
	return engineIn(t, world.New(nil), list, nil)
}

// means reports whether a verdict is what the author of a permission wants.
func means(t *testing.T, want, action, match string, v policy.Verdict) bool {
	switch want {
	case "hit":
		return v.Decision.String() == action
	case "miss":
		return v.Rule != match
	case "cover":
		return v.Decision == policy.Allow
	case "leave":
		return v.Decision != policy.Allow
	}
	t.Fatalf("%q is neither hit nor miss, cover nor leave", want)
	return false
}
