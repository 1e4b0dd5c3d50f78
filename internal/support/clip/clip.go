// Package clip shortens what a message repeats, and knows which characters hide.
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

// Line shortens a text to 60 characters, and makes it legible.
func Line(s string) string { return Legible(Shorten(s)) }

// Empty reports whether a character leaves nothing to see, or something that depends
// on the screen: controls, blanks that are not the blank, fillers, selectors of
// variants, and what Unicode has not assigned.
func Empty(r rune) bool {
	if r < 0x80 {
		return unicode.IsControl(r)
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.C, unicode.Z, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, blank)
}

// blank are characters of other categories whose picture is empty: the Braille
// pattern, the Khitan filler, the Egyptian blanks and the null notehead.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{{0x2800, 0x2800, 1}},
	R32: []unicode.Range32{{0x13441, 0x13442, 1}, {0x16fe4, 0x16fe4, 1}, {0x1d159, 0x1d159, 1}},
}

// Hidden reports whether a reader cannot tell a character from nothing, from a blank,
// from another order of the text, or from a part of the letter before it.
func Hidden(r rune) bool { return Empty(r) || unicode.In(r, unicode.Mn, unicode.Me) }

// Legible puts a stand-in for what leaves nothing to see.
func Legible(s string) string {
	return strings.Map(func(r rune) rune {
		if Empty(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Quote shortens a text to 60 characters, with escapes for what a reader would not see.
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
