package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

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
