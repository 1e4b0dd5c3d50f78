package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
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

// CutLast cuts s around the last sep; ok is false, and after empty, where there is none.
func CutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// AliasOf returns the text of an alias; of any where its name is unknown.
func AliasOf(settings []shell.Word, name string, known bool) (value string, at shell.Span, found bool) {
	for _, s := range settings {
		for _, v := range s.Values {
			key, value, ok := strings.Cut(v, "=")
			if ok && len(key) > 6 && strings.EqualFold(key[:6], "alias.") && (!known || strings.EqualFold(key[6:], name)) {
				return value, s.Span, true
			}
		}
	}
	return "", at, false
}
