package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// Flags reports whether a built-in has one of some options, which are letters and
// stand before all else.
func (c *Command) Flags(letters string) bool {
	for _, w := range c.Words[1:] {
		v, _ := w.Literal()
		if !strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "+") {
			return false
		}
		if v[0] == '-' && strings.ContainsAny(v, letters) {
			return true
		}
	}
	return false
}

// OptionArgs returns the argument of the first option of a built-in that is a letter,
// -p x or -px. Options stand before all else.
func OptionArgs(words []shell.Word, letter string) []shell.Word {
	for k, w := range words {
		v, _ := w.Literal()
		if len(v) < 2 || v[0] != '-' && v[0] != '+' {
			return nil
		}
		_, rest, found := strings.Cut(v[1:], letter)
		switch {
		case found && rest != "":
			w.Values = []string{rest}
			return []shell.Word{w}
		case found:
			return words[k+1 : min(k+2, len(words))]
		}
	}
	return nil
}

// TakesNumber reports whether a built-in takes a word for a number or a name. A test
// does where an operator says so, and printf behind -v.
func (c *Command) TakesNumber(k int) bool {
	switch c.Sums() {
	case "name":
		names := OptionArgs(c.Words[1:], "v")
		return len(names) > 0 && names[0].Span == c.Words[k].Span
	case "words":
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

// NamesDotOption reports whether a text names the option, as shells spell it: dotglob,
// GLOB_DOTS.
func NamesDotOption(text string) bool {
	text = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(text))
	return strings.Contains(text, "dotglob") || strings.Contains(text, "globdots")
}
