// Package suite tests policies: it runs the cases of fixture files, each a
// call with the verdict that is expected, and the examples that rules carry.
//
// [Parse] reads a fixture, [Runner] runs, and a [Report] says what passed, what
// did not and why, and which rules no case reached. The package makes no
// engine, opens no file, and runs nothing of what is judged.
package suite

import (
	"context"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// FixtureSuffix ends the names of fixtures.
const FixtureSuffix = "_test.yaml"

// A Fixture is one file of cases.
type Fixture struct {
	Name string
	// Policies are the files under which its cases are decided, as written;
	// none for the policy that applies.
	Policies []string
	Cases    []Case
}

// A Case is a call with the verdict that is expected.
type Case struct {
	Name string
	Line int
	Call *policy.Call
	Want Want
	// Match says of a case that a rule carries whether the rule is to match; nil where
	// the verdict is what counts.
	Match *bool
}

// A Want is what a verdict must be. What is nil does not matter.
type Want struct {
	Decision policy.Decision `json:"decision"`
	Stage    *policy.Stage   `json:"stage,omitempty"`
	Rule     *string         `json:"rule,omitempty"`
	Reason   *policy.Reason  `json:"reason,omitempty"`
}

// A Subject is a policy that is tested.
type Subject struct {
	Engine *policy.Engine
	Rules  []*pattern.Rule
}

// A Runner collects results.
type Runner struct {
	report  Report
	rules   []*pattern.Rule
	known   map[place]bool
	reached map[place]bool
}

// NewRunner returns a runner without results.
func NewRunner() *Runner {
	return &Runner{
		report: Report{Cases: []Result{}}, known: make(map[place]bool), reached: make(map[place]bool),
	}
}

// A place tells rules apart: several policies may hold one.
type place struct {
	id     string
	origin policy.Origin
}

func placeOf(r *pattern.Rule) place { return place{r.ID, r.Origin} }

// Examples runs the examples of all rules of a policy that were not run yet.
func (r *Runner) Examples(s *Subject) {
	for _, rule := range s.Rules {
		if r.known[placeOf(rule)] {
			continue
		}
		r.known[placeOf(rule)] = true
		r.rules = append(r.rules, rule)
		for i, record := range rule.Examples.Match {
			r.example(rule, record, "match", i, pattern.True)
		}
		for i, record := range rule.Examples.NoMatch {
			r.example(rule, record, "no_match", i, pattern.False)
		}
	}
}

// Run decides the cases of a fixture.
func (r *Runner) Run(ctx context.Context, f *Fixture, s *Subject) {
	for i := range f.Cases {
		c := &f.Cases[i]
		x, err := s.Engine.Explain(ctx, nil, c.Call)
		got := newGot(&x, err)
		r.report.add(Result{
			Name: c.Name, File: f.Name, Line: c.Line, Passed: err == nil && c.Want.met(&x.Verdict),
			Want: &c.Want, Got: got, Why: explained(&x, &c.Want, err),
		})
		r.reached[place{x.Rule, x.Origin}] = true
	}
}

// met reports whether a verdict is the one that is wanted.
func (w *Want) met(v *policy.Verdict) bool {
	return v.Decision == w.Decision &&
		(w.Stage == nil || v.Stage == *w.Stage) &&
		(w.Rule == nil || v.Rule == *w.Rule) &&
		(w.Reason == nil || v.Reason == *w.Reason)
}

// Report returns the results so far.
func (r *Runner) Report() *Report {
	r.report.Coverage = r.coverage()
	return &r.report
}
