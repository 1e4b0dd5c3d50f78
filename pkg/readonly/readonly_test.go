package readonly

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"testing"
)

const testHome = "/home/dev"

// proved reports whether every command of a line is proved, and else why not.
func proved(p *Prover, line string) (bool, string) {
	l := eval.Read(line, eval.Env{Dir: "/home/dev/project", Home: testHome})
	if l.Problem != nil {
		return false, l.Problem.Why
	}
	for i := range l.Commands {
		if proof := p.Prove(l, i); !proof.Proved {
			return false, proof.Why
		}
	}
	return len(l.Commands) > 0, ""
}

func TestExamples(t *testing.T) {
	p := &Prover{Reasons: true, Home: testHome, Base: "/home/dev/project"}
	for _, e := range Programs() {
		if len(e.Reads.Proved) < 3 || len(e.Reads.Not) < 3 {
			t.Errorf("%s: fewer than three examples of a kind", e.Names)
		}
		for _, line := range e.Reads.Proved {
			if ok, why := proved(p, line); !ok {
				t.Errorf("%s: %q must be proved: %s", e.Names, line, why)
			}
		}
		for _, line := range e.Reads.Not {
			ok, why := proved(p, line)
			if ok {
				t.Errorf("%s: %q must not be proved", e.Names, line)
			} else if why == "" {
				t.Errorf("%s: %q has no reason", e.Names, line)
			}
		}
	}
}

func TestExtra(t *testing.T) {
	p := &Prover{Reasons: true, Home: testHome, Extra: [][]string{{"bazel", "query"}}}
	for line, want := range map[string]bool{
		"bazel query //...": true, "bazel build": false, "bazel query > f": false, "X=1 bazel query": false, "bazel $X": false,
		"bazel query $X": false, "./bazel query": false,
	} {
		if ok, _ := proved(p, line); ok != want {
			t.Errorf("%q: proved %v, want %v", line, ok, want)
		}
	}
}

func FuzzProve(f *testing.F) {
	for _, e := range Programs() {
		for _, list := range [][]string{e.Reads.Proved, e.Reads.Not} {
			for _, line := range list {
				f.Add(line)
			}
		}
	}
	p := &Prover{Reasons: true, Home: testHome}
	f.Fuzz(func(t *testing.T, line string) {
		l := eval.Read(line, eval.Env{Dir: "/w", Home: testHome})
		for i := range l.Commands {
			proof, c := p.Prove(l, i), &l.Commands[i]
			if !proof.Proved {
				if proof.Why == "" {
					t.Fatalf("no reason why %q is not proved", line)
				}
				continue
			}
			if c.Opaque != "" || c.In(command.Background) || c.Function {
				t.Fatalf("%q: command %d is proved", line, i)
			}
			for _, r := range c.Redirects {
				if target, _ := r.Target.Literal(); r.Writes() && target != "/dev/null" {
					t.Fatalf("%q: a command that writes %s is proved", line, target)
				}
			}
		}
	})
}
