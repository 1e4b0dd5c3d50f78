package render

import (
	"strings"

	"github.com/policyctl/policyctl/internal/support/null"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// A Rule is a rule of a table as JSON.
type Rule struct {
	ID       string   `json:"id"`
	Class    string   `json:"class"`
	Why      string   `json:"why"`
	Instead  *string  `json:"instead"`
	Programs []string `json:"programs"`
	Hit      []string `json:"hit"`
	Miss     []string `json:"miss"`
}

// NewRules returns the JSON of rules.
func NewRules(rules []hazard.Rule) []Rule {
	out := make([]Rule, len(rules))
	for i, r := range rules {
		out[i] = Rule{r.ID, r.Class, r.Why, null.Of(r.Instead), r.Names(), r.Hit, r.Miss}
	}
	return out
}

// RuleList writes the id and the reason of each rule, grouped by class.
func (p *Page) RuleList(rules []hazard.Rule) {
	width := 0
	for _, r := range rules {
		width = max(width, len(r.ID))
	}
	var classes []string
	rows := make(map[string][][]string)
	for _, r := range rules {
		if rows[r.Class] == nil {
			classes = append(classes, r.Class)
		}
		rows[r.Class] = append(rows[r.Class], []string{"  " + pad(r.ID, width), r.Why})
	}
	for i, class := range classes {
		if i > 0 {
			p.line()
		}
		p.line(p.style(bold, Plain(class)))
		p.Table(rows[class])
	}
}

// Rule writes one rule with its examples.
func (p *Page) Rule(r *hazard.Rule) {
	p.field("rule", r.ID)
	p.field("class", r.Class)
	p.field("why", r.Why)
	p.field("instead", r.Instead)
	p.field("programs", strings.Join(r.Names(), " "))
	p.fields("matches", r.Hit)
	p.fields("not", r.Miss)
}
