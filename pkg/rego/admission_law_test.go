package rego_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// TestSharedAtOnce asks one admission from a hundred goroutines.
func TestSharedAtOnce(t *testing.T) {
	a := admission(t, append(files(t, "team.rego", "teams.rego"), rego.Module{Name: "own.rego", Source: `package policyctl.admission
deny contains {"id": "word", "reason": "r", "command": c.index} if { some c in input.commands; some w in c.words; is_string(w.text); regex.match(sprintf("^%s$", [input.call.agent]), w.text) }`}))
	e := engine(t, nil, a)
	lines := []string{"npm publish", "make test", "kubectl apply -f x", "ls", "./make x"}
	want := make([]string, len(lines))
	for i, line := range lines {
		want[i] = answer(t, e, shellCall(line))
	}
	var group sync.WaitGroup
	for n := range 100 {
		group.Go(func() {
			for i, line := range lines {
				c := shellCall(line)
				c.Agent = fmt.Sprintf("agent-%d", n)
				v, err := e.Decide(context.Background(), nil, c)
				if got := v.Decision.String() + " " + v.Stage.String() + " " + v.Rule; err != nil || got != want[i] {
					t.Errorf("%s: got %q, %v, want %q", line, got, err, want[i])
				}
			}
		})
	}
	group.Wait()
}

// TestSame shows that a policy without answers changes no decision, and one
// that allows all loosens no deny.
func TestSame(t *testing.T) {
	silent := admission(t, module(`deny := []`))
	all := admission(t, files(t, "everything.rego"))
	for _, c := range sample(t) {
		if c.ID != "" {
			continue
		}
		for name, change := range map[string]func(*policy.Settings){"default": nil, "yolo": yolo, "skip": skip} {
			plain := answer(t, engine(t, change), c)
			if got := answer(t, engine(t, change, silent), c); got != plain {
				t.Errorf("%v: %s: a silent policy made %q of %q", c.Input, name, got, plain)
			}
			if got := answer(t, engine(t, change, all), c); strings.HasPrefix(plain, "deny") && got != plain {
				t.Errorf("%v: %s: an allow made %q of %q", c.Input, name, got, plain)
			}
		}
	}
}

// TestParts shows that what a line is allowed to do, each of its commands is
// allowed to do alone.
func TestParts(t *testing.T) {
	e := engine(t, nil, admission(t, files(t, "everything.rego")))
	for _, commands := range [][]string{{"make a", "npm test"}, {"make a > x", "npm test"}, {"$X", "make"}, {"./a", "LD_PRELOAD=./x ls", "b"}} {
		if answer(t, e, shellCall(strings.Join(commands, "; "))) != "allow rules everything" {
			continue
		}
		for _, c := range commands {
			if got := answer(t, e, shellCall(c)); !strings.HasPrefix(got, "allow") {
				t.Errorf("%s: got %q, and the line with it is allowed", c, got)
			}
		}
	}
}

// TestCopied shows that later changes of what NewAdmission was given have no
// effect.
func TestCopied(t *testing.T) {
	list := []any{"npm"}
	a, err := rego.NewAdmission(module(`deny contains {"id": "x", "reason": "r"} if input.commands[0].program in data.programs`),
		map[string]any{"programs": list}, rego.Options{Deadline: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	list[0] = "make"
	if got := answer(t, engine(t, nil, a), shellCall("npm test")); got != "deny permission_deny x" {
		t.Errorf("got %q", got)
	}
}

// TestHostileSource loads sources that are made to hurt the loader.
func TestHostileSource(t *testing.T) {
	for _, source := range []string{
		"deny := " + strings.Repeat("[", 200_000), "deny := " + strings.Repeat("{", 50_000), "deny := 1e999999999",
		"deny := " + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000),
		"deny := \"\xff\"", "deny := \x00", "deny := deny\n" + strings.Repeat("x := x\n", 10), strings.Repeat("(", 100_000), "deny := `",
	} {
		if _, err := rego.NewAdmission(module(source), nil, rego.Options{}); err == nil {
			t.Errorf("%.40q is taken", source)
		} else if !strings.Contains(err.Error(), "p.rego:") {
			t.Errorf("%.40q: the error has no place: %.200v", source, err)
		}
	}
}
