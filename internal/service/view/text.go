package view

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden reports whether a reader cannot tell a character from nothing, from a blank
// or from another order of the text.
func Hidden(r rune) bool {
	switch {
	case r < 0x80:
		return unicode.IsControl(r)
	case unicode.IsSpace(r), unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Zs, unicode.Mn, unicode.Me):
		return true
	}
	// Fillers that are letters and symbols by their class, and what no font has.
	return r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0' || r == '\u2800' || !unicode.IsPrint(r)
}

// Plain returns a text for where nothing can be marked: what a reader would not see is
// written out as [U+200B], and letters that may look like others have the same behind
// them. Line breaks stay.
func Plain(s string) string {
	var b strings.Builder
	var alike []rune // that are written and not named yet
	name := func() {
		if len(alike) > 0 {
			b.WriteString(named(alike))
			alike = nil
		}
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if looksAlike(r) {
			alike = append(alike, r)
			b.WriteRune(r)
			i += size
			continue
		}
		name()
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `[\x%02X]`, s[i])
		case r == '\n':
			b.WriteByte('\n')
		case Hidden(r):
			b.WriteString(named([]rune{r}))
		default:
			b.WriteRune(r)
		}
		i += size
	}
	name()
	return b.String()
}

// maxNamed bounds how many letters of a word are named.
const maxNamed = 3

// named writes the numbers of characters.
func named(all []rune) string {
	var parts []string
	for i, r := range all {
		if i == maxNamed {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("U+%04X", r))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// unlike are scripts of which no letter passes for one of ASCII.
var unlike = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Arabic, unicode.Hebrew, unicode.Thai, unicode.Devanagari,
}

// looksAlike reports whether a letter may pass for one of ASCII. Those of Latin-1 bear
// marks that a reader sees.
func looksAlike(r rune) bool {
	return r > 0xff && unicode.IsLetter(r) && !Hidden(r) && !unicode.In(r, unlike...)
}
