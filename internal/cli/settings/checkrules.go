package settings

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/lint"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// A witness is a line of calls that shows a problem: policyctl eval --jsonl
// takes it as it is.
type witness struct {
	Tool   string         `json:"tool"` // any: the record is all that counts
	Record *record.Record `json:"record"`
	Scope  *witnessScope  `json:"scope,omitempty"`
}

type witnessScope struct {
	Plugin      string `json:"plugin,omitempty"`
	Profile     string `json:"profile,omitempty"`
	Integration string `json:"integration,omitempty"`
}

// rules adds what is probably not meant about the rules of each layer, which
// are a set of their own.
func (c *checkJSON) rules(sets []config.LayerRules) {
	for _, set := range sets {
		for _, f := range lint.Lint(set.Rules) {
			c.Problems = append(c.Problems, ruleProblem(&f))
		}
	}
}

func ruleProblem(f *lint.Finding) problemRow {
	at := f.Rules[0].Origin
	row := problemRow{
		Level: f.Severity.String(), File: console.OrNull(at.File), Kind: string(f.Kind), Next: f.Next,
		Text: fmt.Sprintf("rule %s: %s", f.Rules[0].ID, f.Text),
	}
	if f.Kind == lint.NoExamples || f.Kind == lint.NotAnalysed {
		row.Text = f.Text // names the rules itself
	}
	if at.Line > 0 {
		row.Line = &at.Line
	}
	for _, r := range f.Rules {
		row.Rules = append(row.Rules, ruleRow{r.ID, console.OrNull(r.Origin.String())})
	}
	if f.Witness == nil {
		return row
	}
	row.Witness = &witness{Tool: "record", Record: f.Witness}
	if f.Scope != (pattern.Scope{}) {
		row.Witness.Scope = &witnessScope{f.Scope.Plugin, f.Scope.Profile, f.Scope.Integration}
	}
	return row
}

// A ruleRow is a rule that a problem is about.
type ruleRow struct {
	ID    string  `json:"id"`
	Place *string `json:"place"`
}

// others says where the rules are that a problem is about beside the first.
func (p *problemRow) others() string {
	if p.Witness == nil {
		return "" // it is about each of them alone
	}
	var b strings.Builder
	for _, r := range p.Rules[1:] {
		if r.Place != nil {
			fmt.Fprintf(&b, " [%s: %s]", r.ID, *r.Place)
		}
	}
	return b.String()
}
