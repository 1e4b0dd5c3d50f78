package policy_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// passing are grants that change: each time that somebody looks, other ones stand.
type passing struct {
	torn
	stand []policy.Grants
	looks int
}

func (p *passing) Standing() policy.Grants {
	p.looks++
	return p.stand[min(p.looks, len(p.stand))-1]
}

// covering covers every command, and denies nothing.
type covering struct{}

func (covering) Covers(in *policy.Input, _ string) []policy.Covered {
	all := make([]policy.Covered, len(in.Line.Commands))
	for i := range all {
		all[i] = policy.Covered{Grant: "everything", Why: "a person said so"}
	}
	return all
}

func (covering) Denials() ([]policy.Denial, error) { return nil, nil }

// denying covers nothing, and denies make.
type denying struct{}

func (denying) Covers(*policy.Input, string) []policy.Covered { return nil }

func (denying) Denials() ([]policy.Denial, error) {
	return []policy.Denial{{Tool: "shell", Words: "make", Text: "deny make", Why: "denied by ann"}}, nil
}

// A decision rests on the grants of one moment, and looks at none for what the floor denies.
func TestStanding(t *testing.T) {
	for _, row := range []struct {
		want    policy.Decision
		stand   []policy.Grants
		looks   int
		command string
	}{
		{policy.Allow, []policy.Grants{covering{}, denying{}}, 1, "make a"},
		{policy.Deny, []policy.Grants{denying{}, covering{}}, 1, "make a"},
		{policy.Allow, []policy.Grants{covering{}, denying{}}, 1, "make a && make b"},
		{policy.Allow, []policy.Grants{covering{}, denying{}}, 1, "cd a || cd b; make c"},
		{policy.Deny, []policy.Grants{covering{}}, 0, "rm -rf /"},
	} {
		for how, decide := range map[string]func(*policy.Engine, *policy.Call) (policy.Verdict, error){
			"Decide": func(e *policy.Engine, c *policy.Call) (policy.Verdict, error) { return e.Decide(t.Context(), nil, c) },
			"Review": func(e *policy.Engine, c *policy.Call) (policy.Verdict, error) { return e.Review(t.Context(), nil, c) },
			"Explain": func(e *policy.Engine, c *policy.Call) (policy.Verdict, error) {
				x, err := e.Explain(t.Context(), nil, c)
				return x.Verdict, err
			},
		} {
			g := &passing{stand: row.stand}
			e, err := policy.New(policy.Defaults(), policy.Options{Grants: g})
			if err != nil {
				t.Fatal(err)
			}
			v, err := decide(e, policy.Shell(row.command, "/w"))
			if err != nil || v.Decision != row.want || g.looks != row.looks {
				t.Errorf("%s of %s: %s after %d looks, want %s after %d: %s %v", how, row.command, v.Decision, g.looks, row.want, row.looks, v.Why, err)
			}
		}
	}
}
