package ruledb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/internal/authoring/preview"
	"github.com/policyctl/policyctl/internal/authoring/suite"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// maxCases bounds the test cases of a rule: they run while somebody types.
const maxCases = 100

// casesOf returns the cases that a rule is given, a list or the JSON of one, in one line;
// nil for none.
func casesOf(n document.Node) (*string, error) {
	text := []byte(n.Text)
	if n.Kind == document.List {
		var err error
		if text, err = n.MarshalJSON(); err != nil {
			return nil, err
		}
	}
	if _, err := parseCases(text); err != nil {
		return nil, err
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return nil, fmt.Errorf("cases: must be JSON: %w", err)
	}
	if line.String() == "[]" {
		return nil, nil
	}
	out := line.String()
	return &out, nil
}

// parseCases reads the cases of a rule. The error is of type [config.Problems].
func parseCases(text []byte) ([]suite.Case, error) {
	list, err := suite.ParseCases("cases", []byte(visible(string(text)))) // a case may be about what nobody sees
	if err == nil && len(list) > maxCases {
		err = config.Problems{{File: "cases", Line: 1, Column: 1, Text: fmt.Sprintf("a rule has at most %d cases, not %d", maxCases, len(list))}}
	}
	return list, err
}

// examplesOf returns the records among the cases of a row, as examples of its rule. Cases
// that cannot be read are none: they take no rule out of force.
func (r Row) examplesOf() (out pattern.Examples) {
	if r.Cases == nil {
		return out
	}
	list, err := parseCases([]byte(*r.Cases))
	if err != nil {
		return out
	}
	for _, c := range list {
		switch rec := c.Record(); {
		case rec == nil || c.Match == nil:
		case *c.Match:
			out.Match = append(out.Match, rec)
		default:
			out.NoMatch = append(out.NoMatch, rec)
		}
	}
	return out
}

// A Tested is what came of one test case of a rule.
type Tested struct {
	Passed bool `json:"passed"`
	// Want and Got are what was expected and what came, in short.
	Want string `json:"want"`
	Got  string `json:"got"`
	Why  string `json:"why"`
}

// testCases runs the cases of a rule, by an engine with the rule in force.
func testCases(ctx context.Context, list []suite.Case, rule *pattern.Rule, e *policy.Engine) []Tested {
	out := []Tested{}
	for _, c := range list {
		if c.Match != nil {
			out = append(out, testMatch(ctx, &c, rule, e))
			continue
		}
		run := suite.NewRunner()
		run.Run(ctx, &suite.Fixture{Cases: []suite.Case{c}}, &suite.Subject{Engine: e})
		r := run.Report().Cases[0]
		out = append(out, Tested{r.Passed, r.Want.String(), r.Got.String(), r.Why})
	}
	return out
}

// matchWords say whether a rule matches.
var matchWords = map[bool]string{true: "it matches", false: "it does not match"}

func testMatch(ctx context.Context, c *suite.Case, rule *pattern.Rule, e *policy.Engine) Tested {
	t := Tested{Want: matchWords[*c.Match]}
	truth, inScope := preview.NewProbe(rule).Truth(ctx, e, c.Call)
	switch {
	case truth == pattern.Unknown:
		t.Got, t.Why = "it cannot be told", "the condition depends on what is unknown of the call"
		return t
	case truth == pattern.True && !inScope:
		t.Why = "the condition matches, and the call is not in the scope of the rule"
	case truth == pattern.True:
		t.Why = "the condition matches"
	default:
		t.Why = "the condition does not match"
	}
	matches := truth == pattern.True && inScope
	t.Got, t.Passed = matchWords[matches], matches == *c.Match
	return t
}

// problemsOf returns the problems that an error holds.
func problemsOf(err error) []Problem {
	var found config.Problems
	if !errors.As(err, &found) {
		return []Problem{{Text: err.Error()}}
	}
	var out []Problem
	for _, p := range found {
		out = append(out, Problem{Line: p.Line, Column: p.Column, Text: p.Text, Hint: p.Hint})
	}
	return out
}
