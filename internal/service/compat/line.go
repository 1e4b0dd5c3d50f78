package compat

import (
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// maxLine bounds a line, in characters.
const maxLine = 200

// line makes a text one short line in which nothing hides. The whole text is
// shown elsewhere.
func line(s string) string {
	s = clip.Legible(strings.Join(strings.Fields(s), " "))
	if runes := []rune(s); len(runes) > maxLine {
		return string(runes[:maxLine-1]) + "…"
	}
	return s
}
