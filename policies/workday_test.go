package policies_test

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/workspace"
	"github.com/policyctl/policyctl/policies"
)

// workdayWorld is the world that the files of testdata/workday describe.
type workdayWorld struct {
	gone map[string]bool // files that are not there, though their directory is held
}

const (
	workdayHome    = "/home/dev"
	workdayProject = "/home/dev/app"
	workdaySession = "/tmp/agent"
)

var (
	workdayHeld = strings.Fields(`src lib cmd pkg internal tests docs app config db spec infra charts scripts apps packages services tools README.md go.mod go.sum
		package.json package-lock.json pnpm-lock.yaml Makefile pyproject.toml Cargo.toml Cargo.lock main.go tsconfig.json CHANGELOG.md .gitignore Gemfile Dockerfile`)
	workdayModified  = strings.Fields("src/app.py src/index.ts main.go")
	workdayUntracked = strings.Fields("notes.txt data .env")
	workdayPrograms  = strings.Fields("eslint jest markdownlint markdownlint-cli2 next nx biome playwright prettier prisma stylelint tsc tsx turbo vitest vite webpack rollup esbuild cypress storybook mocha knip depcheck ts-node") // which npm has installed
	workdayBuilt     = strings.Fields("node_modules dist build target .venv coverage __pycache__")
)

func (w workdayWorld) GitPrograms(string) ([]string, bool) { return nil, true }
func (w workdayWorld) GitHooks(string) ([]string, bool)    { return nil, true }

func (w workdayWorld) GitDirs(dir string) ([]string, bool) {
	if !within(dir, workdayProject) {
		return nil, true
	}
	return []string{workdayProject, workdayProject + "/.git"}, true
}

func (w workdayWorld) RealPath(p string) (string, bool) {
	real := "/"
	for name := range strings.SplitSeq(strings.Trim(p, "/"), "/") {
		switch name {
		case "", ".":
			continue
		case "..":
			real = path.Dir(real)
			continue
		}
		switch real = path.Join(real, name); real {
		case workdayProject + "/shared":
			real = "/srv/shared"
		case workdayProject + "/current":
			real = workdayProject + "/src"
		case workdayProject + "/src/linked.json":
			real = workdayProject + "/src/a.js"
		}
	}
	return real, true
}

// Below shows some files in every directory, of which those of data are not held,
// in one a module of Python, and in two a package that Python's own may look for.
func (w workdayWorld) Below(dir string, visit func(string, fs.FileMode) error) bool {
	names := []string{"a.py", "b.csv", "c.map", "d.json"}
	switch {
	case path.Base(dir) == "shadowed":
		names = append(names, "json.py")
	case dir == workdayProject:
		names = append(names, ".env")
	}
	for _, name := range names {
		if visit(dir+"/"+name, 0) != nil {
			return true
		}
	}
	switch path.Base(dir) {
	case "borrowed", "java":
		_ = visit(dir+"/org", fs.ModeDir)
	case "org":
		_ = visit(dir+"/"+map[bool]string{true: "python", false: "apache"}[strings.HasSuffix(dir, "borrowed/org")], fs.ModeDir)
	}
	return true
}

// Holds knows that the file with the settings has passwords in it, and what they are for.
func (w workdayWorld) Holds(p, word string) (bool, bool) {
	return strings.Contains("database_url password api_key", strings.ToLower(word)), path.Base(p) == ".env"
}

func (w workdayWorld) Links(pattern string) ([]string, bool) {
	if strings.HasPrefix(pattern, workdayProject+"/shared") || strings.HasPrefix(pattern, workdayProject+"/*") {
		return []string{"/srv/shared"}, true
	}
	return nil, true
}

func within(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

// under reports whether a path of the project is one of some, or lies below.
func under(p string, list []string) bool {
	rest, ok := strings.CutPrefix(p, workdayProject+"/")
	return ok && slices.ContainsFunc(list, func(name string) bool { return within(rest, name) })
}

func (w workdayWorld) File(p string) (workspace.File, bool) {
	real, _ := w.RealPath(p)
	f := workspace.File{Kind: workspace.Absent}
	switch {
	case strings.HasSuffix(p, "/shared") || strings.HasSuffix(p, "/current"):
		return workspace.File{Kind: workspace.Directory, Link: true}, true
	case real == workdayProject || real == workdaySession || real == workdayHome:
		f.Kind = workspace.Directory
	case w.gone[real]:
	case under(strings.ToLower(real), workdayUntracked): // as where case does not count
		f.Kind = workspace.Regular
		if path.Base(real) == "data" {
			f.Kind = workspace.Directory
		}
	case strings.HasSuffix(real, "venv/bin/activate") || strings.HasSuffix(real, "venv/pyvenv.cfg"):
		f.Kind = workspace.Regular
	case path.Dir(real) == workdayProject+"/node_modules/.bin":
		if slices.Contains(workdayPrograms, path.Base(real)) {
			f = workspace.File{Kind: workspace.Regular, Link: true}
		}
	case built(real):
		if slices.Contains(workdayBuilt, path.Base(real)) {
			f.Kind = workspace.Directory
		}
	case under(real, workdayHeld):
		f.Kind = workspace.Regular
		if !strings.Contains(strings.TrimPrefix(path.Base(real), "."), ".") && path.Base(real) != "Makefile" && path.Base(real) != "Dockerfile" && path.Base(real) != "Gemfile" {
			f.Kind = workspace.Directory
		}
	case real == "/tmp" || real == "/tmp/claude" || strings.HasSuffix(real, "-444455556666"):
		f.Kind = workspace.Directory
	case strings.Contains(real, "-444455556666/"):
		f.Kind = workspace.Absent
	case !within(real, workdayProject) && !within(real, workdaySession) && !strings.HasPrefix(real, "/tmp/test-") && !strings.HasPrefix(real, "/tmp/npm-"):
		f.Kind = workspace.Regular
	}
	return f, true
}

// built reports whether a path is, or lies below, what a build makes.
func built(p string) bool {
	return within(p, workdayProject) && slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool { return slices.Contains(workdayBuilt, name) })
}

func (w workdayWorld) Kept(p string) (held, unmodified bool) {
	real, _ := w.RealPath(p)
	held = under(real, workdayHeld) && !w.gone[real] && !under(real, workdayUntracked) && !built(real)
	return held, held && !under(real, workdayModified)
}

// A workdayCall is a call of a file of testdata/workday.
type workdayCall struct{ session, label, tool, text string }

func workday(tb testing.TB, name string) []workdayCall {
	data, err := os.ReadFile("../testdata/workday/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	var out []workdayCall
	session := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "== "); ok {
			session, _, _ = strings.Cut(rest, " · ")
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.SplitN(line, " · ", 3)
		if len(f) != 3 {
			tb.Fatalf("%s: %s", name, line)
		}
		out = append(out, workdayCall{session, f[0], f[1], strings.ReplaceAll(f[2], "⏎", "\n")})
	}
	return out
}

func (c workdayCall) call() *policy.Call {
	dir := workdayProject
	if rest, ok := strings.CutPrefix(c.text, "[dir="); ok {
		at, text, _ := strings.Cut(rest, "] ")
		dir, c.text = at, text
	}
	field := map[string]string{"shell": "command", "fetch": "url"}[c.tool]
	if field == "" {
		field = "file_path"
	}
	return &policy.Call{
		Tool: c.tool, Input: map[string]any{field: c.text}, Dir: dir, Home: workdayHome, ProjectDir: workdayProject, SessionDir: workdaySession,
	}
}

func workdayEngine(tb testing.TB, world policy.World) *policy.Engine {
	s := policy.Defaults()
	s.AutoAllowWorkspace = true
	e, err := policy.New(s, policy.Options{World: world})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// TestLeaves shows that what looks like staying inside the project and does
// not is asked about.
func TestLeaves(t *testing.T) {
	n := 0
	for _, e := range []*policy.Engine{workdayEngine(t, workdayWorld{}), developer(t)} {
		for _, c := range workday(t, "leaves.txt") {
			v, err := e.Decide(context.Background(), nil, workdayCall{tool: "shell", text: c.text}.call())
			if n++; err != nil || v.Decision == policy.Allow {
				t.Errorf("%s: %s: %s %s %v\n%s", c.label, c.tool, v.Rule, v.Why, err, c.text)
			}
		}
	}
	if n < 300 {
		t.Errorf("only %d lines", n)
	}
}

// maxAsked is how many of the look-alikes are asked about, which are listed where
// there are more: what they need, such as a script of perl, is not proved.
const maxAsked = 15

// TestInside shows that what looks like leaving the project and stays inside is
// not asked about.
func TestInside(t *testing.T) {
	var asked []string
	for _, c := range workday(t, "inside.txt") {
		x, err := workdayEngine(t, workdayWorld{}).Explain(context.Background(), nil, workdayCall{tool: "shell", text: c.text}.call())
		if err != nil {
			t.Fatal(err)
		}
		if x.Verdict.Decision != policy.Allow {
			asked = append(asked, c.text+"\n\t"+lost(&x))
		}
	}
	if len(asked) > maxAsked {
		t.Errorf("%d lines are asked about:\n%s", len(asked), strings.Join(asked, "\n"))
	}
}

// TestScripts shows which scripts on the command line are proved to stay inside,
// that none is that does not, and which only read.
func TestScripts(t *testing.T) {
	bare, pack := workdayEngine(t, workdayWorld{}), developer(t)
	defaults, err := policy.New(policy.Defaults(), policy.Options{World: workdayWorld{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range workday(t, "scripts.txt") {
		for _, e := range []*policy.Engine{defaults, bare, pack} {
			x, err := e.Explain(context.Background(), nil, c.call())
			if err != nil {
				t.Fatal(err)
			}
			want := c.label == "reads" || c.label == "script" && e != defaults || c.label == "project" && e == pack
			if v := x.Verdict; (v.Decision == policy.Allow) != want {
				t.Errorf("%s: %s by %s: %s\n\t%s", c.label, v.Decision, v.Rule, c.text, lost(&x))
			}
		}
	}
}

// TestScriptsDenied shows that no script is allowed to open what a permission is
// about, in whatever way it opens it.
func TestScriptsDenied(t *testing.T) {
	for _, inProject := range []bool{false, true} {
		s := policy.Defaults()
		s.AutoAllowWorkspace = inProject
		s.Permissions = []policy.Permission{{Match: "read src/private/*", Action: policy.Deny}, {Match: "read lib/*", Action: policy.Ask}}
		e, err := policy.New(s, policy.Options{World: workdayWorld{}})
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{
			`python3 -c "print(open('src/private/k').read())"`:                                                          false,
			`python3 -c "import zipfile; print(zipfile.ZipFile('src/private/k.zip').namelist())"`:                       false,
			`python3 -c "import zipfile; print(zipfile.ZipFile('lib/k.zip').namelist())"`:                               false,
			`python3 -c "from pathlib import Path; [print(p.read_text()) for p in Path('src/private').rglob('*.csv')]"`: false,
			`node -e "console.log(require('fs').readFileSync(require('path').join('src', 'private', 'k'), 'utf8'))"`:    false,
			`node -e "const p=require('path').join('lib', 'k'); console.log(require('fs').readFileSync(p, 'utf8'))"`:    false,
			`node -e "const p=require('path').join('docs', 'k'); console.log(require('fs').readFileSync(p, 'utf8'))"`:   true,
			`python3 -c "import zipfile; print(zipfile.ZipFile('src/public.zip').namelist())"`:                          true,
			`python3 -c "from pathlib import Path; [print(p.read_text()) for p in Path('src').glob('*.py')]"`:           true,
		} {
			v, err := e.Decide(context.Background(), nil, workdayCall{tool: "shell", text: text}.call())
			if err != nil || (v.Decision == policy.Allow) != want {
				t.Errorf("%s: %s %v\n%s", v.Decision, v.Why, err, text)
			}
		}
	}
}

// silent is a source that says nothing.
type silent struct{}

func (silent) Judge(context.Context, *policy.Input) (policy.Answer, error) {
	return policy.Answer{Silent: true}, nil
}

// TestScriptsAndRules shows that a script opens no file without a question where
// rules may be about it, of which they are not told.
func TestScriptsAndRules(t *testing.T) {
	e, err := policy.New(policy.Defaults(), policy.Options{World: workdayWorld{}, Sources: []policy.Source{silent{}}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{`python3 -c "print(2**64)"`: true, `python3 -c "print(open('src/a.py').read())"`: false} {
		v, err := e.Decide(context.Background(), nil, workdayCall{tool: "shell", text: text}.call())
		if err != nil || (v.Decision == policy.Allow) != want {
			t.Errorf("%s: %s %v\n%s", v.Decision, v.Why, err, text)
		}
	}
}

// lost says what keeps stages from allowing a call.
func lost(x *policy.Explanation) string {
	var out []string
	for _, s := range x.Steps {
		for _, m := range s.Rules {
			if m.Lost != "" {
				out = append(out, m.Rule+": "+m.Lost)
			}
		}
	}
	return strings.Join(out, "; ")
}

// TestWorkday shows of labelled sessions that the pack developer allows none of the
// calls that leave the project, and most of the others: of monorepo.txt all.
func TestWorkday(t *testing.T) {
	for name, want := range map[string]struct{ allowed, wrong int }{"sessions.txt": {89, 17}, "monorepo.txt": {91, 0}, "quiet.txt": {76, 43}} {
		calls := workday(t, name)
		var e *policy.Engine
		var session *policy.Session
		asks := map[string]int{}
		tally := map[string][2]int{}
		allowed := 0
		var wrong []string
		for _, c := range calls {
			if _, known := asks[c.session]; !known {
				e, session, asks[c.session] = developer(t), &policy.Session{ID: c.session}, 0
			}
			x, err := e.Explain(context.Background(), session, c.call())
			if err != nil {
				t.Fatal(err)
			}
			v, err := e.Decide(context.Background(), session, c.call())
			if err != nil {
				t.Fatal(err)
			}
			n := tally[c.label]
			n[0]++
			if v.Decision == policy.Allow {
				n[1]++
				allowed++
			} else {
				asks[c.session]++
			}
			tally[c.label] = n
			switch {
			case v.Decision == policy.Allow && c.label == "leaves":
				t.Errorf("%s: it leaves the project and is allowed by %s: %s", name, v.Rule, c.text)
			case v.Decision != policy.Allow && c.label != "leaves" && (c.label != "script" || name == "monorepo.txt"):
				wrong = append(wrong, c.label+": "+c.text+"\n\t"+lost(&x))
			}
		}
		if 100*allowed < want.allowed*len(calls) || len(wrong) > want.wrong {
			t.Errorf("%s: %d of %d calls are allowed, %d are asked about that need not be:\n%s", name, allowed, len(calls), len(wrong), strings.Join(wrong, "\n"))
		}
		list := slices.Sorted(maps.Values(asks))
		t.Logf("%s: %v; %d of %d allowed, %.1f %%; questions a session: median %d, mean %.1f", name, tally, allowed, len(calls), 100*float64(allowed)/float64(len(calls)), list[len(list)/2], float64(len(calls)-allowed)/float64(len(list)))
	}
}

// developer is the pack, with the hosts that the files name.
func developer(tb testing.TB) *policy.Engine { return developerIn(tb, workdayWorld{}) }

// developerIn is developer in another world.
func developerIn(tb testing.TB, w policy.World) *policy.Engine {
	text, _ := policies.Lookup("developer")
	loaded, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "developer", Data: text, Admit: config.Everything})
	if err != nil {
		tb.Fatal(err)
	}
	for _, host := range strings.Fields("pkg.go.dev docs.python.org docs.rs developer.mozilla.org api.github.com") {
		loaded.Settings.RemoteReaders = append(loaded.Settings.RemoteReaders, policy.Entry{Text: host})
	}
	e, err := policy.New(loaded.Settings, policy.Options{World: w})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}
