package command

import (
	"strings"
)

// NamesDotOption reports whether a text names the option, as shells spell it: dotglob,
// GLOB_DOTS.
func NamesDotOption(text string) bool {
	text = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(text))
	return strings.Contains(text, "dotglob") || strings.Contains(text, "globdots")
}
