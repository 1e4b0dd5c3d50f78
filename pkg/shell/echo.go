package shell

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// literals returns the values of words that all have one.
func literals(words []Word) ([]string, bool) {
	out := make([]string, len(words))
	size := 0
	for i := range words {
		v, ok := words[i].Literal()
		if size += len(v); !ok || size > maxOutput || words[i].Many {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// echoes returns what echo writes in the shells that may run it: some decode
// escapes without -e, or print the options.
func (r *reader) echoes(words []Word) Set {
	args, ok := literals(words)
	if !ok {
		return echoed(words)
	}
	out := Set{Values: []string{echoText(args)}}
	options, args := echoOptions(args)
	text := strings.Join(args, " ")
	escapes := strings.Contains(text, `\`)
	switch {
	case r.shells&^(InBash|InAsh) != 0: // zsh drops a -
		out.Open = escapes || options != "" && options != "n" || len(args) > 0 && args[0] == "-"
	case escapes && strings.Contains(options, "e"): // busybox knows no -E behind it
		out.Open = strings.Contains(options, "E") || !plainEscapes(text, false)
	}
	if out.Open && escapes && (strings.Contains(options, "e") || r.shells&(InBash|InAsh) == 0) {
		decoded, _ := echoEscapes(text, strings.Contains(options, "e")) // as busybox does with -e
		if decoded += "\n"; !out.Has(decoded) {
			out.Values = append(out.Values, decoded)
		}
	}
	return out
}

// echoed returns what bash's echo writes.
func echoed(words []Word) Set {
	if args, ok := literals(words); ok {
		return Set{Values: []string{echoText(args)}}
	}
	out := Set{Open: true}
	eachReading(words, func(args []string) { out = union(out, Set{Values: []string{echoText(args)}}) })
	if len(out.Values) == 0 && len(words) > 0 && len(words) < 64 {
		texts := make([]string, len(words))
		for i := range words {
			texts[i] = words[i].text()
		}
		out.Partial = strings.Join(texts, " ") + "\n"
	}
	return out
}

// echoText returns what bash's echo makes of its arguments.
func echoText(args []string) string {
	options, args := echoOptions(args)
	text, newline := strings.Join(args, " "), "\n"
	if strings.Contains(options, "n") {
		newline = ""
	}
	if strings.LastIndexByte(options, 'e') > strings.LastIndexByte(options, 'E') {
		decoded, stopped := echoEscapes(text, false)
		if stopped {
			newline = ""
		}
		text = decoded
	}
	return text + newline
}

// echoOptions returns the letters of echo's options, and what follows them.
func echoOptions(args []string) (letters string, rest []string) {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		letters += args[0][1:]
		args = args[1:]
	}
	return letters, args
}

// plainEscapes reports whether every backslash begins an escape that all
// programs read alike: a letter, or the octal digits of a character, which
// follow \0 or, where bare is true, the backslash itself (POSIX, printf and tr).
func plainEscapes(s string, bare bool) bool {
	for {
		_, after, ok := strings.Cut(s, `\`)
		if !ok {
			return true
		}
		if after == "" || strings.IndexByte(`\abfnrtv01234567`, after[0]) < 0 {
			return false
		}
		s = after[1:]
		if digit(after[0]) > 7 {
			continue
		}
		if bare {
			s = after
		} else if after[0] != '0' {
			return false
		}
		v, n := digits(s, 3, 8)
		if v == 0 || v > 0xff {
			return false
		}
		s = s[n:]
	}
}

// echoEscapes decodes the escapes of echo -e and of %b: as in $'…', but octal
// digits follow \0, or may where bare is true, a NUL ends nothing, and \c stops
// all output.
func echoEscapes(s string, bare bool) (text string, stopped bool) {
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
			v, n := digits(s[i+1:], 3, 8)
			writeByte(&b, v)
			i += n
		case c >= '1' && c <= '7' && !bare, c == '\'', c == '"', c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			_, n := escapeAt(&b, s[i:])
			i += max(n, 1) - 1
		}
	}
	return b.String(), false
}

// eachReading calls read with each combination of the values that words have,
// unless one of them has none or is a pattern, or there are too many.
func eachReading(words []Word, read func(args []string)) {
	n, size := 1, 0
	for i := range words {
		if n *= len(words[i].Values); n == 0 || n > maxVariants || words[i].Glob {
			return
		}
		for _, v := range words[i].Values {
			size += len(v)
		}
	}
	if size > maxOutput {
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

// printed returns what printf writes. It is open where not all of its arguments
// are known.
func printed(words []Word) Set {
	if args, ok := literals(words); ok {
		return printText(args)
	}
	out := Set{Open: true}
	eachReading(words, func(args []string) { out = union(out, printText(args)) })
	return out
}

// printText returns what printf writes for the conversions %s %b %d %c %% and
// the escapes; the format is used again while there are arguments. It is open
// where not every printf decodes the escapes alike.
func printText(args []string) Set {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return Set{Open: true}
	}
	format, rest := args[0], args[1:]
	strange := !plainEscapes(format, true) ||
		strings.Contains(format, "%b") && slices.ContainsFunc(rest, func(arg string) bool { return !plainEscapes(arg, false) })
	var b strings.Builder
	for {
		n, ok := len(rest), true
		if rest, ok = printOnce(&b, format, rest); !ok || b.Len() > maxOutput {
			return Set{Open: true}
		}
		if len(rest) == 0 || len(rest) == n {
			return Set{Values: []string{b.String()}, Open: strange}
		}
	}
}

func printOnce(b *strings.Builder, format string, args []string) ([]string, bool) {
	for i := 0; i < len(format); i++ {
		switch {
		case format[i] == '\\' && i+1 < len(format) && format[i+1] == 'c', format[i] == '%' && i+1 == len(format):
			return nil, false
		case format[i] == '\\' && i+1 < len(format):
			wrote, n := escapeAt(b, format[i+1:])
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
				if !plainNumber(arg) || len(arg) > 18 { // of 64 bits
					return nil, false
				}
				b.WriteString(arg)
			case 'b':
				text, stopped := echoEscapes(arg, true)
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
