package grant_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

const (
	home = "/home/dev"
	app  = "/home/dev/app"
)

// A testWorld has links, by the path at which they lie.
type testWorld map[string]string

func (testWorld) GitPrograms(string) ([]string, bool) { return nil, true }

func (testWorld) GitDirs(dir string) ([]string, bool) { return []string{dir}, true }

func (testWorld) Below(string, func(string, fs.FileMode) error) bool { return false }

func (w testWorld) RealPath(path string) (string, bool) {
	real, ok := "", strings.HasPrefix(path, "/")
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "", ".":
			continue
		case "..":
			real = real[:max(0, strings.LastIndexByte(real, '/'))]
			continue
		}
		real += "/" + part
		if to, found := w[real]; found {
			real = to
		}
		ok = ok && real != "/lost" && len(part) <= 255
	}
	if real == "" {
		real = "/"
	}
	return real, ok
}

func (testWorld) Links(string) ([]string, bool) { return nil, true }

// longest is the longest name that a file can have.
var longest = strings.Repeat("l", 255)

// clock stands still.
func clock() time.Time { return start }

var machine = testWorld{
	app + "/out": "/etc", app + "/in": app + "/src", app + "/rc": home + "/.bashrc", app + "/lost": "/lost", app + "/src/etc": "/etc", app + "/fetch": "/etc",
	home + "/way": app, app + "/" + longest: "/etc",
}

// A desk decides calls under settings with what is stored.
type desk struct {
	t        testing.TB
	settings policy.Settings
	entries  []grant.Entry
	dir      string
	session  string
	sources  []policy.Source
}

func newDesk(t testing.TB, permissions ...policy.Permission) *desk {
	s := policy.Defaults()
	s.Permissions = permissions
	return &desk{t: t, settings: s, dir: app, session: "s1"}
}

func (d *desk) engine() *policy.Engine {
	d.t.Helper()
	e, err := policy.New(d.settings, policy.Options{World: machine, Grants: grant.NewSet(d.entries, machine, clock), Sources: d.sources})
	if err != nil {
		d.t.Fatal(err)
	}
	return e
}

func (d *desk) call(line string) *policy.Call {
	c := policy.Shell(line, d.dir)
	c.Home, c.Session, c.Agent = home, d.session, "claude"
	return c
}

func (d *desk) explain(c *policy.Call) policy.Explanation {
	d.t.Helper()
	x, err := d.engine().Explain(context.Background(), &policy.Session{}, c)
	if err != nil {
		d.t.Fatal(err)
	}
	return x
}

// decide returns the decision, which must be the same with and without an
// explanation.
func (d *desk) decide(c *policy.Call) policy.Verdict {
	d.t.Helper()
	v, err := d.engine().Decide(context.Background(), &policy.Session{}, c)
	if err != nil {
		d.t.Fatal(err)
	}
	if x := d.explain(c); x.Decision != v.Decision || x.Stage != v.Stage || x.Rule != v.Rule {
		d.t.Errorf("%v: decided %s %s %s, explained %s %s %s", c.Input, v.Decision, v.Stage, v.Rule, x.Decision, x.Stage, x.Rule)
	}
	return v
}

// propose returns the texts of what a click would store, or why it stores
// nothing.
func (d *desk) propose(c *policy.Call, scope grant.Scope) ([]grant.Entry, string) {
	d.t.Helper()
	x := d.explain(c)
	return grant.Propose(&x, scope, machine)
}

func texts(entries []grant.Entry) string {
	var out []string
	for i := range entries {
		out = append(out, entries[i].Text())
	}
	return strings.Join(out, "; ")
}

// here returns entries such as "git commit in /home/dev/app", several with
// semicolons between them.
func here(t testing.TB, list string) []grant.Entry {
	t.Helper()
	var out []grant.Entry
	for text := range strings.SplitSeq(list, "; ") {
		if text == "" {
			continue
		}
		e := grant.Entry{Tool: "shell", Scope: grant.Anywhere, By: "test"}
		if verb, ok := strings.CutSuffix(text, " anywhere"); ok {
			e.Verb = verb
		} else {
			e.Verb, e.Dir, _ = strings.Cut(text, " in ")
			e.Scope = grant.Here
		}
		if err := e.Validate(); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}
