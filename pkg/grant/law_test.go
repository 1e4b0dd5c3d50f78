package grant_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A maker makes lines of a seeded source.
type maker struct{ *rand.Rand }

func (m maker) one(of ...string) string { return of[m.IntN(len(of))] }

// path returns a file below a directory, "" for that of the call.
func (m maker) path(dir string) string {
	name := m.one("a.go", "b.txt", "sub/c", "sub/d.go", "new", "x y")
	if dir == "" {
		return m.one("", "./") + name
	}
	return dir + "/" + name
}

// command returns a command whose paths lie in dir.
func (m maker) command(dir string) string {
	p := func() string { return "'" + m.path(dir) + "'" }
	switch m.IntN(14) {
	case 0:
		return "cp " + p() + " " + p()
	case 1:
		return "mv -f " + p() + " " + p()
	case 2:
		return "mkdir -p " + p()
	case 3:
		return "touch " + p() + " " + p()
	case 4:
		return "git add " + p()
	case 5:
		return "git commit -m 'fix: a/b, c' " + p()
	case 6:
		return "mytool --in " + p() + " --out=" + p()
	case 7:
		return "npm run build -- " + p()
	case 8:
		return "make > " + p()
	case 9:
		return "tee -a " + p()
	case 10:
		return "tar -cf " + p() + " " + p()
	case 11:
		return "ln -s " + p() + " " + p()
	case 12:
		return "pytest " + p()
	}
	return "go test -run X ./..."
}

func (m maker) line(dir string) string {
	out := m.one("", "", "cd sub && ", "true && ", "echo a; ", "(", "timeout 5 ")
	end := ""
	if out == "(" {
		end = ")"
	}
	out += m.command(dir) + end
	for range m.IntN(3) {
		out += m.one(" && ", "; ", " | ", " || ") + m.command(dir)
	}
	return out + m.one("", " 2>&1", " | tail -3", " && echo done", " > /dev/null")
}

// TestLaw shows for many lines that what a click stores allows the line again,
// and no line with the same verbs whose paths lie elsewhere.
func TestLaw(t *testing.T) {
	seed.Slow(t)
	m := maker{rand.New(rand.NewPCG(1, 2))}
	stored, tried := 0, 0
	for range 3000 {
		d := newDesk(t)
		line := m.line(m.one("", "", app, app+"/src", "/srv/data/x"))
		scope := []grant.Scope{grant.Session, grant.Here}[m.IntN(2)]
		c := d.call(line)
		entries, _ := d.propose(c, scope)
		if len(entries) == 0 {
			continue
		}
		stored++
		d.entries = entries
		if v := d.decide(d.call(line)); v.Decision != policy.Allow {
			t.Fatalf("%q stored %q and asks again: %s %s", line, texts(entries), v.Stage, v.Why)
		}
		for range 4 {
			tried++
			outside(t, m, d)
		}
	}
	if stored < 1000 {
		t.Errorf("only %d of 3000 lines can be stored", stored)
	}
	t.Logf("%d lines stored, %d tried elsewhere", stored, tried)
}

// outside tries a command with paths elsewhere.
func outside(t *testing.T, m maker, d *desk) {
	dir := m.one("/etc/x", "/srv/other", home, "..", "../other", app+"/../other", app+"/src/../..", app+"2", "out", "src/../out", "sub/../../y", "~", home+"/way/../z")
	line := m.command(dir)
	if m.IntN(3) == 0 {
		line = fmt.Sprintf("%s && %s", m.one("cd /srv/other", "cd ..", "cd "+app+"/.."), m.command(""))
	}
	if strings.Contains(line, "go test") && !strings.Contains(line, "cd ") {
		return // it names no path
	}
	line = strings.ReplaceAll(line, "'~/", "~/'")
	if v := d.decide(d.call(line)); v.Decision == policy.Allow {
		t.Fatalf("%q is allowed by %s under %q", line, v.Rule, texts(d.entries))
	}
}

// TestSpellings shows that a word that reaches elsewhere is caught wherever in
// a command it stands, and however it is spelt.
func TestSpellings(t *testing.T) {
	d := newDesk(t)
	d.entries = here(t, heldHere)
	for _, command := range []string{"git commit -m x %s", "git add %s", "npm run a -- %s", "make %s", "mytool %s b", "cp %s b", "cp b %s", "mkdir %s", "go test %s", "pytest %s", "tar -cf a %s", "tee %s", "npm test > %s", "npm test 2>> %s"} {
		for _, path := range []string{"/etc/x", "//etc/x", "/./etc/x", "/home/dev/app/../x", "../x", "./../x", "src/../../x", "'../x'", "\"../x\"", "..\\/x", "$'..\\x2fx'", "~/x", "~root/x", "~+/../x", "$HOME/x", "${HOME}/x", "$PWD/../x", "{a,../x}", "out/x", "./out/x", "src/../out/x", "..", "$OLDPWD/x", "`echo ../x`", "$(echo /etc)/x", "*", "/e?c/x", "/[e]tc/x"} {
			line := fmt.Sprintf(command, path)
			if v := d.decide(d.call(line)); v.Decision == policy.Allow {
				t.Errorf("%q is allowed by %s %s", line, v.Stage, v.Rule)
			}
		}
	}
}
