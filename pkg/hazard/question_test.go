package hazard_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// What rules ask of a command is answered once while they look at it, for each
// command anew, and as often as they ask where there are more questions than a
// scene keeps.
func TestQuestion(t *testing.T) {
	var answered [6]map[string]int
	questions := make([]*hazard.Question[string], len(answered))
	var rules []hazard.Rule
	for i := range questions {
		answered[i] = map[string]int{}
		questions[i] = &hazard.Question[string]{Answer: func(_ *hazard.Scene, c *command.Command) *string {
			answered[i][c.Name]++
			if c.Name == "cat" {
				return nil
			}
			return &c.Name
		}}
	}
	for _, id := range []string{"a", "b", "c"} {
		rules = append(rules, hazard.Rule{ID: id, Match: func(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
			for _, q := range questions {
				if name := q.About(s, c); (name == nil) != (c.Name == "cat") || name != nil && *name != c.Name {
					t.Errorf("%s: %v", c.Name, name)
				}
			}
			if other := questions[0].About(s, &s.Line.Commands[0]); *other != "ls" {
				t.Errorf("the first command is %s", *other)
			}
			return shell.Span{}, false
		}})
	}
	table := hazard.NewTable(rules)
	s := &hazard.Scene{Line: eval.Read("ls; cat; rm x", eval.Env{})}
	for i := range s.Line.Commands {
		table.First(s, i)
	}
	for _, name := range []string{"cat", "rm"} {
		if n := answered[1][name]; n != 1 {
			t.Errorf("%s: answered %d times", name, n)
		}
		if n := answered[5][name]; n != len(rules) {
			t.Errorf("%s: the last question was answered %d times", name, n)
		}
	}
}
