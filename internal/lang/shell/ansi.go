package shell

import (
	"strings"
	"unicode/utf8"
)

// simpleEscapes are the letters that follow a backslash in $'…' and in the
// format of printf (bash manual, ANSI-C Quoting).
var simpleEscapes = [256]byte{
	'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11,
	'\\': '\\', '\'': '\'', '"': '"', '?': '?',
}

// ANSIC decodes the text of $'…'. A NUL ends it, as in bash.
func ANSIC(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		n, size := EscapeAt(&b, s[i+1:])
		if n == 0 && size > 0 {
			break
		}
		i += 1 + max(size, 1)
	}
	return b.String()
}

// EscapeAt writes what the escape at the start of s, after its backslash,
// stands for. It returns how many bytes it wrote and how many it read; none
// written and some read means a NUL.
func EscapeAt(b *strings.Builder, s string) (wrote, read int) {
	start := b.Len()
	if c := simpleEscapes[s[0]]; c != 0 {
		b.WriteByte(c)
		return 1, 1
	}
	switch c := s[0]; {
	case c >= '0' && c <= '7':
		v, n := Digits(s, 3, 8)
		read = n
		WriteByte(b, v)
	case c == 'x':
		v, n := Digits(s[1:], 2, 16)
		if n == 0 {
			b.WriteString("\\x")
			return 2, 1
		}
		read = 1 + n
		WriteByte(b, v)
	case c == 'u' || c == 'U':
		width := 4
		if c == 'U' {
			width = 8
		}
		v, n := Digits(s[1:], width, 16)
		if n == 0 {
			b.WriteString("\\" + s[:1])
			return 2, 1
		}
		read = 1 + n
		if v != 0 && v <= utf8.MaxRune {
			b.WriteRune(rune(v))
		}
	case c == 'c' && len(s) > 1:
		read = 2
		WriteByte(b, int(s[1]&0x1f))
	default:
		b.WriteByte('\\')
		b.WriteByte(c)
		return 2, 1
	}
	return b.Len() - start, read
}

// WriteByte writes the byte of a number, of which eight bits count, and nothing for 0.
func WriteByte(b *strings.Builder, v int) {
	if v &= 0xff; v != 0 {
		b.WriteByte(byte(v))
	}
}

// Digits reads at most width digits.
func Digits(s string, width, base int) (value, n int) {
	for n < len(s) && n < width {
		d := Digit(s[n])
		if d >= base {
			break
		}
		value = value*base + d
		n++
	}
	return value, n
}

// Digit returns the value of a digit of base 16 or less, 16 or more for another byte.
func Digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return 99
}
