package hazard_test

import (
	"slices"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func rule(id, programs string) hazard.Rule {
	return hazard.Rule{ID: id, Programs: programs, Match: func(_ *hazard.Scene, c *command.Command) (shell.Span, bool) {
		return c.Span, true
	}}
}

func TestFind(t *testing.T) {
	table := hazard.NewTable([]hazard.Rule{rule("any", ""), rule("ls-or-cat", "ls cat"), rule("rm", "rm")})
	s := &hazard.Scene{Line: eval.Read("ls; make", eval.Env{})}
	var ids []string
	for i := range s.Line.Commands {
		table.Find(s, i, func(f hazard.Finding) bool {
			if f.Command != i {
				t.Errorf("%s: command %d, want %d", f.Rule.ID, f.Command, i)
			}
			ids = append(ids, f.Rule.ID)
			return true
		})
	}
	if len(ids) != 3 || ids[0] != "ls-or-cat" || ids[1] != "any" || ids[2] != "any" {
		t.Errorf("found %q", ids)
	}
	if f, ok := table.First(s, 0); !ok || f.Rule.ID != "ls-or-cat" || f.Span != s.Line.Commands[0].Span {
		t.Errorf("first %+v, %v", f, ok)
	}
}

func TestNewTableRefusesTwins(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("two rules with one id are accepted")
		}
	}()
	hazard.NewTable([]hazard.Rule{rule("a", ""), rule("a", "ls")})
}

// A name that appears twice in a rule counts once, and one of several rules finds
// them in their order.
func TestNames(t *testing.T) {
	twice := rule("twice", "rm ls rm")
	if got := twice.Names(); !slices.Equal(got, []string{"rm", "ls"}) {
		t.Errorf("names %q", got)
	}
	table := hazard.NewTable([]hazard.Rule{twice, rule("rm", "rm"), rule("late", "shred rm")})
	var ids []string
	table.Find(&hazard.Scene{Line: eval.Read("rm x", eval.Env{})}, 0, func(f hazard.Finding) bool {
		ids = append(ids, f.Rule.ID)
		return f.Rule.ID != "rm"
	})
	if !slices.Equal(ids, []string{"twice", "rm"}) {
		t.Errorf("found %q", ids)
	}
	if !table.Names("shred") || table.Names("cat") {
		t.Error("names of others")
	}
}

// TestKinds holds which rules look at a program by its kinds, and at the one that a runner
// starts, in their order.
func TestKinds(t *testing.T) {
	kind := func(id, kinds string) hazard.Rule {
		r := rule(id, "")
		r.Kind = kinds
		return r
	}
	table := hazard.NewTable([]hazard.Rule{rule("first", "npx"), kind("razes", "razes packs-away"), rule("last", "npx"), rule("own", "rimraf"), kind("mode", "alters=mode"), kind("alters", "alters")})
	for line, want := range map[string][]string{
		"npx rimraf x": {"first", "razes", "last"}, "npx eslint": {"first", "last"}, "rimraf x": {"razes", "own"}, "tar x": {"razes"},
		"chmod 1 x": {"mode", "alters"}, "chown a x": {"alters"}, "cat x": nil,
	} {
		var ids []string
		table.Find(&hazard.Scene{Line: eval.Read(line, eval.Env{})}, 0, func(f hazard.Finding) bool {
			ids = append(ids, f.Rule.ID)
			return true
		})
		if !slices.Equal(ids, want) {
			t.Errorf("%q: found %q, want %q", line, ids, want)
		}
	}
	if mode := kind("mode", "alters=mode"); !slices.Equal(mode.Names(), []string{"chmod"}) {
		t.Errorf("names %q", mode.Names())
	}
}
