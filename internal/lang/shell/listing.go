package shell

import (
	"strings"
)

// Patterns returns the paths that words name, as patterns.
func Patterns(words []Word) Set {
	out := Set{Open: true, Glob: true}
	for i := range words {
		w := &words[i]
		for _, v := range w.Values {
			if strings.HasPrefix(v, "-") || strings.HasPrefix(v, "%") {
				continue // an option or a format
			}
			if !w.Glob {
				v = EscapePattern(v)
			}
			out.Values = append(out.Values, v)
		}
	}
	return out
}

func Globbed(words []Word) bool {
	for i := range words {
		if words[i].Glob {
			return true
		}
	}
	return false
}
