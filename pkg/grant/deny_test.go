package grant_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// denials returns entries that deny, as [here] returns those that allow.
func denials(t testing.TB, list string) []grant.Entry {
	t.Helper()
	var out []grant.Entry
	for text := range strings.SplitSeq(list, "; ") {
		e := grant.Entry{Effect: grant.Denies, Tool: "shell", Scope: grant.Anywhere, By: "token:ada", Created: start}
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

// TestDenied shows what stored denials deny, also under yolo, and what they leave alone.
func TestDenied(t *testing.T) {
	const (
		force = "git push --force in /home/dev/app"
		npm   = "npm install anywhere"
		rm    = "rm -r in /home/dev/app"
	)
	for _, row := range []struct{ want, denial, dir, line string }{
		{"deny", force, app, "git push --force"},
		{"deny", force, app, "git push -f"},
		{"deny", force, app, "git push origin main --force"},
		{"deny", force, app, "git push origin +main"},
		{"deny", force, app, "git -c a.b=c push -uf origin main"},
		{"deny", force, app, "/usr/bin/git push --force"},
		{"deny", force, app, "g''it pu\"sh\" --force"},
		{"deny", force, app, "sudo -u root git push --force"},
		{"deny", force, app, "env A=b timeout 5 nice git push -f"},
		{"deny", force, app, "bash -c 'git push --force'"},
		{"deny", force, app, `eval "git push -f"`},
		{"deny", force, app, "f() { git push \"$@\"; }; f --force"},
		{"deny", force, app, "alias p='git push'; p --force"},
		{"deny", force, app, "true && (cd src; git push --force) | cat"},
		{"deny", force, app, "if true; then git push -f; fi"},
		{"deny", force, app, "for b in a b; do git push -f origin $b; done"},
		{"deny", force, app, "echo main | xargs git push --force origin"},
		{"deny", force, app, "find . -name x -exec git push --force ';'"},
		{"deny", force, app, `python3 -c "import subprocess; subprocess.run(['git', 'push', '--force'])"`},
		{"deny", force, app + "/src", "git push --force"},
		{"deny", force, home + "/way", "git push --force"},
		{"deny", force, home, "git -C app push --force"},
		{"deny", force, home, "git -C /home/dev/app push --force"},
		{"deny", force, home, "git -C /home/dev/way push --force"},
		{"deny", force, home, "cd app && git push --force"},
		{"deny", force, home, "git --git-dir=/home/dev/app/.git push --force"},
		{"deny", force, home, "GIT_DIR=/home/dev/app/.git git push --force"},
		{"deny", force, home, "pushd app; git push -f; popd"},
		{"deny", force, home, "env -C app git push -f"},
		{"deny", force, home, "bash -c 'cd app && git push -f'"},
		{"notallow", force, home, "git -C \"$WHERE\" push --force"},
		{"deny", rm, home, "rm -r app"},
		{"deny", "rm -r in /home/dev/x/other", app, "rm -r ../x"},
		{"deny", rm, home, "rm -rf app/src"},
		{"deny", rm, home, "rm -rf way/src"},
		{"deny", rm, app, "rm --recursive build"},
		{"deny", npm, "/srv/x", "npm i left-pad"},
		{"deny", npm, app, "npm --silent install"},
		{"deny", npm, app, "npx npm install"},

		{"allow", force, app, "git push"},
		{"allow", force, app, "git push origin main"},
		{"allow", force, app, "git push --force-with-lease"},
		{"allow", force, app, "git log --force"},
		{"allow", force, app, "echo git push --force"},
		{"allow", force, app, "git commit -m 'git push --force'"},
		{"allow", force, home + "/other", "git push --force"},
		{"allow", force, home, "git -C other push --force"},
		{"allow", force, home + "/app2", "git push --force"},
		{"allow", npm, app, "npm run install"},
		{"allow", npm, app, "npm test"},
		{"allow", rm, app, "rm notes.txt"},
		{"allow", rm, home + "/other", "rm -r build"},
	} {
		d := newDesk(t)
		d.settings.Yolo = true
		d.entries, d.dir = denials(t, row.denial), row.dir
		v := d.decide(d.call(row.line))
		if got := v.Decision.String(); got != row.want && (row.want != "notallow" || got == "allow") {
			t.Errorf("%s: in %s: %s: %s, want %s (%s, %s)", row.denial, row.dir, row.line, got, row.want, v.Stage, v.Why)
			continue
		}
		if row.want == "deny" && (v.Stage != policy.StagePermissionDeny || v.Rule != "deny "+row.denial || v.Origin.String() != "approvals" ||
			v.Why != "denied always by token:ada at 2026-05-01 12:00:00Z") {
			t.Errorf("%s: %s: %s: %q, %q, %q", row.denial, row.line, v.Stage, v.Rule, v.Origin, v.Why)
		}
	}
}

// TestDeniedCorpus judges the lines of testdata/denied.txt.
func TestDeniedCorpus(t *testing.T) {
	text, err := os.ReadFile("testdata/denied.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		want, rest, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !found {
			continue
		}
		denial, command, _ := strings.Cut(rest, "\t")
		d := newDesk(t)
		d.settings.Yolo = true
		d.entries = denials(t, denial)
		rows++
		v := d.decide(d.call(command))
		if got := v.Decision.String(); got != want && (want != "notallow" || got == "allow") {
			t.Errorf("%s: %s: %s, want %s (%s, %s)", denial, command, got, want, v.Stage, v.Why)
		}
	}
	if rows < 200 {
		t.Errorf("%d lines", rows)
	}
}

// TestDeniedBeforeGranted shows that no grant and no permission allows what is denied.
func TestDeniedBeforeGranted(t *testing.T) {
	d := newDesk(t, policy.Permission{Match: "shell git commit *", Action: policy.Allow})
	d.entries = append(here(t, "git commit anywhere"), denials(t, "git commit anywhere")...)
	if v := d.decide(d.call("git commit -m x")); v.Decision != policy.Deny {
		t.Errorf("%s by %s", v.Decision, v.Rule)
	}
}

// TestProposeDenial shows what a denial stores, and that it then denies the call.
func TestProposeDenial(t *testing.T) {
	for _, row := range []struct {
		scope grant.Scope
		line  string
		want  string // "!" before why there is none
	}{
		{grant.Here, "git push --force", "deny git push --force in /home/dev/app"},
		{grant.Here, "git push -u origin main -f", "deny git push -f in /home/dev/app"},
		{grant.Anywhere, "git push origin main", "deny git push anywhere"},
		{grant.Session, "npm install left-pad", "deny npm install in /home/dev/app, in this session"},
		{grant.Here, "rm -rf build", "deny rm in /home/dev/app"},
		{grant.Here, "git reset -q --hard HEAD~1", "deny git reset --hard in /home/dev/app"},
		{grant.Here, "cd src && npm install && npm run build", "deny npm install in /home/dev/app/src"},
		{grant.Anywhere, "timeout 5 make x", "deny make anywhere"},
		{grant.Here, "for i in a b; do make $i; done", "deny make in /home/dev/app"},
		{grant.Here, "bash -c 'make x'", "deny make in /home/dev/app"},
		{grant.Here, "./deploy.sh x", "deny deploy.sh in /home/dev/app"},
		{grant.Here, "git commit -m 'git push --force'", "deny git commit in /home/dev/app"},
		{grant.Here, "\"$1\" x", "!its program is not a plain name"},
		{grant.Once, "make x", "!a denial of one call stores nothing"},
	} {
		d := newDesk(t)
		x := d.explain(d.call(row.line))
		e, why := grant.ProposeDenial(&x, row.scope, machine)
		got := e.Text()
		if why != "" {
			got = "!" + why
		}
		if got != row.want {
			t.Errorf("%s: %s: %q, want %q", row.line, row.scope, got, row.want)
			continue
		}
		if why != "" {
			continue
		}
		e.By, e.Created = "token:ada", start
		d.entries = []grant.Entry{e}
		if v := d.decide(d.call(row.line)); v.Decision != policy.Deny || v.Rule != e.String() {
			t.Errorf("%s: %s by %q", row.line, v.Decision, v.Rule)
		}
	}
}

// TestProposeToolDenial shows what is denied of tools other than the shell.
func TestProposeToolDenial(t *testing.T) {
	for _, row := range []struct {
		tool   string
		input  map[string]any
		scope  grant.Scope
		want   string
		denied []*policy.Call
		free   []*policy.Call
	}{
		{"Write", map[string]any{"file_path": app + "/go.mod", "content": "x"}, grant.Here, "deny write in /home/dev/app/go.mod",
			[]*policy.Call{policy.Shell("echo x > go.mod", app), policy.Shell("cp a app/go.mod", home), tool("Edit", "file_path", "go.mod")},
			[]*policy.Call{policy.Shell("echo x > go.sum", app), policy.Shell("cat go.mod", app), tool("Write", "file_path", "go.mod2")}},
		{"Write", map[string]any{"file_path": app + "/go.mod"}, grant.Anywhere, "!a file is denied where it is", nil, nil},
		{"WebFetch", map[string]any{"url": "https://evil.example.com/a?b"}, grant.Anywhere, "deny fetch anywhere, from evil.example.com",
			[]*policy.Call{tool("WebFetch", "url", "http://EVIL.example.com:80/"), policy.Shell("curl evil.example.com", app)},
			[]*policy.Call{tool("WebFetch", "url", "https://example.com/"), tool("WebFetch", "url", "https://a.org/?u=https://evil.example.com/")}},
		{"mcp__mail__send", map[string]any{"to": "x"}, grant.Here, "deny mcp__mail__send in /home/dev/app",
			[]*policy.Call{tool("mcp__mail__send", "to", "y")}, []*policy.Call{tool("mcp__mail__list", "to", "y")}},
	} {
		d := newDesk(t)
		c := &policy.Call{Tool: row.tool, Input: row.input, Dir: app, Home: home, Session: "s1", Agent: "claude"}
		x := d.explain(c)
		e, why := grant.ProposeDenial(&x, row.scope, machine)
		if got := e.Text(); why == "" && got != row.want || why != "" && "!"+why != row.want {
			t.Errorf("%s: %q, %q, want %q", row.tool, got, why, row.want)
		}
		if why != "" {
			continue
		}
		e.By, e.Created = "token:ada", start
		d.entries, d.settings.Yolo = []grant.Entry{e}, true
		for _, c := range append(row.denied, c) {
			if v := d.decide(c); v.Decision != policy.Deny {
				t.Errorf("%s: %v: %s", e.Text(), c.Input, v.Decision)
			}
		}
		for _, c := range row.free {
			if v := d.decide(c); v.Decision == policy.Deny {
				t.Errorf("%s: %v: %s by %s", e.Text(), c.Input, v.Decision, v.Rule)
			}
		}
	}
}

func tool(name, field, value string) *policy.Call {
	return &policy.Call{Tool: name, Input: map[string]any{field: value}, Dir: app, Home: home}
}

// TestDenialSession shows that the denial of a session is one of no other.
func TestDenialSession(t *testing.T) {
	d := newDesk(t)
	d.settings.Yolo = true
	x := d.explain(d.call("make x"))
	d.settings.Yolo = false
	x = d.explain(d.call("make x"))
	e, why := grant.ProposeDenial(&x, grant.Session, machine)
	if why != "" {
		t.Fatal(why)
	}
	e.By, e.Created = "token:ada", start
	d.entries, d.settings.Yolo = []grant.Entry{e}, true
	if v := d.decide(d.call("make y")); v.Decision != policy.Deny || !strings.HasPrefix(v.Why, "denied for this session by token:ada at ") {
		t.Errorf("%s: %s", v.Decision, v.Why)
	}
	d.session = "s2"
	if v := d.decide(d.call("make y")); v.Decision != policy.Allow {
		t.Errorf("another session: %s", v.Decision)
	}
}

// TestDenialEnds shows that a denial with an end ends, and one without does not.
func TestDenialEnds(t *testing.T) {
	now := start
	list := denials(t, "make anywhere; npm install anywhere")
	list[0].Until = start.Add(time.Hour)
	set := grant.NewSet(list, machine, func() time.Time { return now })
	for _, row := range []struct {
		at   time.Duration
		want int
	}{{0, 2}, {59 * time.Minute, 2}, {time.Hour, 1}, {10 * 365 * 24 * time.Hour, 1}} {
		now = start.Add(row.at)
		if got, err := set.Denials(); len(got) != row.want || err != nil {
			t.Errorf("after %s: %v, %v", row.at, got, err)
		}
	}
}

// TestDenialClock shows that a clock that is set back ends no denial, neither in a file nor in
// a set that is kept; approvals with an end then count no more.
func TestDenialClock(t *testing.T) {
	dir, now := t.TempDir(), start
	s := grant.NewStore(dir, func() time.Time { return now })
	list := append(denials(t, "make anywhere"), here(t, "npm test anywhere")...)
	for i := range list {
		list[i].Created, list[i].Until = start, start.Add(time.Hour)
	}
	if _, err := s.Add(list...); err != nil {
		t.Fatal(err)
	}
	set := grant.NewSet(list, machine, func() time.Time { return now })
	for _, row := range []struct {
		at   time.Duration
		want string
		held int
	}{{0, "deny make anywhere, until 2026-05-01 13:00:00Z; npm test anywhere, until 2026-05-01 13:00:00Z", 1}, {-24 * time.Hour, "deny make anywhere, until 2026-05-01 13:00:00Z", 1}, {time.Hour, "", 0}} {
		now = start.Add(row.at)
		entries, err := s.List()
		held, failed := set.Denials()
		if texts(entries) != row.want || len(held) != row.held || err != nil || failed != nil {
			t.Errorf("at %s: %q, %d held, %v, %v", row.at, texts(entries), len(held), err, failed)
		}
	}
}

// TestDenialNames shows what a denial may not name.
func TestDenialNames(t *testing.T) {
	for _, change := range []func(*grant.Entry){
		func(e *grant.Entry) { e.Verb = "" },
		func(e *grant.Entry) { e.Verb = "-f" },
		func(e *grant.Entry) { e.Verb = "git push *" },
		func(e *grant.Entry) { e.Verb = "git  push" },
		func(e *grant.Entry) { e.Verb = "git\npush" },
		func(e *grant.Entry) { e.Verb = "git \u202epush" },
		func(e *grant.Entry) { e.Verb = strings.Repeat("x", 201) },
		func(e *grant.Entry) { e.Uses = 1 },
		func(e *grant.Entry) { e.Rule = "r" },
		func(e *grant.Entry) { e.Effect = "refuse" },
		func(e *grant.Entry) { e.Limits = &grant.Limits{Hosts: []string{"a.org"}, MaxBytes: 1} },
		func(e *grant.Entry) { e.Limits = &grant.Limits{Recipients: []string{"a@a.org"}} },
	} {
		e := denials(t, "git push --force anywhere")[0]
		change(&e)
		if err := e.Validate(); err == nil {
			t.Errorf("%+v is valid", e)
		}
	}
}

// TestDenialFile shows that a file with denials is of a version that programs before
// refuse, and that one that cannot be read makes every call ask, until a person has
// looked at it.
func TestDenialFile(t *testing.T) {
	s, dir := newStore(t)
	name := filepath.Join(dir, grant.File)
	if _, err := s.Add(append(denials(t, "make anywhere"), here(t, "npm test anywhere")...)...); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(text), `"version": 4`) || strings.Count(string(text), `"effect"`) != 1 {
		t.Fatalf("%s, %v", text, err)
	}
	for _, change := range [][2]string{
		{`"effect": "deny"`, `"effect": "Deny"`},
		{`"effect": "deny"`, `"effect": "refuse"`},
		{`"effect": "deny"`, `"effect": 1`},
		{`"effect": "deny"`, `"effect": "deny", "uses": 3`},
		{`"version": 4`, `"version": 3`},
		{`"version": 4`, `"version": 2`},
		{`"version": 4`, `"version": 5`},
		{`"verb": "npm test"`, `"verb": "npm test *"`},
		{`"verb": "make"`, `"verb": ""`},
		{"]", ""},
	} {
		broken := strings.Replace(string(text), change[0], change[1], 1)
		if err := os.WriteFile(name, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		entries, err := s.List()
		if err == nil || len(entries) > 0 || !strings.Contains(err.Error(), "every call asks") {
			t.Errorf("%q: %v, %v", change, entries, err)
		}
		if _, err := s.Add(here(t, "go test anywhere")...); err == nil {
			t.Errorf("%q: something is stored over it", change)
		}
		if kept, _ := os.ReadFile(name); string(kept) != broken {
			t.Errorf("%q: the file was changed: %s", change, kept)
		}
		for _, yolo := range []bool{false, true} {
			settings := policy.Defaults()
			settings.Yolo, settings.Approval.OnTimeout = yolo, policy.Allow
			e, failed := policy.New(settings, policy.Options{World: machine, Grants: grant.NewSet(entries, machine, clock).Of(nil, err)})
			if failed != nil {
				t.Fatal(failed)
			}
			for _, line := range []string{"ls", "make", "npm test"} {
				v, _ := e.Decide(context.Background(), &policy.Session{}, policy.Shell(line, app))
				if v.Decision != policy.Ask || v.Rule != "approvals" || v.Ask.OnTimeout != policy.Deny {
					t.Errorf("%q: yolo %v: %s: %s by %q", change, yolo, line, v.Decision, v.Rule)
				}
			}
		}
	}
}

// TestDenialHeld shows which files that cannot be read stay where they are: those that may
// hold a denial.
func TestDenialHeld(t *testing.T) {
	const entry = `"verb":"make","scope":"anywhere","audience":"personal","tool":"shell","created":"2026-05-01T12:00:00Z","by":"x"`
	for text, held := range map[string]bool{
		`{"version":2,"entries":[{"effect":"no",` + entry + `}]}`: true,
		`{"version":2,"entries":[{"Deny":"no",` + entry + `}]}`:   true,
		`{"version":9,"entries":[{` + entry + `}]}`:               true,
		`{"version":2,"entries":[{"until":"no",` + entry + `}]}`:  false,
		`{"version":2,"entr`: false,
	} {
		s, dir := newStore(t)
		name := filepath.Join(dir, grant.File)
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		_, err := s.List()
		if kept, _ := os.ReadFile(name); (string(kept) == text) != held || err == nil {
			t.Errorf("%s: %q, %v", text, kept, err)
		}
	}
}

// TestLacking shows which errors of a store may hide denials.
func TestLacking(t *testing.T) {
	for _, row := range []struct {
		err  error
		asks bool
	}{{nil, false}, {errors.New("no disk"), true}, {&grant.AsideError{File: "x", Err: errors.New("x")}, false}} {
		if _, err := grant.NewSet(nil, machine, clock).Of(nil, row.err).Denials(); (err != nil) != row.asks {
			t.Errorf("%v: %v", row.err, err)
		}
	}
}
