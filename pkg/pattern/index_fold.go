package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestKey bounds the literals that an index holds. A part of what a text
// must contain is also what it must contain.
const longestKey = 128

// canonical returns a literal as tries hold it. Texts that are equal, or equal
// but for their case in the eyes of contains or of a regular expression, have
// the same canonical text. ok is false where the literal is no valid text,
// which has none.
func canonical(literal string) (key string, ok bool) {
	if !utf8.ValidString(literal) {
		return "", false
	}
	var b strings.Builder
	for _, r := range literal {
		r = canon(r)
		if b.Len()+utf8.RuneLen(r) > longestKey {
			break
		}
		b.WriteRune(r)
	}
	return b.String(), true
}

// canon returns the character that stands for all those that differ from it in
// their case alone: also for the Kelvin sign and for both kinds of i.
func canon(r rune) rune {
	if r >= utf8.RuneSelf {
		return unicode.ToLower(unicode.ToUpper(r))
	}
	if 'A' <= r && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r
}
