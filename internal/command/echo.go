package command

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// Literals returns the values of words that all have one.
func Literals(words []shell.Word) ([]string, bool) {
	out := make([]string, len(words))
	size := 0
	for i := range words {
		v, ok := words[i].Literal()
		if size += len(v); !ok || size > MaxOutput || words[i].Many {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// Echoed returns what bash's echo writes.
func Echoed(words []shell.Word) shell.Set {
	if args, ok := Literals(words); ok {
		return shell.Set{Values: []string{EchoText(args)}}
	}
	out := shell.Set{Open: true}
	eachReading(words, func(args []string) { out = shell.Union(out, shell.Set{Values: []string{EchoText(args)}}) })
	if len(out.Values) == 0 && len(words) > 0 && len(words) < 64 {
		texts := make([]string, len(words))
		for i := range words {
			texts[i] = words[i].Text()
		}
		out.Partial = strings.Join(texts, " ") + "\n"
	}
	return out
}

// EchoText returns what bash's echo makes of its arguments.
func EchoText(args []string) string {
	options, args := EchoOptions(args)
	text, newline := strings.Join(args, " "), "\n"
	if strings.Contains(options, "n") {
		newline = ""
	}
	if strings.LastIndexByte(options, 'e') > strings.LastIndexByte(options, 'E') {
		decoded, stopped := EchoEscapes(text, false)
		if stopped {
			newline = ""
		}
		text = decoded
	}
	return text + newline
}

// EchoOptions returns the letters of echo's options, and what follows them.
func EchoOptions(args []string) (letters string, rest []string) {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		letters += args[0][1:]
		args = args[1:]
	}
	return letters, args
}

// PlainEscapes reports whether every backslash begins an escape that all
// programs read alike: a letter, or the octal digits of a character, which
// follow \0 or, where bare is true, the backslash itself (POSIX, printf and tr).
func PlainEscapes(s string, bare bool) bool {
	for {
		_, after, ok := strings.Cut(s, `\`)
		if !ok {
			return true
		}
		if after == "" || strings.IndexByte(`\abfnrtv01234567`, after[0]) < 0 {
			return false
		}
		s = after[1:]
		if shell.Digit(after[0]) > 7 {
			continue
		}
		if bare {
			s = after
		} else if after[0] != '0' {
			return false
		}
		v, n := shell.Digits(s, 3, 8)
		if v == 0 || v > 0xff {
			return false
		}
		s = s[n:]
	}
}

// EchoEscapes decodes the escapes of echo -e and of %b: as in $'…', but octal
// digits follow \0, or may where bare is true, a NUL ends nothing, and \c stops
// all output.
func EchoEscapes(s string, bare bool) (text string, stopped bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == 'c':
			return b.String(), true
		case c == '0':
			v, n := shell.Digits(s[i+1:], 3, 8)
			shell.WriteByte(&b, v)
			i += n
		case c >= '1' && c <= '7' && !bare, c == '\'', c == '"', c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			_, n := shell.EscapeAt(&b, s[i:])
			i += max(n, 1) - 1
		}
	}
	return b.String(), false
}

// eachReading calls read with each combination of the values that words have,
// unless one of them has none or is a pattern, or there are too many.
func eachReading(words []shell.Word, read func(args []string)) {
	n, size := 1, 0
	for i := range words {
		if n *= len(words[i].Values); n == 0 || n > MaxVariants || words[i].Glob {
			return
		}
		for _, v := range words[i].Values {
			size += len(v)
		}
	}
	if size > MaxOutput {
		return
	}
	for k := range n {
		args := make([]string, len(words))
		for i := range words {
			args[i] = words[i].Values[k%len(words[i].Values)]
			k /= len(words[i].Values)
		}
		read(args)
	}
}

// Printed returns what printf writes. It is open where not all of its arguments
// are known.
func Printed(words []shell.Word) shell.Set {
	if args, ok := Literals(words); ok {
		return printText(args)
	}
	out := shell.Set{Open: true}
	eachReading(words, func(args []string) { out = shell.Union(out, printText(args)) })
	return out
}

// printText returns what printf writes for the conversions %s %b %d %c %% and
// the escapes; the format is used again while there are arguments. It is open
// where not every printf decodes the escapes alike.
func printText(args []string) shell.Set {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return shell.Set{Open: true}
	}
	format, rest := args[0], args[1:]
	strange := !PlainEscapes(format, true) ||
		strings.Contains(format, "%b") && slices.ContainsFunc(rest, func(arg string) bool { return !PlainEscapes(arg, false) })
	var b strings.Builder
	for {
		n, ok := len(rest), true
		if rest, ok = printOnce(&b, format, rest); !ok || b.Len() > MaxOutput {
			return shell.Set{Open: true}
		}
		if len(rest) == 0 || len(rest) == n {
			return shell.Set{Values: []string{b.String()}, Open: strange}
		}
	}
}

func printOnce(b *strings.Builder, format string, args []string) ([]string, bool) {
	for i := 0; i < len(format); i++ {
		switch {
		case format[i] == '\\' && i+1 < len(format) && format[i+1] == 'c', format[i] == '%' && i+1 == len(format):
			return nil, false
		case format[i] == '\\' && i+1 < len(format):
			wrote, n := shell.EscapeAt(b, format[i+1:])
			if wrote == 0 && n > 0 {
				b.WriteByte(0)
			}
			i += max(n, 1)
		case format[i] == '%' && i+1 < len(format):
			i++
			arg := ""
			if format[i] != '%' && len(args) > 0 {
				arg, args = args[0], args[1:]
			}
			switch format[i] {
			case '%':
				b.WriteByte('%')
			case 's':
				b.WriteString(arg)
			case 'd', 'i':
				if !shell.PlainNumber(arg) || len(arg) > 18 { // of 64 bits
					return nil, false
				}
				b.WriteString(arg)
			case 'b':
				text, stopped := EchoEscapes(arg, true)
				if stopped {
					return nil, false
				}
				b.WriteString(text)
			case 'c':
				if arg != "" && arg[0] >= utf8.RuneSelf {
					return nil, false // a byte or a character
				}
				b.WriteString(arg[:min(1, len(arg))])
			default:
				return nil, false
			}
		default:
			b.WriteByte(format[i])
		}
	}
	return args, true
}

// EchoedIn returns what echo writes in the shells that may run it: some decode escapes without -e, or print the options.
func EchoedIn(shells shell.Shells, words []shell.Word) shell.Set {
	args, ok := Literals(words)
	if !ok {
		return Echoed(words)
	}
	out := shell.Set{Values: []string{EchoText(args)}}
	options, args := EchoOptions(args)
	text := strings.Join(args, " ")
	escapes := strings.Contains(text, `\`)
	switch {
	case shells&^(shell.InBash|shell.InAsh) != 0: // zsh drops a -
		out.Open = escapes || options != "" && options != "n" || len(args) > 0 && args[0] == "-"
	case escapes && strings.Contains(options, "e"): // busybox knows no -E behind it
		out.Open = strings.Contains(options, "E") || !PlainEscapes(text, false)
	}
	if out.Open && escapes && (strings.Contains(options, "e") || shells&(shell.InBash|shell.InAsh) == 0) {
		decoded, _ := EchoEscapes(text, strings.Contains(options, "e")) // as busybox does with -e
		if decoded += "\n"; !out.Has(decoded) {
			out.Values = append(out.Values, decoded)
		}
	}
	return out
}
