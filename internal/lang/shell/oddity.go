package shell

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Oddities returns the characters of src that hide text from a reader.
func Oddities(src string) []Oddity {
	var out []Oddity
	for i := 0; i < len(src); {
		if i%8 == 0 {
			if i += printable(src[i:]); i == len(src) {
				break
			}
		}
		c := src[i]
		if c-0x20 < 0x7f-0x20 || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			out = append(out, Oddity{fmt.Sprintf("the control character U+%04X", c), Span{i, i + 1}})
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(src[i:])
		if why := odd(r, size); why != "" {
			out = append(out, Oddity{why, Span{i, i + size}})
		}
		if len(out) == 16 {
			break
		}
		i += size
	}
	return out
}

// printable returns how many bytes at the start of a text, in eights, are printable
// ASCII.
func printable(s string) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		del := x ^ ones*0x7f
		if ((x-ones*0x20)&^x|(del-ones)&^del|x)&highs != 0 {
			break
		}
	}
	return i
}

// odd says why a character hides text from a reader, "" if it does not. The
// directional and zero-width ones are those of UAX #9 and the Unicode category
// Cf.
func odd(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return "a byte that is not UTF-8"
	case r >= 0x80 && r <= 0x9f:
		return fmt.Sprintf("the control character U+%04X", r)
	case unicode.Is(unicode.Cf, r):
		return fmt.Sprintf("the invisible character U+%04X", r)
	case r == 0x2028 || r == 0x2029:
		return fmt.Sprintf("the line separator U+%04X", r)
	case r == 0xa0 || r >= 0x2000 && r <= 0x200a || r == 0x3000 || r == 0x115f || r == 0x1160 || r == 0x3164:
		return fmt.Sprintf("the blank U+%04X, which no shell takes for one", r)
	}
	return ""
}

// Fold returns a program or option word as a reader sees it: in lower case,
// full-width forms as the letters they look like.
func Fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] >= 'A' && s[i] <= 'Z' {
			return foldSlow(s)
		}
	}
	return s
}

func foldSlow(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if r >= 0xff01 && r <= 0xff5e {
			r -= 0xfee0
		}
		out = append(out, unicode.ToLower(r))
	}
	return string(out)
}
