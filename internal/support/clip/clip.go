// Package clip shortens what a message repeats.
//
// It cuts at the end of a character and knows no screen: how wide a text is
// shown it does not ask.
package clip

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// most is how many characters of a file a message repeats.
const most = 60

// Line shortens a text to 60 characters, and shows a stand-in for what a reader
// would not see.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, Shorten(s))
}

// Quote does the same with escapes for what a reader would not see.
func Quote(s string) string { return strconv.Quote(Shorten(s)) }

// Shorten shortens a text to 60 characters.
func Shorten(s string) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Text shortens a text to a number of bytes.
func Text(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
