package compat

import (
	"strings"
	"unicode"
)

// maxLine bounds a line, in characters.
const maxLine = 200

// line makes a text one short line in which nothing hides. The whole text is
// shown elsewhere.
func line(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	s = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > maxLine {
		return string(runes[:maxLine-1]) + "…"
	}
	return s
}
