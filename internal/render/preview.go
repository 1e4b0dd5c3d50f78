package render

import (
	"fmt"

	"github.com/policyctl/policyctl/internal/authoring/preview"
)

// Preview writes what a rule would have matched.
func (p *Page) Preview(r *preview.Report) {
	p.line(Plain(fmt.Sprintf("%s would have matched %d of %s", r.Rule, r.Matched, plural(r.Total, "call"))))
	if r.OutOfScope > 0 {
		p.line(fmt.Sprintf("%s more would match, but not in the scope of the rule", plural(r.OutOfScope, "call")))
	}
	if r.Unknown > 0 {
		p.line(fmt.Sprintf("of %s it cannot be said: what the rule looks at is unknown", plural(r.Unknown, "call")))
	}
	for _, s := range r.Samples {
		p.line("  ", Plain(s.Text), p.style(faint, "  "+Plain(s.At)))
	}
	if more := r.Matched - len(r.Samples); more > 0 {
		p.line(fmt.Sprintf("  and %d more", more))
	}
	p.problems(r.Problems)
}
