package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/script"
)

// isGiven reports whether a text holds what the program reads when it runs, and
// nothing else that is unknown.
func isGiven(text string) bool {
	return !script.IsKnown(text) && !strings.Contains(text, script.Unknown) && !strings.Contains(text, script.Argument)
}

// denies reports whether the floor denies some words with what is given to the
// program in its place, and a word that means nothing in that of what is not
// known.
func (in *caller) denies(words []string, test func([]string) bool) bool {
	if !slices.ContainsFunc(words, func(w string) bool { return !script.IsKnown(w) }) {
		return test(words)
	}
	words = filled(words, script.Unknown, "unknown", script.Argument, "unknown")
	if in.isInput || !slices.ContainsFunc(words, isGiven) {
		return test(words)
	}
	if in.isGivenPlace() {
		for _, place := range [...]string{"/", "/*"} { // all that a find hands on
			if test(filled(words, script.Input, place, script.Field(0), place)) {
				return true
			}
		}
	}
	return anyInput(in.s, in.c, func(text string) bool {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			made := filled(words, script.Input, line, script.Field(0), line)
			for i, field := range strings.Fields(line) {
				made = filled(made, script.Field(i+1), field)
			}
			if test(made) {
				return true
			}
		}
		return false
	})
}

func filled(words []string, pairs ...string) []string {
	r := strings.NewReplacer(pairs...)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = r.Replace(w)
	}
	return out
}
