package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// EscapePattern makes text stand for itself in a pattern.
func EscapePattern(s string) string {
	if !strings.ContainsAny(s, "\\*?[") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	from := 0
	for i := range len(s) {
		if IsMeta(s[i]) {
			b.WriteString(s[from:i])
			b.WriteByte('\\')
			from = i
		}
	}
	b.WriteString(s[from:])
	return b.String()
}

// IsMeta reports whether a byte is special in a pattern.
func IsMeta(c byte) bool { return c == '\\' || c == '*' || c == '?' || c == '[' }

// UnescapePattern removes the backslashes that quote in a pattern.
func UnescapePattern(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			break
		}
		b.WriteString(s[:i])
		b.WriteByte(s[i+1])
		s = s[i+2:]
	}
	b.WriteString(s)
	return b.String()
}

// GlobPrefix returns the literal text before the first special character.
func GlobPrefix(p string) string {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return UnescapePattern(p[:i])
		}
	}
	return UnescapePattern(p)
}

// AnyGlob reports whether a value has a special character that is one: a bracket
// without its partner stands for itself.
func AnyGlob(values []string) bool {
	for _, v := range values {
		for i := 0; i < len(v); i++ {
			switch v[i] {
			case '\\':
				i++
			case '*', '?':
				return true
			case '[':
				if strings.Contains(v[i+1:], "]") {
					return true
				}
			}
		}
	}
	return false
}

// UnescapeQuoted removes the backslashes that quote in double quotes (POSIX
// 2.2.3).
func UnescapeQuoted(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case '$', '`', '"', '\\':
				i++
			case '\n':
				i++
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// WordText returns the text that a word is in every case, whatever it is quoted with; "" for
// one that holds something to expand.
func WordText(w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			text, ok := ConstantText(p.Parts)
			if !ok {
				return ""
			}
			b.WriteString(text)
		default:
			return ""
		}
	}
	return b.String()
}

// ConstantText returns what stands in double quotes; it is false where more than a
// literal without backslashes does.
func ConstantText(parts []syntax.WordPart) (string, bool) {
	if len(parts) == 0 {
		return "", true
	}
	lit, ok := parts[0].(*syntax.Lit)
	if !ok || len(parts) > 1 || strings.Contains(lit.Value, "\\") {
		return "", false
	}
	return lit.Value, true
}

// Unquoted returns the index of the first of some signs that is not in quotes, the
// length of the text where there is none.
func Unquoted(text, signs string) int {
	if signs == "" {
		return len(text)
	}
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case strings.IndexByte(signs, b) >= 0:
			return i
		case (b == '"' || b == '\'') && strings.IndexByte(text[i+1:], b) >= 0:
			quote = b
		}
	}
	return len(text)
}

// Lower returns an ASCII letter in lower case.
func Lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// IsNameByte reports whether a text has a letter, a digit or a low line at an index.
func IsNameByte(text string, i int) bool {
	return i < len(text) && (Lower(text[i]) >= 'a' && Lower(text[i]) <= 'z' || text[i] >= '0' && text[i] <= '9' || text[i] == '_')
}
