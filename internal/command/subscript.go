package command

import (
	"slices"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// evaluates reports whether a built-in takes a word for a number or a name. A test
// does where an operator says so, and printf behind -v.
func (c *Command) TakesNumber(k int) bool {
	switch c.Path {
	case "printf", "print":
		names := OptionArgs(c.Words[1:], "v")
		return len(names) > 0 && names[0].Span == c.Words[k].Span
	case "test", "[", "[[":
		before := c.Words[k-1]
		return before.Has("-v") || before.Has("-R") || before.Has("-t") || comparesNumbers(before.Set) || k+1 < len(c.Words) && comparesNumbers(c.Words[k+1].Set)
	}
	return true
}

// comparesNumbers reports whether a word of a test may compare numbers.
func comparesNumbers(s shell.Set) bool {
	return slices.ContainsFunc(s.Values, func(v string) bool {
		switch v {
		case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
			return true
		}
		return false
	})
}
