package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

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
