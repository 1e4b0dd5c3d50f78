package policy_test

import (
	"context"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A testWorld has links, by the path at which they lie, and one repository.
type testWorld struct {
	links    map[string]string
	programs []string
	top      string
	files    []string
}

func (w testWorld) GitPrograms(string) ([]string, bool) { return w.programs, true }

func (w testWorld) GitDirs(string) ([]string, bool) { return []string{w.top, w.top + "/.git"}, true }

func (w testWorld) RealPath(path string) (string, bool) {
	real := ""
	for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		switch part {
		case "", ".":
			continue
		case "..":
			real = real[:max(0, strings.LastIndexByte(real, '/'))]
			continue
		}
		real += "/" + part
		if to, ok := w.links[real]; ok {
			real = to
		}
	}
	return real, real != "/lost"
}

func (w testWorld) Below(dir string, visit func(string, fs.FileMode) error) bool {
	for _, file := range w.files {
		path, left := strings.TrimSuffix(dir, "/"), strings.Split(strings.Trim(strings.TrimPrefix(file, dir), "/"), "/")
		for i, name := range left {
			typ := fs.ModeDir
			if i == len(left)-1 {
				typ = 0
			}
			if path += "/" + name; strings.HasPrefix(file, path) && visit(path, typ) != nil {
				break
			}
		}
	}
	return true
}

// Links returns where the links lead that a pattern matches as a whole.
func (w testWorld) Links(pattern string) ([]string, bool) {
	var reals []string
	for at := range w.links {
		if below, _ := path.Match(path.Dir(pattern), at); below {
			reals = append(reals, w.links[at]+"/"+path.Base(pattern))
		}
		if ok, _ := path.Match(pattern, at); ok {
			reals = append(reals, w.links[at])
		}
	}
	return reals, true
}

const session = "/home/dev/.agent/s1"

// spaced returns an engine with safe spaces, blanks between them, and a policy's
// audience.
func spaced(t testing.TB, list string, audience policy.Audience, w policy.World) *policy.Engine {
	t.Helper()
	s := policy.Defaults()
	for dir := range strings.FieldsSeq(list) {
		s.SafeSpaces = append(s.SafeSpaces, policy.Entry{Text: dir})
	}
	s.Audience = audience
	e, err := policy.New(s, policy.Options{Revision: "test", World: w})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSafeSpaces(t *testing.T) {
	world := testWorld{top: project, links: map[string]string{
		project + "/out": "/etc", project + "/in": project + "/sub", project + "/lost": "/lost", "/home/dev/way": project,
	}}
	const both = "session project"
	rows := []struct {
		want     string
		spaces   string
		audience policy.Audience // of the call
		command  string
	}{
		{"allow readonly", "", policy.Personal, "cat /etc/hosts"},
		{"allow readonly", both, policy.Personal, "cat main.go | head"},
		{"allow readonly", both, policy.Personal, "ls -la sub && git status"},
		{"allow readonly", both, policy.Personal, "cat " + session + "/notes"},
		{"allow readonly", both, policy.Personal, "cat in/f"},
		{"allow readonly", "/home/dev", policy.Personal, "ls .."},
		{"allow readonly", "~/project", policy.Personal, "ls"},
		{"allow readonly", "/", policy.Personal, "cat /etc/hosts"},
		{"allow readonly", "", policy.Team, "ls; cat " + session + "/notes"},
		{"allow readonly", "", policy.Public, "cat " + session + "/notes"},
		{"ask confirm safe-space", "", policy.Public, "cd " + session + " && cat notes"}, // if cd fails, it reads in the project
		{"ask confirm safe-space", both, policy.Personal, "cat /etc/hosts"},
		{"ask confirm safe-space", both, policy.Personal, "ls .."},
		{"ask confirm safe-space", both, policy.Personal, "ls && cat main.go ../other/f"},
		{"ask confirm safe-space", both, policy.Personal, "cat out/hosts"},
		{"ask confirm safe-space", both, policy.Personal, "cat out/../shadow.txt"},
		{"ask confirm safe-space", both, policy.Personal, "cat in/../../f"},
		{"ask confirm safe-space", both, policy.Personal, "cat lost"},
		{"ask confirm safe-space", both, policy.Personal, "cat /home/dev/way/f"}, // the link itself lies outside
		{"ask confirm safe-space", both, policy.Personal, "cat < /etc/hosts"},
		{"ask confirm safe-space", both, policy.Personal, "grep -r x " + project + "2"},
		{"ask confirm safe-space", "session", policy.Personal, "ls"},
		{"ask confirm safe-space", "/home/dev/docs", policy.Team, "ls"},
		{"ask confirm safe-space", "/home/dev/docs", policy.Team, "ls /home/dev/docs"},
		{"ask confirm safe-space", "", policy.Team, "cat /etc/hosts"},
		{"ask confirm safe-space", "", policy.Public, "cat main.go"},
		{"ask confirm safe-space", "", policy.Public, "git log"},
		{"ask confirm", both, policy.Personal, "cat /etc/hosts && make"}, // not only because of the space
		{"ask confirm", both, policy.Personal, "make && cat /etc/hosts"},
		{"allow readonly", "", policy.Public, "echo hello; date; true"},
	}
	for _, r := range rows {
		c := call(r.command)
		c.ProjectDir, c.SessionDir, c.Audience = project, session, r.audience
		v := decide(t, spaced(t, r.spaces, policy.Personal, world), nil, c)
		if got := strings.TrimSpace(brief(v) + " " + v.Rule); got != r.want {
			t.Errorf("%q %s %q: got %s (%s), want %s", r.spaces, r.audience, r.command, got, v.Why, r.want)
		}
	}
}

// TestSafeSpacesUnknown shows that what is unknown is not proved: no World,
// no directory of the session or the project.
func TestSafeSpacesUnknown(t *testing.T) {
	c := call("ls")
	c.ProjectDir = project
	for _, r := range []struct {
		want     string
		world    policy.World
		project  string
		audience policy.Audience
	}{
		{"allow readonly", testWorld{}, project, policy.Personal},
		{"ask confirm", nil, project, policy.Personal},
		{"ask confirm", testWorld{}, "", policy.Personal},
		{"ask confirm", testWorld{}, "relative", policy.Personal},
		{"ask confirm", testWorld{links: map[string]string{project: "/lost"}}, project, policy.Personal},
		{"allow readonly", testWorld{links: map[string]string{project: "/mnt/p"}}, project, policy.Personal},
		{"ask confirm", testWorld{}, project, policy.Public},
		{"ask confirm", testWorld{}, project, 9},
	} {
		c.ProjectDir, c.Audience = r.project, r.audience
		if got := brief(decide(t, spaced(t, "project", 0, r.world), nil, c)); got != r.want {
			t.Errorf("%+v: got %s", r, got)
		}
	}
}

// TestAudience shows that the wider audience of the policy and the call counts.
func TestAudience(t *testing.T) {
	for _, r := range []struct {
		want        string
		policy, who policy.Audience
	}{
		{"allow readonly", policy.Personal, policy.Team},
		{"allow readonly", policy.Team, policy.Personal},
		{"ask confirm", policy.Public, policy.Personal},
		{"ask confirm", policy.Team, policy.Public},
	} {
		c := call("ls")
		c.ProjectDir, c.SessionDir, c.Audience = project, session, r.who
		if got := brief(decide(t, spaced(t, "", r.policy, testWorld{}), nil, c)); got != r.want {
			t.Errorf("policy %s, call %s: got %s, want %s", r.policy, r.who, got, r.want)
		}
	}
}

// TestOutsideText shows what people and the model read.
func TestOutsideText(t *testing.T) {
	c := call("ls && cat /etc/hosts")
	v := decide(t, spaced(t, "project", 0, testWorld{}), nil, c)
	want := "This shell call needs an approval: /home/dev/project lies outside the safe spaces. It runs once somebody approves it." +
		" If it belongs to the project, declare the project directory first."
	if got := v.Message(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c.ProjectDir = project
	v = decide(t, spaced(t, "project", 0, testWorld{}), nil, c)
	want = "This shell call needs an approval: /etc/hosts lies outside the safe spaces. It runs once somebody approves it." +
		" Read in the project or the session directory instead, or declare the session directory first."
	if got := v.Message(); got != want || v.Span == nil || v.Span.From != 10 {
		t.Errorf("got %q at %v, want %q", got, v.Span, want)
	}
}

// TestReadTool shows that a tool that reads gets the answer of cat.
func TestReadTool(t *testing.T) {
	e := spaced(t, "project", 0, testWorld{links: map[string]string{project + "/out": "/etc"}})
	for path, want := range map[string]string{
		"main.go": "allow mode", project + "/f": "allow mode", "/etc/hosts": "ask mode", "out/hosts": "ask mode", "../x": "ask mode", "~/project/f": "allow mode",
	} {
		c := &policy.Call{Tool: "read", Input: map[string]any{"file_path": path}, Dir: project, Home: home, ProjectDir: project}
		if v := decide(t, e, nil, c); brief(v) != want {
			t.Errorf("%s: got %s (%s), want %s", path, brief(v), v.Why, want)
		}
	}
}

// TestGitWorld shows that git is proved by what the World says, and not where
// a link leaves open which directory ".." is.
func TestGitWorld(t *testing.T) {
	linked := testWorld{top: project, links: map[string]string{project: "/mnt/p"}}
	for _, r := range []struct {
		want    string
		world   policy.World
		command string
	}{
		{"allow readonly", testWorld{}, "git status && git -C sub log"},
		{"allow readonly", testWorld{}, "cd .. && git status"},
		{"ask confirm", nil, "git status"},
		{"allow readonly", nil, "git log"},
		{"ask confirm", testWorld{programs: []string{"core.fsmonitor"}}, "git status"},
		{"allow readonly", testWorld{programs: []string{"core.fsmonitor"}}, "git log"},
		{"ask confirm", testWorld{programs: []string{"core.pager"}}, "git log"},
		{"allow readonly", linked, "cd sub && git status"},
		{"ask confirm", linked, "cd .. && git status"},
		{"ask confirm", linked, "cd ../x; git log"},
	} {
		if got := brief(decide(t, spaced(t, "", 0, r.world), nil, call(r.command))); got != r.want {
			t.Errorf("%q: got %s, want %s", r.command, got, r.want)
		}
	}
}

// BenchmarkSpaces compares a decision with safe spaces and without.
func BenchmarkSpaces(b *testing.B) {
	for name, list := range map[string]string{"none": "", "project": "project"} {
		b.Run(name, func(b *testing.B) {
			e := spaced(b, list, 0, testWorld{})
			c := call("ls -la && cat main.go | head -5")
			c.ProjectDir = project
			b.ReportAllocs()
			for b.Loop() {
				if v, err := e.Decide(context.Background(), nil, c); err != nil || v.Decision != policy.Allow {
					b.Fatal(v, err)
				}
			}
		})
	}
}

// TestSecretBelow shows that a search over a directory with a secret asks, and
// says which file it is; where the call leaves a directory behind a link, what
// lies below is unknown.
func TestSecretBelow(t *testing.T) {
	world := testWorld{top: project, files: []string{project + "/main.go", project + "/deploy/prod.env"}}
	e := spaced(t, "", policy.Personal, world)
	for _, r := range []struct{ want, why, line string }{
		{"ask confirm", "it would read /home/dev/project/deploy/prod.env, which holds the secrets of an environment", "grep -rn x ."},
		{"ask confirm", "it would read /home/dev/project/deploy/prod.env, which holds the secrets of an environment", "ls && rg x | head"},
		{"ask confirm", "it would read /home/dev/project/deploy/prod.env, which holds the secrets of an environment", "cd deploy && cat *"},
		{"allow readonly", "it only reads", "rg -g '*.go' x"},
		{"allow readonly", "it only reads", "grep -rn --exclude-dir=deploy x ."},
	} {
		if v := decide(t, e, nil, call(r.line)); brief(v) != r.want || v.Why != r.why {
			t.Errorf("%s: %s because %s, want %s because %s", r.line, brief(v), v.Why, r.want, r.why)
		}
	}
}
