package shell

import (
	"slices"
	"strings"
)

// MatchesHidden reports whether a * may match names that begin with a dot: the line sets
// an option or a variable that may have this effect, or runs text that nobody knows and
// that may set one.
func (l *Line) MatchesHidden() bool {
	return slices.ContainsFunc(l.Commands, func(c Command) bool {
		switch c.Name {
		case "shopt", "setopt", "unsetopt", "emulate", "options", "source", ".":
			return true
		case "set":
			if slices.ContainsFunc(c.Words[1:], func(w Word) bool { return !w.Known() || strings.Contains(w.Values[0], "4") }) {
				return true // zsh's -4
			}
		}
		if c.Name == "" && len(c.Words) > 0 || c.Opaque != "" {
			return true
		}
		return slices.ContainsFunc(c.Assigns, func(a Assign) bool {
			return a.Name == "GLOBIGNORE" || a.Name == "FIGNORE" || a.Steers
		}) || slices.ContainsFunc(c.Words, func(w Word) bool { return slices.ContainsFunc(w.Values, namesDotOption) })
	})
}

// namesDotOption reports whether a text names the option, as shells spell it: dotglob,
// GLOB_DOTS.
func namesDotOption(text string) bool {
	text = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(text))
	return strings.Contains(text, "dotglob") || strings.Contains(text, "globdots")
}
