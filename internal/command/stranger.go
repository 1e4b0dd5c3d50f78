package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// isStranger reports whether nothing is known of the program, and its words, or its input,
// are code by what its options are called.
func (c *Command) isStranger() bool {
	if c.Row() != nil || c.Function || c.Keyword || c.Name == "" {
		return false
	}
	return c.takesInput() || slices.ContainsFunc(c.Words, func(w shell.Word) bool {
		return slices.ContainsFunc(w.Values, func(v string) bool { name, _, _ := cutOption(v); return program.TakesCode(name) })
	})
}

// takesInput reports whether the only word behind the program says that it works on its
// input.
func (c *Command) takesInput() bool { return len(c.Words) == 2 && c.Words[1].Has("-") }

// cutOption divides an option at what attaches its argument.
func cutOption(v string) (name, value string, attached bool) {
	if i := strings.IndexAny(v, "=:"); i > 0 && strings.HasPrefix(v, "-") {
		return v[:i], v[i+1:], true
	}
	return v, "", false
}

// obeyStranger notes the code that a program is given of which nothing is known.
func (c *Command) obeyStranger(told *Told) {
	e := &escaping{home: told.Home}
	for k := range c.Words[1:] {
		for _, v := range c.Words[k+1].Values {
			name, value, attached := cutOption(v)
			if !program.TakesCode(name) {
				continue
			}
			values := []string{value}
			if e.span = c.Words[k+1].Span; !attached && k+2 < len(c.Words) {
				values, e.span = c.Words[k+2].Values, c.Words[k+2].Span
			}
			for _, text := range values {
				if e.code(text); program.TakesLine(name) {
					e.add(text, Shelled)
				}
			}
		}
	}
	if c.takesInput() {
		e.rest(told.Input().Values, c, func(text string, span shell.Span, _ bool) { e.span = span; e.code(text) })
	}
	if len(e.list) > 0 {
		c.order().escapes = e.list
	}
}

// code adds a text as code in a language of which nothing is known.
func (e *escaping) code(text string) {
	if len(text) <= shell.MaxSource {
		e.add(text, Rough)
	}
}
