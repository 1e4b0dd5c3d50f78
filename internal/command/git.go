package command

import (
	"strings"
)

// ExternalHelper returns the command of ext::, in which blanks part the words
// and "% " is a blank within one, as a line for a shell.
func ExternalHelper(text string) string {
	words := strings.Fields(strings.ReplaceAll(text, "% ", "\x00"))
	for i, w := range words {
		w = strings.ReplaceAll(strings.ReplaceAll(w, "\x00", " "), "%%", "%")
		if strings.ContainsAny(w, " '") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}
