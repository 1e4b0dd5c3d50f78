package script

import (
	"strconv"
	"strings"
)

// escaped are letters behind a backslash, and what they stand for.
const escaped, plain = "ntrabfve", "\n\t\r\a\b\f\v\x1b"

// escape writes what an escape means, and returns its length.
func escape(b *strings.Builder, text string, q quotation) int {
	c := text[1]
	if q.half {
		if c != '\\' && string(c) != q.close {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		return 2
	}
	switch c {
	case 'x', 'u', 'U':
		if n, ok := escapeNumber(b, text); ok {
			return n
		}
	case '\n':
		return 2
	}
	if c >= '0' && c <= '7' {
		n := 1
		for n < 4 && n < len(text) && text[n] >= '0' && text[n] <= '7' {
			n++
		}
		v, _ := strconv.ParseUint(text[1:n], 8, 16) // octal digits
		b.WriteRune(rune(v))
		return n
	}
	if i := strings.IndexByte(escaped, c); i >= 0 {
		c = plain[i]
	}
	b.WriteByte(c)
	return 2
}

// escapeNumber writes the character that \x2f, \u002f or \u{2f} means.
func escapeNumber(b *strings.Builder, text string) (int, bool) {
	digits := 2
	switch text[1] {
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	from, to := 2, 2+digits
	next := to
	if len(text) > 2 && text[2] == '{' {
		end := strings.IndexByte(text, '}')
		if end < 0 || end > 12 {
			return 0, false
		}
		from, to, next = 3, end, end+1
	}
	if to > len(text) {
		return 0, false
	}
	v, err := strconv.ParseUint(text[from:to], 16, 32)
	if err != nil {
		return 0, false
	}
	b.WriteRune(rune(v))
	return next, true
}
