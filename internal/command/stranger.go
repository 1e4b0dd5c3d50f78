package command

import (
	"slices"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// isStranger reports whether nothing is known of the program, and its words, or its input,
// are code by what its options are called.
func (c *Command) isStranger() bool {
	if c.Row() != nil || c.Function || c.Keyword || c.Name == "" {
		return false
	}
	takesCode := func(v string) bool {
		name, _, _ := cutOption(v)
		return program.TakesCode(name)
	}
	return c.takesInput() || slices.ContainsFunc(c.ownWords(), func(w shell.Word) bool {
		return slices.ContainsFunc(w.Values, takesCode)
	})
}

// ownWords returns the words of a program of which nothing is known, up to one that names a
// program: what follows that is its own.
func (c *Command) ownWords() []shell.Word {
	return c.Words[:1+min(nextProgram(c.Words[1:]), len(c.Words)-1)]
}

// takesInput reports whether the only word behind the program says that it works on its
// input.
func (c *Command) takesInput() bool { return len(c.Words) == 2 && c.Words[1].Has("-") }

// obeyStranger notes the code that a program is given of which nothing is known.
func (c *Command) obeyStranger(told *Told) {
	e := &escaping{home: told.Home}
	own := c.ownWords()
	for k := range own {
		for _, v := range own[k].Values {
			name, value, attached := cutOption(v)
			if !program.TakesCode(name) {
				continue
			}
			values := []string{value}
			if e.span = own[k].Span; !attached && k+1 < len(c.Words) {
				values, e.span = c.Words[k+1].Values, c.Words[k+1].Span
			}
			for _, text := range values {
				if e.code(text); program.TakesLine(name) {
					e.add(text, Shelled)
				}
			}
		}
	}
	if c.takesInput() {
		e.span = c.Span
		for _, text := range told.Input().Values {
			e.code(text)
		}
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
