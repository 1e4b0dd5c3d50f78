package layers

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func makePipe(t *tree, path string) {
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfifo", path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestHomeOf(t *testing.T) {
	t.Setenv("HOME", "/an/agent/sets/this")
	home, err := HomeOf(os.Getuid())
	if err != nil || !filepath.IsAbs(home) || home == "/an/agent/sets/this" {
		t.Errorf("%q, %v", home, err)
	}
	if home, err := HomeOf(987654); err == nil {
		t.Errorf("a user who does not exist lives in %q", home)
	}
}

func TestFixed(t *testing.T) {
	for xdg, want := range map[string]string{
		"":                  "",
		"relative":          "",
		"/home/dev/.config": "",
		"/x":                "/x/policyctl",
	} {
		p := Fixed("/home/dev", xdg)
		if p.Shadow != want || p.Config != "/home/dev/.config/policyctl" || p.State != "/home/dev/.local/state/policyctl" || p.Managed != "/etc/policyctl" {
			t.Errorf("%q: %+v", xdg, p)
		}
	}
}

func TestChosen(t *testing.T) {
	for _, c := range []struct{ config, state, xdgConfig, xdgState string }{
		{"/home/dev/.config/policyctl", "/home/dev/.local/state/policyctl", "", ""},
		{"/c/policyctl", "/s/policyctl", "/c", "/s"},
		{"/home/dev/.config/policyctl", "/home/dev/.local/state/policyctl", "c", "../s"},
	} {
		p := Chosen("/home/dev", func(name string) string {
			return map[string]string{"XDG_CONFIG_HOME": c.xdgConfig, "XDG_STATE_HOME": c.xdgState}[name]
		})
		if p.Config != c.config || p.State != c.state || p.Shadow != "" {
			t.Errorf("%+v", p)
		}
	}
}

func TestOwn(t *testing.T) {
	tr := newTree(t)
	tr.policy("dotfiles/agents.yaml", "")
	tr.link("links/policy.yaml", "../dotfiles/agents.yaml")
	tr.link(userFile, tr.path("links/policy.yaml"))
	tr.policy("more/net.yaml", "")
	tr.link("etc/policy.d/10.yaml", tr.path("more/net.yaml"))
	tr.link("home/.local/state/policyctl", tr.path("loop"))
	tr.link("loop", tr.path("loop"))
	var want []string
	for _, name := range []string{"etc", "home/.config/policyctl", "home/.local/state/policyctl", "loop", "more/net.yaml", "links/policy.yaml", "dotfiles/agents.yaml"} {
		want = append(want, tr.path(name))
	}
	if got := tr.Own(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A home directory behind a link is protected by both names before anything
// stands in it.
func TestOwnBehindLink(t *testing.T) {
	tr := newTree(t)
	tr.link("home", tr.path("var/home"))
	tr.write("var/home/x", "")
	for _, want := range []string{"home/.config/policyctl", "var/home/.config/policyctl", "var/home/.local/state/policyctl"} {
		if !slices.Contains(tr.Own(), tr.path(want)) {
			t.Errorf("%s is not among %q", want, tr.Own())
		}
	}
}

func TestProjectAt(t *testing.T) {
	tr := newTree(t)
	want := tr.policy(innerFile, "")
	tr.write("w/app/main.go", "")
	tr.link("link", tr.path("w/app"))
	for name, ok := range map[string]bool{
		"w/app": true, "w/app/.policyctl": true, innerFile: true, "link": true, "link/.policyctl/policy.yaml": true,
		"w/app/main.go": false,
	} {
		if got, is := ProjectAt(tr.path(name)); is != ok || ok && got != want {
			t.Errorf("%s: %q, %t", name, got, is)
		}
	}
	if got, ok := ProjectAt(tr.path("gone")); !ok || got != tr.path("gone/.policyctl/policy.yaml") {
		t.Errorf("a project that is gone: %q, %t", got, ok)
	}
}
