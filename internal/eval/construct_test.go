package eval

import (
	"testing"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// TestConstructs holds the example of each construct against what is said of
// it: where every shell reads it alike, a line that names no shell may use it;
// elsewhere only one for a shell of the row.
func TestConstructs(t *testing.T) {
	ids := make(map[string]bool)
	for _, c := range shell.Constructs() {
		if c.ID == "" || ids[c.ID] || c.Why == "" {
			t.Errorf("%+v lacks an id of its own or a reason", c)
		}
		ids[c.ID] = true
		if c.Example == "" {
			continue
		}
		if c.Shells == shell.EveryShell {
			if d := Read(c.Example, Env{}).Divergence; d != nil {
				t.Errorf("%s: %q is %s, which differs", c.ID, c.Example, d.Construct.ID)
			}
			continue
		}
		l := Read(c.Example, Env{})
		if l.Problem != nil || l.Divergence == nil || l.Divergence.Construct.ID != c.ID {
			t.Errorf("%s: %q is %+v, %+v", c.ID, c.Example, l.Divergence, l.Problem)
		}
		for _, name := range []string{"bash", "dash", "zsh", "ash", "mksh", "ksh93"} {
			has := c.Shells&shell.ShellsOf(name) != 0
			if d := Read(c.Example, Env{Shell: name}).Divergence; has != (d == nil) {
				t.Errorf("%s: %q for %s: %+v", c.ID, c.Example, name, d)
			}
		}
	}
}

// TestShellNames holds what a call may say of its shell against what that
// allows.
func TestShellNames(t *testing.T) {
	for _, c := range []struct {
		shell string
		ok    bool
	}{{"bash", true}, {"zsh", true}, {"bash|zsh", true}, {"", false}, {"sh", false}, {"dash", false}, {"bash|dash", false}, {"ksh", true}} {
		l := Read("[[ a < b ]]", Env{Shell: c.shell})
		if l.Problem != nil || (l.Divergence == nil) != c.ok {
			t.Errorf("for %q: %+v %+v", c.shell, l.Problem, l.Divergence)
		}
	}
	for _, name := range []string{"fish", "bash|fish", "|bash", "bash|", "pwsh"} {
		if p := Read("ls", Env{Shell: name}).Problem; p == nil || p.Code != "shell" {
			t.Errorf("for %q: %+v", name, p)
		}
	}
	// A shell that a line starts is known by its name.
	for line, ok := range map[string]bool{"bash -c '[[ a < b ]]'": true, "sh -c '[[ a < b ]]'": false, "su -c '[[ a < b ]]'": false, "eval '[[ a < b ]]'": false} {
		if d := Read(line, Env{}).Divergence; (d == nil) != ok {
			t.Errorf("%q: %+v", line, d)
		}
	}
}

// TestBraceReadings shows that a command with braces is read as each shell may
// read it.
func TestBraceReadings(t *testing.T) {
	for _, c := range []struct{ shell, want string }{
		{"bash", "p a b 1 2"},
		{"dash", "p a b 1 2; ~p '{a,b}' '{1..2}'"},
		{"", "p a b 1 2; ~p '{a,b}' '{1..2}'; ~p a b '{1..2}'"},
	} {
		if got := render(Read("p {a,b} {1..2}", Env{Dir: testEnv.Dir, Shell: c.shell})); got != c.want {
			t.Errorf("for %q: %s, want %s", c.shell, got, c.want)
		}
	}
}

// TestDivergences holds spellings that shells read differently against their
// neighbours that all read alike.
func TestDivergences(t *testing.T) {
	for _, c := range []struct{ id, line string }{
		{"other-brace", "p {Z..a}"}, {"", "p {a..c} {3..-1}"}, {"other-brace", "p {-0..2}"}, {"other-brace", "p {a,b..c}"}, {"", "p {a,b.c}"},
		{"lone-brace", "p a}\\\n"}, {"", "p a}\\\nb"}, {"lone-brace", "p 'x'}\\\n b"}, {"", "p a\\\n b"},
		{"other-syntax", `p a\\\`}, {"", `p a\\`}, {"other-syntax", `p \`},
		{"other-tilde", "x=a:~+"}, {"other-tilde", `x=a\:~`}, {"other-tilde", "x='a:'~"}, {"other-tilde", "p x=a:~"}, {"", "x=a:~:~/b"}, {"", "p a:~"}, {"", "x=$y:~/b"},
		{"other-tilde", "cat <<<~"}, {"", "cat <<<a~"},
		{"equals", `x=""=ls`}, {"equals", "p $x=ls"}, {"equals", `p "$x"=ls`}, {"equals", "x=a:=ls"}, {"equals", `x=a:""=ls`}, {"", `p a""=ls --x="$y" x==`}, {"", "x=a=b; p x:=ls"},
	} {
		id := ""
		if d := Read(c.line, Env{}).Divergence; d != nil {
			id = d.Construct.ID
		}
		if id != c.id {
			t.Errorf("%q is %q, want %q", c.line, id, c.id)
		}
	}
}
