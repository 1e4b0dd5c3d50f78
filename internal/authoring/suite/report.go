package suite

import (
	"cmp"
	"fmt"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Report is what came of a run. Its JSON is stable and has no times.
type Report struct {
	Passed   int      `json:"passed"`
	Failed   int      `json:"failed"`
	Cases    []Result `json:"cases"`
	Coverage Coverage `json:"coverage"`
}

// A Result is what came of one case. An example of a rule has an Example in
// place of Want and Got.
type Result struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Passed bool   `json:"passed"`
	Want   *Want  `json:"want,omitempty"`
	Got    *Got   `json:"got,omitempty"`
	// Example is of an example of a rule.
	Example *Example `json:"example,omitempty"`
	// Why explains the verdict to people.
	Why string `json:"why"`
}

// A Got is what a verdict was.
type Got struct {
	Decision policy.Decision `json:"decision"`
	Stage    policy.Stage    `json:"stage"`
	Rule     string          `json:"rule"`
	Reason   policy.Reason   `json:"reason"`
	// Source is where the rule stands, "" where no file has it.
	Source string `json:"source"`
	Error  string `json:"error,omitempty"`
}

// An Example is a record that its rule should or should not match: "true",
// "false", or "unknown" where the record does not say enough.
type Example struct {
	Rule string `json:"rule"`
	Want string `json:"want"`
	Got  string `json:"got"`
}

// A Coverage says which rules are shown at work: a case is decided by them, or
// an example matches.
type Coverage struct {
	Rules     int         `json:"rules"`
	Reached   int         `json:"reached"`
	Unreached []Unreached `json:"unreached"`
}

// An Unreached is a rule that no case reaches.
type Unreached struct {
	Rule string `json:"rule"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// Percent returns the share of the rules that is reached, never rounded up;
// 100 where there is no rule.
func (c *Coverage) Percent() int {
	if c.Rules == 0 {
		return 100
	}
	return c.Reached * 100 / c.Rules
}

func (r *Report) add(one Result) {
	if one.Passed {
		r.Passed++
	} else {
		r.Failed++
	}
	r.Cases = append(r.Cases, one)
}

func newGot(x *policy.Explanation, err error) *Got {
	got := &Got{x.Decision, x.Stage, x.Rule, x.Reason, x.Origin.String(), ""}
	if err != nil {
		got.Error = err.Error()
	}
	return got
}

// explained says in one sentence why a verdict is what it is.
func explained(x *policy.Explanation, w *Want, err error) string {
	if err != nil {
		return "the call could not be judged: " + err.Error()
	}
	text := cmp.Or(x.Why, "no earlier stage answered")
	lost, spoke := losers(x)
	for _, clause := range lost {
		text += "; " + clause
	}
	if w.Rule != nil && *w.Rule != "" && *w.Rule != x.Rule && !spoke[*w.Rule] {
		text += "; " + *w.Rule + " does not match"
	}
	return text
}

// losers says of the rules that matched why they did not decide, and which
// rules matched.
func losers(x *policy.Explanation) (lost []string, spoke map[string]bool) {
	spoke = make(map[string]bool)
	for _, step := range x.Steps {
		for _, m := range step.Rules {
			if m.Lost != "" && !spoke[m.Rule] {
				lost = append(lost, fmt.Sprintf("%s lost: %s", m.Rule, m.Lost))
			}
			spoke[m.Rule] = true
		}
	}
	return lost, spoke
}

// example runs one example of a rule.
func (r *Runner) example(rule *pattern.Rule, rec *record.Record, list string, i int, want pattern.Truth) {
	got := rule.When.Eval(rec, &pattern.Input{})
	if want == pattern.True && got == pattern.True && !rule.Disabled {
		r.reached[placeOf(rule)] = true
	}
	r.report.add(Result{
		Name: fmt.Sprintf("%s: examples.%s[%d]", rule.ID, list, i), File: rule.Origin.File, Line: rule.Origin.Line,
		Passed: got == want, Example: &Example{rule.ID, want.String(), got.String()}, Why: exampleText(got),
	})
}

func exampleText(got pattern.Truth) string {
	switch got {
	case pattern.True:
		return "the condition matches the record"
	case pattern.False:
		return "the condition does not match the record"
	}
	return "the condition depends on what the record says is unknown, or on the time"
}

// coverage says which enabled rules no case reached.
func (r *Runner) coverage() Coverage {
	c := Coverage{Unreached: []Unreached{}}
	for _, rule := range r.rules {
		if rule.Disabled {
			continue
		}
		if c.Rules++; r.reached[placeOf(rule)] {
			c.Reached++
			continue
		}
		c.Unreached = append(c.Unreached, Unreached{rule.ID, rule.Origin.File, rule.Origin.Line})
	}
	return c
}

// String returns "deny at permission_deny by RULE (REASON)", less what does
// not matter.
func (w *Want) String() string {
	text := w.Decision.String()
	if w.Stage != nil {
		text += " at " + w.Stage.String()
	}
	if w.Rule != nil {
		text += " by " + cmp.Or(*w.Rule, "no rule")
	}
	if w.Reason != nil {
		text += " with reason " + w.Reason.String()
	}
	return text
}

// String returns the verdict in the words of [Want.String].
func (g *Got) String() string {
	text := fmt.Sprintf("%s at %s by %s", g.Decision, g.Stage, cmp.Or(g.Rule, "no rule"))
	if g.Reason != policy.ReasonNone {
		text += " with reason " + g.Reason.String()
	}
	if g.Source != "" {
		text += " (" + g.Source + ")"
	}
	return text
}
