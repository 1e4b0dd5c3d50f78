package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Matches reports whether a pattern of a [Set] matches a whole text without
// slashes: * and ? and [...] as in POSIX 2.13, a backslash quotes. A class such
// as [:alpha:] counts as ASCII has it or as Unicode does; one that is unknown
// matches anything.
func Matches(pattern, text string) bool {
	star, behind := -1, 0 // the last * of the pattern, and how far the text was then
	p, t := 0, 0
	for t < len(text) {
		if p < len(pattern) {
			if pattern[p] == '*' {
				star, behind = p, t
				p++
				continue
			}
			if pn, tn, ok := matchOne(pattern[p:], text[t:]); ok {
				p, t = p+pn, t+tn
				continue
			}
		}
		if star < 0 {
			return false
		}
		_, n := utf8.DecodeRuneInString(text[behind:])
		behind += n
		p, t = star+1, behind
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchOne matches what stands for one character at the start of a pattern,
// and returns the bytes of both that it takes.
func matchOne(pattern, text string) (p, t int, ok bool) {
	c, n := utf8.DecodeRuneInString(text)
	switch pattern[0] {
	case '?':
		return 1, n, true
	case '[':
		if size, hit, ok := matchClass(pattern, c); ok {
			return size, n, hit
		}
	case '\\':
		if len(pattern) > 1 {
			want, size := utf8.DecodeRuneInString(pattern[1:])
			return 1 + size, n, want == c && pattern[1:1+size] == text[:n]
		}
	}
	want, size := utf8.DecodeRuneInString(pattern)
	return size, n, want == c && pattern[:size] == text[:n]
}

// matchClass matches the bracket expression at the start of a pattern, and
// returns its bytes; ok is false where it has no end and is plain text.
func matchClass(pattern string, c rune) (size int, hit, ok bool) {
	i := 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	for begin := i; ; {
		if i >= len(pattern) {
			return 0, false, false
		}
		if pattern[i] == ']' && i > begin {
			return i + 1, hit != negated, true
		}
		if name, n := className(pattern[i:]); n > 0 {
			hit = hit || inClass(name, c)
			i += n
			continue
		}
		lo, n := classRune(pattern[i:])
		i += n
		hi := lo
		if i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			hi, n = classRune(pattern[i+1:])
			i += 1 + n
		}
		hit = hit || lo <= c && c <= hi
	}
}

// classRune returns a character of a bracket expression, which a backslash may
// quote.
func classRune(s string) (c rune, size int) {
	if s[0] == '\\' && len(s) > 1 {
		c, size = utf8.DecodeRuneInString(s[1:])
		return c, size + 1
	}
	return utf8.DecodeRuneInString(s)
}

// className returns what stands between [: and :], or [= and =], or [. and .],
// and the bytes of it all; 0 where it is none of them.
func className(s string) (name string, size int) {
	if len(s) < 4 || s[0] != '[' || strings.IndexByte(":=.", s[1]) < 0 {
		return "", 0
	}
	end := strings.Index(s[2:], s[1:2]+"]")
	if end < 0 {
		return "", 0
	}
	return s[1:2] + s[2:2+end], end + 4
}

func inClass(name string, c rune) bool {
	switch name {
	case ":alpha":
		return unicode.IsLetter(c)
	case ":digit":
		return c >= '0' && c <= '9'
	case ":alnum":
		return unicode.IsLetter(c) || unicode.IsNumber(c)
	case ":upper":
		return unicode.IsUpper(c)
	case ":lower":
		return unicode.IsLower(c)
	case ":space", ":blank":
		return unicode.IsSpace(c)
	case ":punct":
		return unicode.IsPunct(c) || unicode.IsSymbol(c)
	case ":xdigit":
		return strings.ContainsRune("0123456789abcdefABCDEF", c)
	}
	return true
}
