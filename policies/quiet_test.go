package policies_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
	"github.com/policyctl/policyctl/policies"
)

// quietProject makes the world of quiet-leaves.txt, without the links that lead out
// where links is false, and returns the home directory.
func quietProject(t *testing.T, links bool) (home string) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home = root + "/home/dev"
	app := home + "/app"
	for name, text := range map[string]string{
		home + "/evil/bin/activate": "", home + "/evil/pyvenv.cfg": "", home + "/evil/x.py": "", home + "/.bashrc": "x", home + "/.ssh/id_ed25519": "x",
		app + "/src/app.py": "x = 1", app + "/src/index.js": "", app + "/src/parse.js": "", app + "/src/main.c": "", app + "/src/Main.java": "", app + "/src/rc.txt": "", app + "/src/begun.py": "",
		app + "/packages/web/package.json": "{}", app + "/docs/a.puml": "", app + "/tests/a.py": "", app + "/build/x": "", app + "/dist/x": "", app + "/node_modules/.bin/x": "",
		app + "/solo/a.go": "package a", app + "/app/__init__.py": "", app + "/lib/a.jar": "", app + "/.venv/bin/activate": "", app + "/.venv/pyvenv.cfg": "",
		app + "/package.json": "{}", app + "/Makefile": "", app + "/go.mod": "", app + "/.env": "API_KEY=abcdef\n", app + "/.gitignore": ".env\n",
	} {
		write(t, name, text)
	}
	for _, name := range workdayPrograms {
		write(t, app+"/node_modules/.bin/"+name, "")
	}
	if links {
		write(t, app+"/fakevenv/bin/activate", "")
		for _, dir := range []string{"/links", "/lk"} {
			if err := os.MkdirAll(app+dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for name, target := range map[string]string{"/links/out": home, "/links/evil": home + "/evil", "/venv": home + "/evil", "/lk/a.go": home + "/.bashrc", "/out": home, "/modlink": home + "/evil/x.py"} {
			if err := os.Symlink(target, app+name); err != nil {
				t.Fatal(err)
			}
		}
	} else {
		write(t, app+"/venv/bin/activate", "")
		write(t, app+"/venv/pyvenv.cfg", "")
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A", "--", ":!.venv", ":!venv", ":!build", ":!dist"}} {
		if out, err := exec.Command("git", append([]string{"-C", app}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	write(t, app+"/src/begun.py", "x = 2") // which git does not hold so
	write(t, app+"/src/late.py", "x = 1")
	return home
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestQuiet shows that the pack developer asks about none of what a quiet day in a
// project consists of, and about everything that only looks like it.
func TestQuiet(t *testing.T) {
	text, _ := policies.Lookup("developer")
	loaded, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "developer", Data: text, Admit: config.Everything})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"quiet-leaves.txt": false, "quiet-inside.txt": true, "pack-leaves.txt": false, "pack-inside.txt": true} {
		home := quietProject(t, !want)
		e, err := policy.New(loaded.Settings, policy.Options{World: world.New(nil)})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, c := range workday(t, name) {
			call := policy.Shell(strings.ReplaceAll(c.text, "/home/dev", home), home+"/app")
			call.Home, call.ProjectDir = home, home+"/app"
			x, err := e.Explain(t.Context(), nil, call)
			if err != nil {
				t.Fatal(err)
			}
			if n++; (x.Verdict.Decision == policy.Allow) != want {
				t.Errorf("%s: %s by %s: %s\n\t%s", name, x.Verdict.Decision, x.Verdict.Rule, c.text, lost(&x))
			}
		}
		if n < 60 {
			t.Errorf("%s: only %d lines", name, n)
		}
	}
}

// Formatters over a project follow no link of a directory, and one of a file only if it
// is named as what they format. Where no virtual environment is, none is read.
func TestQuietAmongLinks(t *testing.T) {
	home := quietProject(t, true)
	e := developerIn(t, world.New(nil))
	for line, want := range map[string]policy.Decision{
		"ruff format .":                         policy.Allow,
		"ruff check --fix .":                    policy.Allow,
		"black .":                               policy.Allow,
		"prettier --write .":                    policy.Allow,
		"eslint . --fix":                        policy.Allow,
		"prek run --all-files":                  policy.Allow,
		". packages/.venv/bin/activate && make": policy.Allow,
		"gofmt -w .":                            policy.Ask,
		"isort .":                               policy.Ask,
		"stylelint --fix .":                     policy.Ask,
		"biome check --write .":                 policy.Ask,
		"ruff format links/out":                 policy.Ask,
		"prettier --write links/evil":           policy.Ask,
		". ../.venv/bin/activate && make":       policy.Ask,
		". links/out/.venv/bin/activate; make":  policy.Ask,
		"cp x.sh packages/.venv/bin/activate; . packages/.venv/bin/activate": policy.Ask,
	} {
		call := policy.Shell(line, home+"/app")
		call.Home, call.ProjectDir = home, home+"/app"
		x, err := e.Explain(t.Context(), nil, call)
		if err != nil || x.Verdict.Decision != want {
			t.Errorf("%s: %s, want %s\n\t%s %v", line, x.Verdict.Decision, want, lost(&x), err)
		}
	}
	for line, link := range map[string]string{"ruff format .": "a.py", "black .": "b.pyi", "prettier --write .": ".babelrc", "eslint . --fix": "c.mjs"} {
		at := home + "/app/lk/" + link
		if err := os.Symlink(home+"/.bashrc", at); err != nil {
			t.Fatal(err)
		}
		call := policy.Shell(line, home+"/app")
		call.Home, call.ProjectDir = home, home+"/app"
		if v, err := e.Decide(t.Context(), nil, call); err != nil || v.Decision != policy.Ask {
			t.Errorf("%s with the link %s: %s %v", line, link, v.Decision, err)
		}
		if err := os.Remove(at); err != nil {
			t.Fatal(err)
		}
	}
}

// TestScratch shows that what an agent writes in a directory of its session's name, below
// that of temporary files, is its own, and nothing beside it.
func TestScratch(t *testing.T) {
	const id = "0a1b2c3d-1111-2222-3333-444455556666"
	e := developer(t)
	for _, row := range []struct {
		session, command string
		want             policy.Decision
	}{
		{id, "echo x > /tmp/claude/" + id + "/scratchpad/a.txt", policy.Allow},
		{id, "mkdir -p /tmp/claude/" + id + "/b && cp src/a.py /tmp/claude/" + id + "/b/", policy.Allow},
		{id, "python3 /tmp/claude/" + id + "/x.py", policy.Allow},
		{"another-session-with-a-name", "echo x > /tmp/claude/" + id + "/scratchpad/a.txt", policy.Ask},
		{"", "echo x > /tmp/claude/" + id + "/scratchpad/a.txt", policy.Ask},
		{"claude", "echo x > /tmp/claude/a.txt", policy.Ask},
		{id, "echo x > /tmp/claude/" + id + "/../a.txt", policy.Ask},
		{id, "echo x > /home/dev/" + id + "/a.txt", policy.Ask},
		{id, "echo x > /tmp/claude/" + id + "x/a.txt", policy.Ask},
		{id, "python3 /tmp/claude/x.py", policy.Ask},
		{id, "cp /tmp/claude/x.py src/n.py", policy.Ask},
		{id, "cp -t src /tmp/claude/x.py", policy.Ask},
		{id, "cp /tmp/claude/" + id + "/scratchpad/a.py src/n.py", policy.Allow},
	} {
		call := workdayCall{tool: "shell", text: row.command}.call()
		call.Session, call.SessionDir = row.session, ""
		v, err := e.Decide(t.Context(), nil, call)
		if err != nil || v.Decision != row.want {
			t.Errorf("%s: %s: got %s by %s %v, want %s", row.session, row.command, v.Decision, v.Rule, err, row.want)
		}
	}
}

// TestQuietPatch shows that the tool that patches files loses none of what git does not
// hold as it is.
func TestQuietPatch(t *testing.T) {
	text, _ := policies.Lookup("developer")
	loaded, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "developer", Data: text, Admit: config.Everything})
	if err != nil {
		t.Fatal(err)
	}
	e, err := policy.New(loaded.Settings, policy.Options{World: world.New(nil)})
	if err != nil {
		t.Fatal(err)
	}
	home := quietProject(t, false)
	for patch, want := range map[string]policy.Decision{
		"*** Update File: src/begun.py\n@@\n-x = 2\n+x = 3":                    policy.Allow,
		"*** Delete File: src/app.py":                                          policy.Allow,
		"*** Add File: src/new.py\n+x":                                         policy.Allow,
		"*** Delete File: src/begun.py":                                        policy.Ask,
		"*** Add File: src/new.py\n+x\n  *** Delete File: src/begun.py":        policy.Ask,
		"*** Update File: src/app.py\n@@\n-x\n+y\n\t*** Move to: src/begun.py": policy.Ask,
		"*** Add File: src/begun.py\n+x":                                       policy.Ask,
		"*** Environment ID: x\n*** Add File: src/new.py\n+x":                  policy.Ask,
	} {
		call := &policy.Call{Tool: "apply_patch", Input: map[string]any{"input": "*** Begin Patch\n" + patch + "\n*** End Patch"}, Agent: "codex", Dir: home + "/app", Home: home, ProjectDir: home + "/app"}
		v, err := e.Decide(t.Context(), nil, call)
		if err != nil || v.Decision != want {
			t.Errorf("%q: got %s by %s %v, want %s", patch, v.Decision, v.Rule, err, want)
		}
	}
}
