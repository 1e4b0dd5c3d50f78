package policy_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
	"mvdan.cc/sh/v3/syntax"
)

// TestDataNeverMatters adds words that are data to every line: the floor says
// the same as before.
func TestDataNeverMatters(t *testing.T) {
	e, chosen := engine(t, "", nil), seed.Share(t)
	additions := []string{"\necho 'rm -rf /'", "\ngit commit -m \"rm -rf /; reboot\"", "\n# rm -rf /", "\ngrep -r 'mkfs /dev/sda' .", "\ncat <<'E'\nrm -rf /\nE"}
	for _, l := range corpus(t) {
		if strings.HasSuffix(l.command, "\\") || strings.Contains(l.command, "<<") || l.zsh {
			continue
		}
		before := decide(t, e, nil, call(l.command))
		for _, a := range additions {
			if !chosen() {
				continue
			}
			after := decide(t, e, nil, call(l.command+a))
			if (before.Stage == policy.StageHardline) != (after.Stage == policy.StageHardline) {
				t.Errorf("%s: %s became %s by adding %q", l.id, brief(before), brief(after), a)
			}
		}
	}
}

// TestReprinting prints every line with the shell printer: the verdict stays.
func TestReprinting(t *testing.T) {
	seed.Slow(t)
	e := engine(t, "", nil)
	for _, l := range corpus(t) {
		file, err := syntax.NewParser().Parse(strings.NewReader(l.command), "")
		if err != nil || strings.Contains(l.command, "coproc") {
			continue // the parser takes the program of a coprocess for its name
		}
		if eval.Read(l.command, eval.Env{}).Problem != nil {
			continue
		}
		if _, after, ok := strings.Cut(l.command, "#"); ok && strings.Contains(after, "\\\n") {
			continue // the printer prints what the parser took for one line
		}
		var b strings.Builder
		if err := syntax.NewPrinter().Print(&b, file); err != nil {
			continue
		}
		before, after := decide(t, e, nil, call(l.command)), decide(t, e, nil, call(b.String()))
		if brief(before) != brief(after) {
			t.Errorf("%s: %s became %s when printed as %s", l.id, brief(before), brief(after), b.String())
		}
	}
}

// TestDenyNeverLoosens adds a deny or an ask to random permissions: no call is
// answered more loosely than before.
func TestDenyNeverLoosens(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed.New(t), 0))
	subjects := []string{"shell *", "shell git *", "shell git push *", "shell rm *", "shell ls *", "shell *test*", "shell sudo *", "read .env",
		"write *", "read ~/.ssh/*", "shell cat *", "shell go ?est *", "*"}
	actions := []string{"allow", "ask", "deny"}
	lines := corpus(t)
	for range 300 {
		var list []string
		for range rng.IntN(4) {
			list = append(list, actions[rng.IntN(3)]+" "+subjects[rng.IntN(len(subjects))])
		}
		before := engine(t, strings.Join(list, "|"), nil)
		extra := actions[1+rng.IntN(2)] + " " + subjects[rng.IntN(len(subjects))]
		after := engine(t, strings.Join(append(list, extra), "|"), nil)
		for range 10 {
			l := lines[rng.IntN(len(lines))]
			b, a := decide(t, before, nil, call(l.command)), decide(t, after, nil, call(l.command))
			if a.Decision > b.Decision {
				t.Errorf("%q: %s became %s by adding %q to %q", l.command, brief(b), brief(a), extra, list)
			}
		}
	}
}

// Each line of the corpora has an answer under a deny of each form, and no
// looser one than without it; a pattern in a directory that is unknown is one.
func TestDenyOfEachForm(t *testing.T) {
	forms := []string{"shell rm *", "shell *test*", "shell go ?est *", "shell *", "write */x", "shell cat ~/*", "*"}
	plain := engine(t, "", nil)
	engines := make([]*policy.Engine, len(forms))
	for i, form := range forms {
		engines[i] = engine(t, "deny "+form, nil)
	}
	for i, l := range corpus(t) {
		k := i % len(forms)
		if strings.HasPrefix(l.command, `cd "$BUILD"`) {
			k = 1
		}
		if b, a := decide(t, plain, nil, call(l.command)), decide(t, engines[k], nil, call(l.command)); a.Decision > b.Decision {
			t.Errorf("%q: %s became %s by a deny of %q", l.command, brief(b), brief(a), forms[k])
		}
	}
}

// TestAllowedLinesHaveAllowedCommands takes every line that is allowed apart:
// each of its commands alone, in its directory, is allowed too.
func TestAllowedLinesHaveAllowedCommands(t *testing.T) {
	e := engine(t, "allow shell go test *|allow shell npm *|allow shell git add *|allow write ~/project/out/*|allow shell tee *", nil)
	checked := 0
	for _, l := range corpus(t) {
		if decide(t, e, nil, call(l.command)).Decision != policy.Allow {
			continue
		}
		line := eval.Read(l.command, eval.Env{Dir: project, Home: home})
		for i := range line.Commands {
			alone, ok := standalone(&line.Commands[i])
			if !ok {
				continue
			}
			checked++
			c := call(alone)
			c.Dir, _ = line.Commands[i].Dir.Literal()
			v := decide(t, e, nil, c)
			if around := &line.Commands[i]; v.Decision != policy.Allow && (around.Parent >= 0 || around.In(command.Piping)) {
				bounded := call("timeout 5 " + alone) // what ends it stands around it
				bounded.Dir = c.Dir
				v = decide(t, e, nil, bounded)
			}
			if v.Decision != policy.Allow {
				t.Errorf("%s is allowed, but its command %q gets %s: %s", l.command, alone, brief(v), v.Why)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d commands were checked", checked)
	}
}

// standalone writes a command as a line of its own; ok is false where that
// cannot be done without what stands around it.
func standalone(c *command.Command) (line string, ok bool) {
	if len(c.Words) == 0 || c.Keyword || c.Function || c.Args.Payload > 0 || len(c.Assigns) > 0 || len(c.Redirects) > 0 {
		return "", false
	}
	words := make([]string, len(c.Words))
	for i := range c.Words {
		v, known := c.Words[i].Literal()
		q, err := syntax.Quote(v, syntax.LangBash)
		if !known || err != nil || strings.HasPrefix(q, "$'") {
			return "", false // sh does not read $'…'
		}
		words[i] = q
	}
	return strings.Join(words, " "), true
}

// TestAllocations holds the chain itself, beyond reading the line, to what it
// promises.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	e := engine(t, "deny shell git push *|allow shell go test *", nil)
	for _, command := range []string{"ls -la", "make", "git log --oneline -5", "go test ./...", "git push origin main", "ls | wc -l && pwd"} {
		c := call(command)
		s := &policy.Session{ID: "s"}
		all := testing.AllocsPerRun(200, func() {
			if _, err := e.Decide(t.Context(), s, c); err != nil {
				t.Fatal(err)
			}
		})
		read := testing.AllocsPerRun(200, func() { eval.Read(command, eval.Env{Dir: project, Home: home}) })
		if extra := all - read; extra > 2 {
			t.Errorf("%q: %v allocations in the chain, want at most 2", command, extra)
		}
	}
}
