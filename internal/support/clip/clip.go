// Package clip shortens what a message repeats.
//
// It cuts at the end of a character and knows no screen: how wide a text is
// shown it does not ask.
package clip

import "unicode/utf8"

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
