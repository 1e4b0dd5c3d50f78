package view

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// Plain returns a text for where nothing can be marked: what a reader would not see is
// written out as [U+200B], and letters that may look like others have the same behind
// them. Line breaks stay, and more blanks in a row than a line of a phone has are counted.
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
		case r == ' ':
			size = len(s[i:]) - len(strings.TrimLeft(s[i:], " "))
			b.WriteString(gap(size))
		case clip.Hidden(r):
			b.WriteString(named([]rune{r}))
		default:
			b.WriteRune(r)
		}
		i += size
	}
	name()
	return b.String()
}

// maxGap is how many blanks in a row a reader still sees what follows.
const maxGap = 40

// gap writes blanks.
func gap(n int) string {
	if n > maxGap {
		return fmt.Sprintf(" [%d blanks] ", n)
	}
	return strings.Repeat(" ", n)
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
	return r > 0xff && unicode.IsLetter(r) && !clip.Hidden(r) && !unicode.In(r, unlike...)
}
