package readonly

import "strings"

// sums refuses sums for bc that may never end, as far as the line spells them:
// loops, functions, powers of powers, and numbers of very many digits.
func sums(v *attempt) bool {
	for _, part := range [...]string{"while", "for", "define"} {
		if strings.Contains(v.line.Source, part+"(") || strings.Contains(v.line.Source, part+" (") || part == "define" && strings.Contains(v.line.Source, part) {
			return v.fail(v.c.Span, "bc's computation may never end")
		}
	}
	if strings.Count(v.line.Source, "^") > 1 || manyDigits(v.line.Source) {
		return v.fail(v.c.Span, "bc's computation may never end")
	}
	return true
}

// manyDigits reports whether a power, or how many digits bc is to give, is a number of five
// digits or more, or a variable that the line sets.
func manyDigits(source string) bool {
	for _, sign := range [...]string{"^", "scale"} {
		for rest := source; ; {
			_, after, found := strings.Cut(rest, sign)
			if !found {
				break
			}
			rest = after
			number := strings.TrimLeft(after, " \t=+-(")
			name := number[:len(number)-len(strings.TrimLeft(number, "abcdefghijklmnopqrstuvwxyz"))]
			if len(number)-len(strings.TrimLeft(number, "0123456789")) > 4 || name != "" && strings.Contains(source, name+"=") {
				return true
			}
		}
	}
	return false
}
