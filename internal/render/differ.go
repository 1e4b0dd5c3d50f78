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

// DifferMarkdown writes the same as a comment in Markdown.
func (p *Page) DifferMarkdown(r *differ.Report) {
	total := 0
	for _, n := range r.Calls {
		total += n
	}
	if r.Same() {
		p.line(fmt.Sprintf("**policyctl:** no verdict differs in %s.", plural(total, "call")))
		return
	}
	p.line(fmt.Sprintf("**policyctl:** of %s, %d looser, %d stricter and %d decided alike by another stage or rule.", plural(total, "call"), r.Looser, r.Stricter, r.Moved))
	p.line()
	p.line("| | from | to | calls | for example |")
	p.line("|---|---|---|---:|---|")
	for i := range r.Changes {
		if i == shownChanges {
			p.line()
			p.line(fmt.Sprintf("and %d more ways to differ.", len(r.Changes)-i))
			break
		}
		c, example := &r.Changes[i], ""
		if len(c.Samples) > 0 {
			example = code(c.Samples[0].Text)
		}
		p.line(fmt.Sprintf("| %s | %s | %s | %d | %s |", changed(c), tableCell(sideText(c.From.Side)), tableCell(sideText(c.To.Side)), c.Count, example))
	}
}

// tableCell returns a text that stands in a table of Markdown.
func tableCell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'", "@", "@\u200b").Replace(Plain(s))
}

// code returns a text as code in a table of Markdown, shortened.
func code(s string) string {
	text := []rune(strings.NewReplacer("|", `\|`, "`", "'").Replace(Plain(s)))
	if len(text) > shownExample {
		text = append(text[:shownExample], '…')
	}
	return "`" + string(text) + "`"
}

// changed says which way a change goes.
func changed(c *differ.Change) string {
	switch {
	case c.To.Decision > c.From.Decision:
		return "looser"
	case c.To.Decision < c.From.Decision:
		return "stricter"
	}
	return "moved"
}

func (p *Page) change(c *differ.Change) {
	word := changed(c)
	colour := map[string]string{"moved": yellow, "looser": red, "stricter": green}[word]
	p.line(p.style(bold+colour, pad(word, 9)), Plain(sideText(c.From.Side)+" → "+sideText(c.To.Side)), "  ", plural(c.Count, "call"))
	for _, s := range c.Samples {
		p.line("  ", Plain(s.Text), p.style(faint, "  "+Plain(s.At)))
	}
	if c.From.Side == c.To.Side {
		p.line("  ", Plain("asked with: "+c.From.Terms+" → "+c.To.Terms))
	}
}
