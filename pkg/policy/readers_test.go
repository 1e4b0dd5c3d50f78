package policy_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Spellings of a denied file, of which the first is literal.
var deniedFile = []string{"private/x", "./private/x", "src/../private/x", project + "/private/x", "'private'/x", "private/*", "priv*/x", "{private,src}/x"}

// TestDeniedToEveryReader puts a denied file into each place of each row of the table of
// programs that opens one: no permission for the program lets it be read, and under yolo
// it is denied.
func TestDeniedToEveryReader(t *testing.T) {
	e, under := engine(t, "deny read *private/*|allow shell *", nil), engine(t, "deny read *private/*|allow shell *", yolo)
	seen := 0
	for _, p := range program.All() {
		for _, opens := range openings(strings.Fields(p.Names)[0], p) {
			for i, file := range deniedFile {
				line := strings.ReplaceAll(opens, "FILE", file)
				if v := decide(t, e, nil, call(line)); v.Decision == policy.Allow {
					t.Errorf("%s: %s", line, brief(v))
				}
				if v := decide(t, under, nil, call(line)); i < 5 && v.Decision != policy.Deny {
					t.Errorf("under yolo, %s: %s", line, brief(v))
				}
				seen++
			}
		}
	}
	if seen < 12_000 {
		t.Errorf("%d lines", seen)
	}
}

// openings returns lines in which a program, or one of its sub-commands, opens FILE.
func openings(words string, p *program.Program) (lines []string) {
	if p.Opaque || p.Context != program.Local {
		return nil
	}
	for _, sub := range p.Subs {
		for name := range strings.FieldsSeq(sub.Names) {
			if p.Sub(name) == sub {
				lines = append(lines, openings(words+" "+name, sub)...)
				break
			}
		}
	}
	for _, verb := range p.Verbs {
		name, _, _ := strings.Cut(verb.Names, ",")
		lines = append(lines, openings(words+" "+name, verb)...)
	}
	g := p.Grammar()
	for i := range g.Options {
		lines = append(lines, openedByOption(words, p, &g.Options[i])...)
	}
	if p.Style == program.Pairs {
		return lines
	}
	if option := strings.Fields(p.Shows + " .")[0]; len(option) > 1 {
		words += " --" + option
	} else if option != "." && option != "*" {
		words += " -" + option
	}
	for i, o := range g.Operands {
		if !opensFile(o.Role) {
			continue
		}
		line := words
		for k, other := range g.Operands {
			switch {
			case k == i:
				line += " " + asRole(o.Role)
			case k < i || !other.Repeat:
				line += " " + stand(other.Role)
			}
		}
		lines = append(lines, line)
		if !p.Style.OfWords() && p.Style != program.Plain && o.Repeat && i == len(g.Operands)-1 {
			lines = append(lines, line+" -- "+asRole(o.Role))
		}
	}
	return lines
}

func openedByOption(words string, p *program.Program, o *program.Option) (lines []string) {
	role := o.Role
	if o.Two {
		if opensFile(o.Second) {
			lines = append(lines, fmt.Sprintf("%s --%s a FILE", words, o.Names[0]))
		}
	}
	if o.Takes == program.Nothing || !opensFile(role) {
		return lines
	}
	arg := asRole(role)
	for _, name := range o.Names {
		switch {
		case p.Style.OfWords() || p.Equals && len(name) == 1:
			lines = append(lines, fmt.Sprintf("%s -%s %s", words, name, arg))
		case len(name) > 1:
			lines = append(lines, fmt.Sprintf("%s --%s=%s", words, name, arg))
			if o.Takes == program.Argument {
				lines = append(lines, fmt.Sprintf("%s --%s %s", words, name, arg))
			}
		case name != "#" && name != "+":
			if lines = append(lines, fmt.Sprintf("%s -%s%s", words, name, arg)); o.Takes == program.Argument {
				lines = append(lines, fmt.Sprintf("%s -%s %s", words, name, arg))
			}
		}
	}
	return lines
}

func opensFile(r program.Role) bool {
	switch r {
	case program.RoleRead, program.RoleSend, program.RoleObject, program.RoleRange, program.RoleExec:
		return true
	}
	return false
}

// asRole returns FILE as it stands in an argument of a role.
func asRole(r program.Role) string {
	if r == program.RoleRange {
		return "1,2:FILE"
	}
	return "FILE"
}

// stand returns an argument of a role that is about nothing.
func stand(r program.Role) string {
	switch r {
	case program.RoleWrite:
		return "build/out"
	case program.RoleHost:
		return "h.example"
	case program.RolePayload, program.RoleJoined, program.RoleText, program.RoleRest, program.RoleDashed:
		return "true"
	}
	return "1"
}

// A heldWorld is a repository at the project, by the names of the objects of its files.
type heldWorld struct {
	linkedWorld
	objects map[string]string
	unknown bool
}

func (w heldWorld) Held(dir string, visit func(path, object string) bool) (root string, ok bool) {
	if dir != project && !strings.HasPrefix(dir, project+"/") {
		return "", true
	}
	for path, object := range w.objects {
		if !visit(path, object) {
			break
		}
	}
	return project, !w.unknown
}

// TestDeniedInRepository shows what of a repository git shows, by the objects, the paths
// and the limits that its words name. What certainly shows a denied file is denied, what
// may show it asks.
func TestDeniedInRepository(t *testing.T) {
	w := heldWorld{objects: map[string]string{"private/x": "1234567890abcdef", "src/app.py": "feedbeefcafe0000", "README.md": "0badc0de00000000", "docs/a.md": "beef000000000000"}}
	e := engineIn(t, w, "deny read *private/*|allow shell *", nil)
	for want, lines := range map[policy.Decision]string{
		policy.Deny: `
git show HEAD:private/x
git show HEAD:./private/x
git show :private/x
git show :0:private/x
git show 'stash@{0}:private/x'
git show 'HEAD^{/fix: a}:private/x'
git show HEAD:README.md HEAD:private/x
git cat-file -p HEAD:private/x
git cat-file blob main:private/x
git blame private/x
git blame HEAD -- private/x
git log -L1,2:private/x
git log -L:main:private/x
git log -p -- private/x
git log -p --follow private/x
git show HEAD -- private
git diff -- private
git diff src private
git diff -- :/private
git diff -- ':(top)private/x'
git diff --stat -p -- private/x
git diff HEAD:src HEAD:private
git grep x
git grep -l x
git grep x -- private
git grep -f private/x y
git grep --no-index x private/x
git archive HEAD
git archive HEAD private
git -C src show HEAD:private/x
git -C src diff -- ../private
cd private && git show HEAD:./x
cd src && git show HEAD:private/x
cd private && git grep x
git config -f private/x --list
git diff --no-index README.md private/x
git hash-object private/x
jq -n --rawfile k private/x '$k'
jq -n --slurpfile k private/x '$k'
jq . --slurpfile k private/x README.md
shuf private/x
sed 'r private/x' README.md
du --files0-from=private/x
gzip -k private/x
`,
		policy.Ask: `
git log -p
git log -p -3 --all
git show
git show HEAD
git show HEAD:README.md HEAD
git diff
git diff HEAD~1
git diff --check
git diff -- .
git diff -- ':!src'
git diff -- 'priv*'
git diff -- ':(icase)PRIVATE/X'
git show 1234567
git show 1234567 -- src
git cat-file -p 1234567
git stash show -p
git reflog -p
git format-patch --stdout HEAD~1
git status -v
git cat-file --batch
git fast-export --all
cd src && git log -p
`,
		policy.Allow: `
git show HEAD:src/app.py
git show HEAD:private-notes.md
git show HEAD -- src
git show feedbee -- src
git show --stat HEAD
git show HEAD -- . ':!private'
git show HEAD -- . ':(exclude)private/x'
git show HEAD -- ':^private/*'
git diff -- src docs
git diff src/app.py
git diff HEAD src
git diff --stat
git diff --name-only HEAD~1
git diff -- '*.py'
git log -p -- src
git log -p -- . ':!*private*'
git log --stat -- private/x
git log --oneline -- private
git log -S private/x --stat
git log -L1,2:src/app.py
git blame src/app.py
git grep private/x -- src
git grep -e private/x -- '*.py'
git grep x -- ':!private'
git ls-files -s private/x
git ls-tree -r HEAD private
git cat-file -t HEAD:private/x
git rev-parse HEAD:private/x
git status
git stash show
git -C src diff -- app.py
cd src && git show HEAD:./app.py
cd src && git log -p -- .
cd /tmp && git log -p
shuf -e private/x
jq --arg a private/x '.[$a]' README.md
sed 's/private\/x/y/' README.md
`,
	} {
		for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
			if v := decide(t, e, nil, call(line)); v.Decision != want {
				t.Errorf("%s: %s %s %s, want %s", line, brief(v), v.Rule, v.Why, want)
			}
		}
	}
	v := decide(t, e, nil, call("git log -p"))
	if !strings.Contains(v.Message(), "':!private/x'") {
		t.Errorf("no way out: %s", v.Message())
	}
}

// TestDeniedFromRoot shows from where paths in a repository are meant, under a deny that
// says it.
func TestDeniedFromRoot(t *testing.T) {
	w := heldWorld{objects: map[string]string{"private/x": "1234567890abcdef", "src/private/x": "feedbeefcafe0000"}}
	e := engineIn(t, w, "deny read "+project+"/private/x|allow shell *", nil)
	for line, want := range map[string]policy.Decision{
		"cd src && git show HEAD:private/x": policy.Deny, "git -C src show HEAD:private/x": policy.Deny, "cd src && git show HEAD:./private/x": policy.Allow, "cd src && git show HEAD:../private/x": policy.Deny,
		"git show HEAD:src/private/x": policy.Allow, "cd src && git blame private/x": policy.Allow, "cd src && git log -U5 -- :/private": policy.Ask, "git log -U5": policy.Ask, "git log -5": policy.Allow,
		"git show 'HEAD^{/a:b}:private/x'": policy.Deny, "git show 'HEAD^{/a:private/x}' -- src": policy.Allow,
	} {
		if v := decide(t, e, nil, call(line)); v.Decision != want {
			t.Errorf("%s: %s %s, want %s", line, brief(v), v.Why, want)
		}
	}
}

// TestRepositoryUnknown shows that where nobody knows what a repository holds, git is not
// allowed to show all of it under a deny that may mean a file there, and is under others.
func TestRepositoryUnknown(t *testing.T) {
	for _, w := range []policy.World{nil, linkedWorld{}, heldWorld{unknown: true}} {
		for _, rule := range []string{"*private/*", ".env", "src/*"} {
			e := engineIn(t, w, "deny read "+rule+"|allow shell *", nil)
			for _, line := range []string{"git log -p", "git show HEAD", "git diff", "git grep x"} {
				if v := decide(t, e, nil, call(line)); v.Decision == policy.Allow {
					t.Errorf("%v, %s, %s: %s", w, rule, line, brief(v))
				}
			}
		}
		e := engineIn(t, w, "deny read ~/.ssh/*|deny read /etc/*|allow shell *", nil)
		for _, line := range []string{"git log -p", "git show HEAD", "git diff", "git grep x", "git diff -- src"} {
			if v := decide(t, e, nil, call(line)); v.Decision != policy.Allow {
				t.Errorf("%v, %s: %s", w, line, brief(v))
			}
		}
	}
}

// TestOwnProcess asks before the open files or the memory of a process are read by its
// number, unless the world knows that it is not policyctl.
func TestOwnProcess(t *testing.T) {
	for _, c := range []struct {
		world policy.World
		line  string
		asks  bool
	}{
		{processWorld{"12": "policyctl"}, "cat /proc/12/fd/7", true}, {processWorld{"12": "policyctl"}, "dd if=/proc/12/mem", true}, {processWorld{"12": "policyctl"}, "echo x > /proc/12/fd/7", true},
		{processWorld{"12": "policyctl"}, `python3 -c "open('/proc/12/mem')"`, true}, {processWorld{"12": "node"}, "cat /proc/12/fd/7", false}, {processWorld{}, "cat /proc/12/fd/7", true},
		{processWorld{"12": "policyctl"}, "cat /proc/12/status", false}, {nil, "cat /proc/12/fd/7", false}, {nil, "cat /proc/*/fd/7", true}, {processWorld{"12": ""}, "cat /proc/12/mem", false},
	} {
		e := engineIn(t, c.world, "", func(s *policy.Settings) { s.Yolo = true; s.Own.Private = []string{"/home/dev/.local/state/policyctl"} })
		if v := decide(t, e, nil, call(c.line)); (v.Decision != policy.Allow) != c.asks {
			t.Errorf("%v, %s: %s %s", c.world, c.line, brief(v), v.Rule)
		}
	}
}

// A processWorld is the programs that processes run, by number.
type processWorld map[string]string

func (processWorld) GitPrograms(string) ([]string, bool)                { return nil, true }
func (processWorld) GitDirs(string) ([]string, bool)                    { return nil, true }
func (processWorld) Below(string, func(string, fs.FileMode) error) bool { return true }
func (processWorld) Links(string) ([]string, bool)                      { return nil, true }
func (processWorld) RealPath(path string) (string, bool)                { return path, true }
func (w processWorld) Process(id string) (string, bool) {
	name, ok := w[id]
	return name, ok
}
