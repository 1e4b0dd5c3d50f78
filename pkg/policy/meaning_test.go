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
		calls++
		c := policy.Shell(text, home+"/project")
		c.Home, c.ProjectDir = home, c.Dir
		v := decide(t, e, nil, c)
		if !means(t, want, action, match, v) {
			missed++
			t.Errorf("%s %s: %s: want %s, got %s at %s by %q: %s", action, match, text, want, v.Decision, v.Stage, v.Rule, v.Why)
		}
	}
	t.Logf("%d permissions, %d calls, %d otherwise", permissions, calls, missed)
}

// engineOf returns an engine with one permission, to whose denial or ask an allow of
// everything is added.
func engineOf(t *testing.T, action, match string) *policy.Engine {
	t.Helper()
	list := action + " " + match
	if action != "allow" {
		list += "|allow shell *"
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
