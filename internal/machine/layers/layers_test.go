package layers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A tree is a machine with an organisation, a person and projects.
type tree struct {
	*testing.T
	Place
	root string
}

func newTree(t *testing.T) *tree {
	root := real(t.TempDir())
	p := Fixed(filepath.Join(root, "home"), "")
	p.Managed = filepath.Join(root, "etc")
	return &tree{t, p, root}
}

// The files of a tree by short names.
const (
	managedFile = "etc/policy.yaml"
	userFile    = "home/.config/policyctl/policy.yaml"
	outerFile   = "w/.policyctl/policy.yaml"
	innerFile   = "w/app/.policyctl/policy.yaml"
)

func (t *tree) path(name string) string { return filepath.Join(t.root, name) }

func (t *tree) write(name, content string) string {
	t.Helper()
	path := t.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// policy writes a policy of the version that we read.
func (t *tree) policy(name, content string) string { return t.write(name, "version: 1\n"+content) }

func (t *tree) load(more ...config.File) *Policy {
	if err := os.MkdirAll(t.path("w/app"), 0o755); err != nil {
		t.Fatal(err)
	}
	return Load(t.Place, t.path("w/app"), more...)
}

// verdict decides a command in w/app.
func (t *tree) verdict(p *Policy, command string) string {
	t.Helper()
	e, err := p.Engine(nil)
	if err != nil {
		t.Fatal(err)
	}
	return t.decide(e, command)
}

func (t *tree) decide(e *policy.Engine, command string) string {
	t.Helper()
	v, err := e.Decide(context.Background(), &policy.Session{}, &policy.Call{
		Tool: "shell", Input: map[string]any{"command": command}, Dir: t.path("w/app"), Home: t.Home,
	})
	if err != nil {
		t.Fatal(err)
	}
	return v.Decision.String()
}

const (
	allowMake = "permissions: {\"shell make *\": allow}\n"
	denyMake  = "permissions: {\"shell make *\": deny}\n"
	askMake   = "permissions: {\"shell make *\": ask}\n"
	skip      = "approvals: {mode: skip}\nsecurity: {confirm_policy: dangerous_only}\n"
	manual    = "approvals: {mode: manual}\nsecurity: {confirm_policy: confirm_all}\n"
)

// ruleMake returns a policy with a rule for make.
func ruleMake(id, decision string, priority int) string {
	return fmt.Sprintf("rules: [{id: %s, when: {shell.program: make}, decision: %s, priority: %d}]\n", id, decision, priority)
}

// TestPrecedence decides "make x" under files by their short names.
func TestPrecedence(t *testing.T) {
	for _, c := range []struct{ want, what, managed, user, outer, inner, set string }{
		{"ask", "nothing", "", "", "", "", ""},
		{"allow", "the person allows", "", allowMake, "", "", ""},
		{"allow", "the organisation allows", allowMake, "", "", "", ""},
		{"ask", "a project may not allow", "", "", allowMake, "", ""},
		{"ask", "nor one further in", "", "", "", allowMake, ""},
		{"deny", "the organisation denies", denyMake, allowMake, "", "", ""},
		{"deny", "a project denies", "", allowMake, denyMake, "", ""},
		{"deny", "one further in cannot undo it", "", allowMake, denyMake, allowMake, ""},
		{"deny", "nor the command line", "", "", denyMake, "", `permissions={"shell make *": allow}`},
		{"ask", "a project asks", "", allowMake, "", askMake, ""},
		{"deny", "a rule of a project denies", "", allowMake, ruleMake("a", "deny", 0), "", ""},
		{"deny", "a rule further in cannot undo it", "", allowMake, ruleMake("a", "deny", 0), ruleMake("b", "require_human", 9), ""},
		{"deny", "one further out either", "", allowMake, ruleMake("a", "require_human", 9), ruleMake("b", "deny", 0), ""},
		{"allow", "the person skips", "", skip, "", "", ""},
		{"ask", "a project asks again", "", skip, manual, "", ""},
		{"ask", "one further in cannot undo that", "", skip, manual, skip, ""},
		{"ask", "one further out either", "", skip, skip, manual, ""},
		{"ask", "a project may not skip", "", "", skip, skip, ""},
		{"ask", "the organisation locks", "locked: [approvals, security]\n", skip, "", "", ""},
		{"ask", "the command line cannot undo a lock", "locked: [approvals, security]\n", "", "", "", "security.confirm_policy=dangerous_only"},
		{"allow", "the command line", "", "", "", "", "security.confirm_policy=dangerous_only"},
	} {
		tr := newTree(t)
		for name, content := range map[string]string{managedFile: c.managed, userFile: c.user, outerFile: c.outer, innerFile: c.inner} {
			if content != "" {
				tr.policy(name, content)
			}
		}
		var more []config.File
		if c.set != "" {
			more = append(more, config.Assign(config.Flag, "--set", c.set, config.Everything))
		}
		p := tr.load(more...)
		if got := tr.verdict(p, "make x"); got != c.want || p.Err != nil {
			t.Errorf("%s: %s, want %s (%v)", c.what, got, c.want, p.Err)
		}
	}
}

// Patterns that differ in case only stay two, in each layer.
func TestCaseIsKept(t *testing.T) {
	for _, name := range []string{managedFile, userFile, outerFile, innerFile} {
		for _, content := range []string{
			"permissions:\n  \"shell git *\": deny\n  \"shell Git *\": allow\n",
			"permissions:\n  \"shell GIT *\": allow\n  \"shell git *\": deny\n",
		} {
			tr := newTree(t)
			tr.policy(name, content)
			p := tr.load()
			if got := tr.verdict(p, "git push"); got != "deny" {
				t.Errorf("%s: %s (%v)", name, got, p.Err)
			}
		}
	}
}

// A file that is wrong leaves the floor and asks, whichever it is and whatever
// the others say.
func TestBroken(t *testing.T) {
	for _, name := range []string{managedFile, "etc/policy.d/10-more.yaml", userFile, outerFile, innerFile} {
		for what, spoil := range map[string]func(tr *tree){
			"unknown key":   func(tr *tree) { tr.policy(name, "aprovals: {}\n") },
			"empty":         func(tr *tree) { tr.write(name, "") },
			"not UTF-8":     func(tr *tree) { tr.policy(name, "permissions: {\"shell \xff\": deny}\n") },
			"6 MB":          func(tr *tree) { tr.policy(name, "#"+strings.Repeat("x", 6<<20)+"\n") },
			"a directory":   func(tr *tree) { tr.write(name+"/x", "") },
			"a pipe":        func(tr *tree) { tr.write(name, ""); makePipe(tr, tr.path(name)) },
			"a device":      func(tr *tree) { tr.link(name, "/dev/zero") },
			"a broken link": func(tr *tree) { tr.link(name, "/does/not/exist") },
			"unreadable":    func(tr *tree) { tr.forbid(name) },
		} {
			tr := newTree(t)
			if name != userFile {
				tr.policy(userFile, skip+allowMake)
			}
			spoil(tr)
			if what == "unreadable" && os.Getuid() == 0 {
				continue // root reads everything
			}
			p := tr.load()
			if p.Err == nil || !strings.Contains(p.Err.Error(), tr.path(name)) {
				t.Errorf("%s, %s: the error names no file: %v", name, what, p.Err)
			}
			if ls, make, floor := tr.verdict(p, "ls"), tr.verdict(p, "make x"), tr.verdict(p, "rm -rf ~"); ls != "ask" || make != "ask" || floor != "deny" {
				t.Errorf("%s, %s: ls %s, make %s, the floor %s", name, what, ls, make, floor)
			}
		}
	}
}

// What is said of a wrong file quotes it, so a repository may not have a link to
// any file for its policy.
func TestLinkOutOfProject(t *testing.T) {
	for _, row := range []struct{ what, to, want string }{
		{"a relative link out", "../../../secret", "leaves the project"},
		{"an absolute link", "/etc/passwd", "leaves the project"},
		{"a link within", "../team.yaml", ""},
		{"a link to nowhere", "../nowhere.yaml", "broken link"},
		{"a link to itself", "policy.yaml", "symbolic links"},
	} {
		tr := newTree(t)
		tr.write("secret", "machine git.example password hunter2\n")
		tr.policy("w/app/team.yaml", denyMake)
		tr.link(innerFile, row.to)
		p := tr.load()
		switch text := fmt.Sprint(p.Err); {
		case row.want == "" && p.Err != nil, !strings.Contains(text, row.want), strings.Contains(text, "hunter2"):
			t.Errorf("%s: %s", row.what, text)
		}
	}
	tr := newTree(t)
	tr.policy("shared/policy.yaml", denyMake)
	tr.link("w/app/.policyctl", tr.path("shared"))
	if p := tr.load(); p.Err == nil {
		t.Error("a linked directory is read")
	}
}

func (t *tree) link(name, to string) {
	path := t.write(name, "")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func (t *tree) forbid(name string) {
	if err := os.Chmod(t.policy(name, ""), 0); err != nil {
		t.Fatal(err)
	}
}

// The directory of further policies is no more optional than they are.
func TestManagedFolder(t *testing.T) {
	tr := newTree(t)
	tr.policy("etc/policy.d/20-b.yaml", allowMake)
	tr.policy("etc/policy.d/10-a.yaml", denyMake)
	tr.policy("etc/policy.d/README.md", "what: ever\n")
	tr.policy("etc/policy.d/.10-a.yaml.swp.yaml", "what: ever\n")
	p := tr.load()
	var names []string
	for _, s := range p.Sources {
		names = append(names, filepath.Base(s.Path))
	}
	if got := fmt.Sprint(names); got != "[10-a.yaml 20-b.yaml]" || p.Err != nil {
		t.Errorf("%s, %v", got, p.Err)
	}
	if got := tr.verdict(p, "make x"); got != "deny" {
		t.Error(got)
	}
}

// A file in the place of a directory is no policy.
func TestNoDirectory(t *testing.T) {
	tr := newTree(t)
	tr.write("w/.policyctl", "")
	tr.write("home/.config", "")
	tr.write("etc", "")
	if p := tr.load(); p.Err != nil || len(p.Sources) != 0 {
		t.Errorf("%v, %v", p.Sources, p.Err)
	}
}

// The policy of a project holds behind a link to it, and nothing that is
// called a directory keeps us busy.
func TestAbove(t *testing.T) {
	tr := newTree(t)
	tr.policy(outerFile, denyMake)
	tr.policy(innerFile, "")
	tr.link("elsewhere/link", tr.path("w/app"))
	deep := tr.path("w/app" + strings.Repeat("/d", 100))
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	outer, both := tr.path(outerFile), tr.path(outerFile)+" "+tr.path(innerFile)
	for dir, want := range map[string]string{
		tr.path("w"):                      outer,
		tr.path("w/app"):                  both,
		tr.path("w/app/x/y"):              both,
		tr.path("elsewhere/link"):         both,
		deep:                              both,
		tr.path("elsewhere"):              "",
		"/":                               "",
		"w/app":                           "",
		"":                                "",
		strings.Repeat("/x", 5e6):         "",
		tr.path("elsewhere/link/n"):       both,
		tr.path("elsewhere/link") + "/..": outer,
		tr.path("w/app") + "/../y":        outer,
	} {
		var found []string
		for _, at := range above(dir) {
			found = append(found, policyIn(at)...)
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%.60q: %q, want %q", dir, got, want)
		}
	}
}

// Off reads nothing and protects all the same.
func TestOff(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, allowMake)
	tr.policy(outerFile, denyMake)
	tr.Off = true
	p := tr.load()
	if got := tr.verdict(p, "make x"); got != "ask" || len(p.Sources) > 0 {
		t.Errorf("%s, %v", got, p.Sources)
	}
	if got := tr.verdict(p, "rm "+tr.path(userFile)); got != "deny" {
		t.Error(got)
	}
}

// No call changes where the policy lies, by whatever name.
func TestProtects(t *testing.T) {
	for _, spoiled := range []string{"", "aprovals: {}\n"} {
		tr := newTree(t)
		tr.policy("dotfiles/policyctl/policy.yaml", skip+spoiled)
		tr.link("home/.config/policyctl", tr.path("dotfiles/policyctl"))
		for _, name := range []string{"etc/policy.yaml", userFile, "dotfiles/policyctl/policy.yaml", "home/.local/state/policyctl/trust.json"} {
			if got := tr.verdict(tr.load(), "echo x > "+tr.path(name)); got != "deny" {
				t.Errorf("%q, %s: %s", spoiled, name, got)
			}
		}
		if got := tr.verdict(tr.load(), "echo x > "+tr.path("w/app/policy.yaml")); got == "deny" {
			t.Error("another file is denied too")
		}
	}
}

// The directory that the environment names only tightens.
func TestShadow(t *testing.T) {
	for want, content := range map[string]string{"ask": skip + allowMake, "deny": denyMake} {
		tr := newTree(t)
		tr.policy("xdg/policyctl/policy.yaml", content)
		managed := tr.Managed
		tr.Place = Fixed(tr.Home, tr.path("xdg"))
		tr.Managed = managed
		if got := tr.verdict(tr.load(), "make x"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
