package exchange

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

var (
	// plain texts need no quotes between lines, and inFlow none in brackets.
	plain  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z/]([A-Za-z0-9_./ -]*[A-Za-z0-9_./-])?$`) })
	inFlow = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`) })
	// special are plain texts that YAML takes for something else.
	special = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf)$`) })
)

func scalar(s string) string {
	if plain().MatchString(s) && !special().MatchString(s) {
		return s
	}
	return doubleQuoted(s)
}

func flowScalar(s string) string {
	if inFlow().MatchString(s) && !special().MatchString(s) {
		return s
	}
	return doubleQuoted(s)
}

// doubleQuoted returns a text in the quotes of YAML that know escapes; where
// there is a backslash but nothing to escape, in the others.
func doubleQuoted(s string) string {
	if !strings.ContainsFunc(s, escaped) {
		if strings.ContainsAny(s, `\"`) && !strings.Contains(s, "'") {
			return "'" + s + "'"
		}
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case escaped(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		case escaped(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// escaped tells of characters that a reader of the file would not see.
func escaped(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }

// visible returns a text as one line of a comment.
func visible(s string) string {
	if strings.ContainsFunc(s, escaped) {
		return strconv.QuoteToGraphic(s)
	}
	return s
}

// legible escapes what a reader of JSON would not see, as YAML does.
func legible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case !escaped(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	return b.String()
}
