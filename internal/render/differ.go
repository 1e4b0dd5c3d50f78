package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/differ"
)

// Differ writes what two policies decide differently.
func (p *Page) Differ(r *differ.Report) {
	for i := range r.Changes {
		if i == shownChanges {
			p.line(fmt.Sprintf("and %d more ways to differ; --json shows all", len(r.Changes)-i))
			break
		}
		p.change(&r.Changes[i])
	}
	total := 0
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(r.Calls)) {
		total += r.Calls[kind]
		parts = append(parts, fmt.Sprintf("%d %s", r.Calls[kind], kind))
	}
	tried := fmt.Sprintf("%s (%s)", plural(total, "call"), strings.Join(parts, ", "))
	p.problems(r.Problems)
	if r.Same() {
		p.line("no verdict differs in " + tried)
		return
	}
	p.line(fmt.Sprintf("%d looser, %d stricter, %d moved of %s", r.Looser, r.Stricter, r.Moved, tried))
}

func (p *Page) change(c *differ.Change) {
	word, colour := "moved", yellow
	switch {
	case c.To.Decision > c.From.Decision:
		word, colour = "looser", red
	case c.To.Decision < c.From.Decision:
		word, colour = "stricter", green
	}
	p.line(p.style(bold+colour, pad(word, 9)), Plain(sideText(c.From.Side)+" → "+sideText(c.To.Side)), "  ", plural(c.Count, "call"))
	for _, s := range c.Samples {
		p.line("  ", Plain(s.Text), p.style(faint, "  "+Plain(s.At)))
	}
	if c.From.Side == c.To.Side {
		p.line("  ", Plain("asked with: "+c.From.Terms+" → "+c.To.Terms))
	}
}
