package ruledb

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/policyctl/policyctl/internal/authoring/exchange"
	"github.com/policyctl/policyctl/internal/authoring/lint"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// An Edit is a rule as somebody is writing it.
type Edit struct {
	// Text is the rule as policies write it, in JSON.
	Text string `json:"text"`
	// Of is the id of the rule that is edited, "" for a new one.
	Of string `json:"of"`
	// Cases are its test cases: a list, or nothing.
	Cases json.RawMessage `json:"cases"`
}

// A Checked is what there is to say of an edit.
type Checked struct {
	// Problems are why it cannot be stored.
	Problems []Problem `json:"problems"`
	// Rule is the row that it makes, nil where there are problems.
	Rule     *Row      `json:"rule"`
	Notes    []string  `json:"notes"`
	Findings []Finding `json:"findings"`
	// Cases are what came of the test cases, in order.
	Cases []Tested `json:"cases"`
}

// A Finding is what is probably not meant of rules. It is that of package lint.
type Finding struct {
	Kind     lint.FindingKind `json:"kind"`
	Severity lint.Severity    `json:"severity"`
	// Rules are the ids of the rule that the finding is about, and of those that
	// matter to it.
	Rules   []string       `json:"rules"`
	Text    string         `json:"text"`
	Next    string         `json:"next"`
	Witness *record.Record `json:"witness"`
}

func findingOf(f *lint.Finding) Finding {
	out := Finding{Kind: f.Kind, Severity: f.Severity, Text: f.Text, Next: f.Next, Witness: f.Witness}
	for _, r := range f.Rules {
		out.Rules = append(out.Rules, r.ID)
	}
	return out
}

// Check says what is wrong with an edit, which other rules it meets, and what comes of
// its test cases under an engine that has these rules. Nothing is stored.
func (r *Rules) Check(ctx context.Context, e Edit, engine *policy.Engine) *Checked {
	out := &Checked{Problems: []Problem{}, Notes: []string{}, Findings: []Finding{}, Cases: []Tested{}}
	rule, problems := parseText(e.Text)
	if len(problems) > 0 {
		out.Problems = problems
		return out
	}
	s := r.state.Load()
	row, notes, problem := s.edited(rule, &e)
	if problem != nil {
		out.Problems = []Problem{*problem}
		return out
	}
	compiled, more, err := row.compile()
	if err != nil {
		out.Problems = []Problem{{Line: 1, Column: 1, Text: err.Error()}}
		return out
	}
	out.Rule, out.Notes = &row, append(append(out.Notes, notes...), more...)
	if !compiled.Disabled {
		others := s.list(e.Of)
		for _, f := range lint.About(append(others, compiled), compiled) {
			out.Findings = append(out.Findings, findingOf(&f))
		}
	}
	if list, err := parseCases(caseText(e.Cases)); err == nil {
		out.Cases = testCases(ctx, list, compiled, s.engineWith(engine, e.Of, compiled))
	}
	return out
}

func caseText(cases json.RawMessage) []byte {
	if len(cases) == 0 || string(cases) == "null" {
		return []byte("[]")
	}
	return cases
}

// edited returns the row of an edit, or why there is none.
func (s *state) edited(rule *pattern.Rule, e *Edit) (Row, []string, *Problem) {
	line, column := placeOf(e.Text, "id")
	_, stands := s.rules[rule.ID]
	switch {
	case e.Of != "" && rule.ID != e.Of:
		return Row{}, nil, &Problem{line, column, fmt.Sprintf("the rule is called %s: to have one of another id, make a new rule", e.Of), e.Of}
	case e.Of == "" && stands:
		return Row{}, nil, &Problem{line, column, fmt.Sprintf("there is a rule %s already: choose another id, or edit that one", rule.ID), ""}
	case len(rule.Examples.Match)+len(rule.Examples.NoMatch) > 0:
		line, column = placeOf(e.Text, "examples")
		return Row{}, nil, &Problem{line, column, "examples are test cases here: give them below the rule", ""}
	}
	row, err := rowOf(&exchange.Result{Rules: []*pattern.Rule{rule}})
	if err != nil {
		return Row{}, nil, &Problem{Text: err.Error()}
	}
	list, err := parseCases(caseText(e.Cases))
	if err != nil {
		p := problemsOf(err)[0]
		return Row{}, nil, &Problem{Text: "test cases: " + p.Text, Hint: p.Hint}
	}
	if len(list) > 0 {
		text := string(e.Cases)
		row.Cases = &text
	}
	return row, nil, nil
}

// placeOf returns where the value of a key of an object stands.
func placeOf(text, key string) (line, column int) {
	n, err := strictjson.Read([]byte(text), strictjson.Options{})
	if err != nil {
		return 0, 0
	}
	for i := range n.Keys {
		if n.Keys[i].Text == key {
			return n.Items[i].Line, n.Items[i].Column
		}
	}
	return n.Line, n.Column
}
