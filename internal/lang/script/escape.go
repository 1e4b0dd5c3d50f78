package script

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// escaped are letters behind a backslash, and what they stand for.
const escaped, plain = "ntrabfve", "\n\t\r\a\b\f\v\x1b"

// escape adds what an escape means to a text, and returns its length too.
func escape(out []byte, text string, q quotation) ([]byte, int) {
	c := text[1]
	if q.half {
		if c != '\\' && text[1:2] != q.close {
			out = append(out, '\\')
		}
		return append(out, c), 2
	}
	switch c {
	case 'x', 'u', 'U':
		if r, n := escapeNumber(text); n > 0 {
			return utf8.AppendRune(out, r), n
		}
	case '\n':
		return out, 2
	}
	if c >= '0' && c <= '7' {
		n := 1
		for n < 4 && n < len(text) && text[n] >= '0' && text[n] <= '7' {
			n++
		}
		v, _ := strconv.ParseUint(text[1:n], 8, 16) // octal digits
		return utf8.AppendRune(out, rune(v)), n
	}
	if i := strings.IndexByte(escaped, c); i >= 0 {
		c = plain[i]
	}
	return append(out, c), 2
}

// escapeNumber returns the character that \x2f, \u002f or \u{2f} means, and the
// length of that; 0 where it means none.
func escapeNumber(text string) (rune, int) {
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
			return 0, 0
		}
		from, to, next = 3, end, end+1
	}
	if to > len(text) {
		return 0, 0
	}
	v, err := strconv.ParseUint(text[from:to], 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(v), next
}
