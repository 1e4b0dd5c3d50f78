package grant_test

import (
	"context"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestPropose shows what each line stores, and that it then no longer asks.
func TestPropose(t *testing.T) {
	for _, tc := range []struct {
		want  string // texts, or after ! a part of the reason
		scope grant.Scope
		line  string
	}{
		{"git commit in /home/dev/app", grant.Here, "git commit -m x"},
		{"git commit anywhere", grant.Anywhere, "git commit -m x"},
		{"git commit in /home/dev/app, in this session", grant.Session, "git commit -m x"},
		{"!stores nothing", grant.Once, "git commit -m x"},
		{"npm run in /home/dev/app", grant.Here, "npm run build"},
		{"git stash push in /home/dev/app", grant.Here, "git stash push -m x"},
		{"git add in /home/dev/app; git commit in /home/dev/app", grant.Here, "git add -A && git commit -m x && git add b"},
		{"git commit in /home/dev/app", grant.Here, "cd /home/dev/app && git status && echo --- && git commit -m x && echo done"},
		{"npm test in /home/dev/app/web", grant.Here, "cd web && npm test"},
		{"npm test in /home/dev/app", grant.Here, "timeout 60 npm test 2>&1 | tail -5"},
		{"git fetch in /home/dev/app; git pull in /home/dev/app", grant.Here, "git fetch origin && git pull"},
		{"mytool in /home/dev/app/src", grant.Here, "mytool ./src --x"},
		{"mkdir in /home/dev/app/out2/a", grant.Here, "mkdir -p out2/a"},
		{"touch in /srv/data", grant.Here, "touch /srv/data/x.txt"},
		{"touch in /home/dev/app", grant.Here, "touch Makefile"},
		{"touch in /srv/data/x", grant.Here, "touch /srv/data/x/"},
		{"touch in /srv/data/x", grant.Here, "touch /srv/data/x/."},
		{"rm in /home/dev/app/src", grant.Here, "rm src/Makefile src/x"},
		{"hg commit in /home/dev/app", grant.Here, "hg commit -m 'a b'"},
		{"git commit in /home/dev/app", grant.Here, "git commit --message='see /etc'"},
		{"!talks to other hosts", grant.Here, "hg push"},
		{"!talks to other hosts", grant.Here, "composer require x"},
		{"!talks to other hosts", grant.Here, "pnpm audit"},
		{"!talks to other hosts", grant.Here, "pipenv lock"},
		{"!talks to other hosts", grant.Here, "uv sync"},
		{"uv venv in /home/dev/app", grant.Here, "uv venv"},
		{"!talks to other hosts", grant.Here, "neomutt a"},
		{"!more than the verb shows", grant.Here, "incus list"},
		{"!more than the verb shows", grant.Here, "pm2-runtime list"},
		{"!more than the verb shows", grant.Here, "red x"},
		{"!leave its directory", grant.Here, "tar -xPf a.tar"},
		{"!is code", grant.Here, "make 'X=$(shell evil)'"},
		{"!fetches what it runs", grant.Anywhere, "go run example.com/evil@latest"},
		{"!more than the verb shows", grant.Anywhere, "yarn workspace x dlx evil"},
		{"!more than the verb shows", grant.Anywhere, "rscript -e 'system(1)'"},
		{"cp in /home/dev/app", grant.Here, "cp src/a.go docs/b.go"},
		{"cp in /srv/data/a", grant.Here, "cp /srv/data/a/x.txt /srv/data/a/b/y.txt"},
		{"npm test in /home/dev/app", grant.Here, "npm test > out.log"},
		{"echo in /home/dev/app", grant.Here, "echo x > notes.txt"},
		{"!different directories", grant.Here, "cp /srv/data/a/x.txt /srv/data/b/y.txt"},
		{"cp anywhere", grant.Anywhere, "cp /srv/data/a/x.txt /srv/data/b/y.txt"},
		{"!different directories", grant.Here, "npm test > /srv/log/x.txt"},
		{"!holds too much", grant.Here, "touch /srv/x.txt"},
		{"touch in /srv, in this session", grant.Session, "touch /srv/x.txt"},
		{"!home directory", grant.Here, "touch ~/x.txt"},
		{"touch in /home/dev, in this session", grant.Session, "touch ~/x.txt"},
		{"!trust-verb", grant.Here, "git push"},
		{"curl anywhere, to example.com, up to 4 kB", grant.Anywhere, "curl https://example.com"},
		{"!trust-verb", grant.Here, "npm install left-pad"},
		{"!trust-verb", grant.Here, "git commit -m x && git push"},
		{"!rm -rf build: ", grant.Here, "git commit -m x && rm -rf build"},
		{"!interpreter", grant.Here, "python3 x.py"},
		{"!interpreter", grant.Here, "node -e 'x()'"},
		{"!runs another command", grant.Here, "bash -c 'git commit'"},
		{"!runs another command", grant.Here, "sudo make"},
		{"!runs another command", grant.Here, "env -u A make"},
		{"!unknown", grant.Here, "find . -name x -exec touch {} +"},
		{"!conditions, loops", grant.Here, "for i in 1 2; do make; done"},
		{"!unknown", grant.Here, "make \"$T\""},
		{"!unknown", grant.Here, "git add *.go"},
		{"!sets variables", grant.Here, "A=1 make"},
		{"make in /home/dev/app", grant.Here, "A=1 && make"},
		{"!assigns variables", grant.Here, "PATH=. && make"},
		{"!named by a path", grant.Here, "./build"},
		{"!more than the verb shows", grant.Here, "alias x=y"},
		{"!it changes what git", grant.Here, "cp x .git/hooks/pre-commit"},
		{"!it changes what runs", grant.Anywhere, "cp x ~/.bashrc"},
		{"!sensitive", grant.Anywhere, "git add .env"},
		{"!does not ask", grant.Here, "git status"},
		{"!does not ask", grant.Here, "rm -rf /"},
		{"!cannot be read", grant.Here, "make 'x"},
		{"!join them with &&", grant.Here, "cd web; npm test"},
		{"!a link", grant.Here, "cp a out/x"},
		{"!code", grant.Here, "jq -n input.x > y"},
	} {
		d := newDesk(t)
		entries, why := d.propose(d.call(tc.line), tc.scope)
		got := texts(entries)
		if reason, ok := strings.CutPrefix(tc.want, "!"); ok {
			if len(entries) > 0 || !strings.Contains(why, reason) {
				t.Errorf("%q stores %q, %q; want %q", tc.line, got, why, tc.want)
			}
			continue
		}
		if got != tc.want || why != "" {
			t.Errorf("%q stores %q, %q; want %q", tc.line, got, why, tc.want)
		}
		d.entries = entries
		if v := d.decide(d.call(tc.line)); v.Decision != policy.Allow {
			t.Errorf("%q asks again: %s %s %s", tc.line, v.Stage, v.Rule, v.Why)
		}
	}
}

// TestWithoutReadonly shows that a line does not ask again although nothing is
// proved: neither cd nor words that only print stand in the way.
func TestWithoutReadonly(t *testing.T) {
	for _, tc := range []struct{ want, line string }{
		{"cd in /home/dev/app; git status in /home/dev/app; git commit in /home/dev/app", "cd /home/dev/app && git status && echo '---' && git commit -m x"},
		{"git log in /home/dev/app; head in /home/dev/app", "git log | head -3"},
	} {
		d := newDesk(t)
		d.settings.AutoAllowReadonly = false
		entries, why := d.propose(d.call(tc.line), grant.Here)
		if got := texts(entries); got != tc.want {
			t.Errorf("%q stores %q, %q; want %q", tc.line, got, why, tc.want)
		}
		d.entries = entries
		if v := d.decide(d.call(tc.line)); v.Decision != policy.Allow || v.Stage != policy.StageAllowlist {
			t.Errorf("%q: %s %s %s", tc.line, v.Decision, v.Stage, v.Why)
		}
	}
	d := newDesk(t)
	d.settings.AutoAllowReadonly = false
	for _, tc := range []struct{ want, line string }{
		{"allow", "echo done"}, {"allow", "echo a; true && printf 'x\\n'"}, {"allow", "echo x > /dev/null"},
		{"ask", "echo x > y"}, {"ask", "echo /etc"}, {"ask", "echo $X"}, {"ask", "echo x | tee y"}, {"ask", "printf -v PATH x"}, {"ask", "A=1 echo x"},
	} {
		if v := d.decide(d.call(tc.line)); v.Decision.String() != tc.want {
			t.Errorf("%q: %s by %s, want %s", tc.line, v.Decision, v.Stage, tc.want)
		}
	}
}

// TestAskRules shows which asks a grant answers.
func TestAskRules(t *testing.T) {
	push := policy.Permission{Match: "shell git push *", Action: policy.Ask}
	every := policy.Permission{Match: "shell npm *", Action: policy.Ask, EveryTime: true}
	managed := policy.Permission{Match: "shell make *", Action: policy.Ask, Origin: policy.Origin{Layer: "managed"}}
	word := policy.Permission{Match: "shell * main", Action: policy.Ask}
	both := policy.Permission{Match: "shell make all", Action: policy.Ask}
	d := newDesk(t, push, every, managed, word, both)
	named := func(verb, rule string) grant.Entry {
		return grant.Entry{Verb: verb, Dir: app, Scope: grant.Here, Tool: "shell", Rule: rule, By: "test"}
	}
	for _, tc := range []struct {
		want    string
		entries []grant.Entry
		line    string
	}{
		{"ask", []grant.Entry{named("git push", "")}, "git push origin"},
		{"ask", []grant.Entry{named("git push", "shell make *")}, "git push origin"},
		{"allow", []grant.Entry{named("git push", "shell git push *")}, "git push origin"},
		{"allow", []grant.Entry{named("git push", "shell git push *")}, "git push origin && git status"},
		{"ask", []grant.Entry{named("git push", "shell git push *")}, "git push origin && mytool"},
		{"ask", []grant.Entry{named("git push", "shell git push *")}, "git push origin && git -C /srv/x push"},
		{"ask", []grant.Entry{named("git push", "shell git push *"), named("mytool", "shell git push *")}, "mytool && git -C /srv/x push"},
		{"allow", []grant.Entry{named("mytool", "shell * main")}, "mytool main && echo ok"},
		{"ask", []grant.Entry{named("mytool", "shell * main")}, "mytool main && echo main"},
		{"ask", []grant.Entry{named("npm test", "shell npm *")}, "npm test"},
		{"allow", []grant.Entry{named("make", "shell make *")}, "make x"},
		{"ask", []grant.Entry{named("make", "")}, "make x"},
		{"ask", []grant.Entry{named("make", "shell make *")}, "make all"},
		{"allow", []grant.Entry{named("make", "shell make *"), named("make", "shell make all")}, "make all"},
		{"ask", []grant.Entry{named("make", "shell make *")}, "sudo make x"},
	} {
		d.entries = tc.entries
		if v := d.decide(d.call(tc.line)); v.Decision.String() != tc.want {
			t.Errorf("%s: %q is %s by %s %s, want %s", texts(tc.entries), tc.line, v.Decision, v.Stage, v.Rule, tc.want)
		}
	}
	for _, tc := range []struct{ want, line string }{
		{`make in /home/dev/app, although "shell make *" asks; make in /home/dev/app, although "shell make all" asks`, "make all"},
		{"", "npm test"},
	} {
		d.entries = nil
		entries, _ := d.propose(d.call(tc.line), grant.Here)
		if got := texts(entries); got != tc.want {
			t.Errorf("%q stores %q, want %q", tc.line, got, tc.want)
		}
		if d.entries = entries; len(entries) > 0 && d.decide(d.call(tc.line)).Decision != policy.Allow {
			t.Errorf("%q asks again", tc.line)
		}
	}
}

// TestSupervised shows that asks about a whole tool are answered if every
// command is covered.
func TestSupervised(t *testing.T) {
	d := newDesk(t)
	d.settings.ToolPolicy.Tools = map[string]policy.Treatment{"shell": policy.Supervised}
	c := d.call("cd /home/dev/app && make x && echo ok")
	entries, why := d.propose(c, grant.Here)
	rule := `, although "tool_policy.tools.shell" asks`
	if got := texts(entries); got != "cd in /home/dev/app"+rule+"; make in /home/dev/app"+rule {
		t.Fatalf("it stores %q, %q", got, why)
	}
	d.entries = entries
	for _, tc := range []struct{ want, line string }{
		{"allow", "cd /home/dev/app && make x && echo ok"}, {"allow", "make"}, {"allow", "timeout 5 make"}, {"ask", "echo ok"}, {"ask", "ls"}, {"ask", "make && ls"}, {"ask", "timeout 5 echo x"},
	} {
		if v := d.decide(d.call(tc.line)); v.Decision.String() != tc.want {
			t.Errorf("%q: %s by %s, want %s", tc.line, v.Decision, v.Stage, tc.want)
		}
	}
}

// TestWhose shows for which calls an entry counts.
func TestWhose(t *testing.T) {
	e := grant.Entry{Verb: "make", Dir: app, Scope: grant.Session, Tool: "shell", Agent: "claude", Conversation: "s1", By: "test"}
	for _, tc := range []struct {
		want string
		edit func(*grant.Entry, *policy.Call)
	}{
		{"allow", func(*grant.Entry, *policy.Call) {}},
		{"allow", func(_ *grant.Entry, c *policy.Call) { c.Tool = "Bash" }},
		{"allow", func(_ *grant.Entry, c *policy.Call) { c.Dir = app + "/src" }},
		{"allow", func(_ *grant.Entry, c *policy.Call) { c.Dir = home + "/way" }},
		{"ask", func(_ *grant.Entry, c *policy.Call) { c.Session = "s2" }},
		{"ask", func(_ *grant.Entry, c *policy.Call) { c.Session = "" }},
		{"ask", func(_ *grant.Entry, c *policy.Call) { c.Agent = "codex" }},
		{"ask", func(_ *grant.Entry, c *policy.Call) { c.Audience = policy.Public }},
		{"ask", func(_ *grant.Entry, c *policy.Call) { c.Dir = home }},
		{"ask", func(_ *grant.Entry, c *policy.Call) { c.Dir = app + "2" }},
		{"ask", func(_ *grant.Entry, c *policy.Call) { c.Dir = app + "/out" }},
		{"ask", func(_ *grant.Entry, c *policy.Call) { c.Dir = app + "/lost" }},
		{"ask", func(_ *grant.Entry, c *policy.Call) { c.Dir = "" }},
		{"ask", func(e *grant.Entry, _ *policy.Call) { e.Tool = "edit" }},
		{"ask", func(e *grant.Entry, _ *policy.Call) { e.Dir = "" }},
		{"ask", func(e *grant.Entry, _ *policy.Call) { e.Dir, e.Scope = "", grant.Here }},
		{"ask", func(e *grant.Entry, _ *policy.Call) { e.Scope = grant.Once }},
		{"ask", func(e *grant.Entry, _ *policy.Call) { e.Scope = 9 }},
		{"ask", func(e *grant.Entry, _ *policy.Call) { e.Scope = grant.Anywhere }},
		{"ask", func(e *grant.Entry, _ *policy.Call) { e.Dir = app + "/" }},
		{"ask", func(e *grant.Entry, _ *policy.Call) { e.Dir = home + "/way" }},
		{"ask", func(e *grant.Entry, _ *policy.Call) { *e = grant.Entry{} }},
	} {
		d := newDesk(t)
		entry, c := e, d.call("make x")
		tc.edit(&entry, c)
		d.entries = []grant.Entry{entry}
		if v := d.decide(c); v.Decision.String() != tc.want {
			t.Errorf("%+v, %+v: %s, want %s", entry, c, v.Decision, tc.want)
		}
	}
}

// TestRootMoved shows that an entry ends where its directory becomes a link.
func TestRootMoved(t *testing.T) {
	d := newDesk(t)
	moved := testWorld{app: "/srv/evil"}
	set := grant.NewSet(here(t, "make in /home/dev/app"), moved, clock)
	e, err := policy.New(d.settings, policy.Options{World: moved, Grants: set})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := e.Decide(context.Background(), &policy.Session{}, d.call("make")); v.Decision != policy.Ask {
		t.Errorf("in a directory that became a link: %s", v.Decision)
	}
}

// TestFileTools shows that tools that name files are approved by their name.
func TestFileTools(t *testing.T) {
	d := newDesk(t)
	edit := func(file string) *policy.Call {
		c := d.call("")
		c.Tool, c.Input = "Edit", map[string]any{"file_path": file}
		return c
	}
	entries, why := d.propose(edit("src/a.go"), grant.Here)
	if got := texts(entries); got != "edit in /home/dev/app/src" {
		t.Fatalf("it stores %q, %q", got, why)
	}
	if made, why := d.propose(edit("src/Makefile"), grant.Here); texts(made) != texts(entries) {
		t.Errorf("a file without extension stores %q, %q", texts(made), why)
	}
	d.entries = entries
	for _, tc := range []struct{ want, file string }{
		{"allow", "src/a.go"}, {"allow", "src/x/b.go"}, {"allow", "/home/dev/app/src/b.go"},
		{"ask", "b.go"}, {"ask", "src/../b.go"}, {"ask", "../x"}, {"ask", "~/.bashrc"}, {"ask", "src/.env"}, {"ask", "out/x"}, {"ask", "$HOME/x"},
	} {
		if v := d.decide(edit(tc.file)); v.Decision.String() != tc.want {
			t.Errorf("%s: %s by %s, want %s", tc.file, v.Decision, v.Stage, tc.want)
		}
	}
}

// What gives no rights may be approved, what hides what it runs may not.
func TestCheckVerb(t *testing.T) {
	for verb, ok := range map[string]bool{
		"fakeroot": true, "linux32": true, "unbuffer": false, "uv build": true, "git commit": true, "git config": false, "ssh": false, "pnpm config set": false, "kubectl get": false, "echo": false, "git": false, "x y": false,
	} {
		if got := grant.CheckVerb(verb); (got == "") != ok {
			t.Errorf("%s: %q", verb, got)
		}
	}
}
