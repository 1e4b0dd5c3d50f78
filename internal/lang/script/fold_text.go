package script

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/program"
)

// joinTexts is join of Python, whose object is the separator, and of others.
func joinTexts(p *reading, of Value, args []Value) Value {
	if p != nil && p.language == program.Ruby && of.Items == nil && of.first() != Unknown {
		return combined(append([]Value{of}, args...), "/") // of a Pathname
	}
	list, separator := of, text("")
	switch {
	case of.Items != nil && len(args) > 0:
		separator = args[0]
	case of.Items != nil:
	case len(args) > 1: // of Perl and PHP
		separator = args[0]
		if list = args[1]; list.Items == nil {
			list = Value{Items: args[1:]}
		}
	case len(args) == 1:
		list, separator = args[0], of
	}
	if list.Items == nil && (has(list, Argument) || has(separator, "")) {
		return list // or the characters of a text
	}
	if len(separator.Texts) != 1 || list.Items == nil {
		return open
	}
	var parts []Value
	for i, item := range list.Items {
		if i > 0 {
			parts = append(parts, separator)
		}
		parts = append(parts, item)
	}
	return combined(parts, "")
}

// splitText is split: the words of a text, or its parts.
func splitText(_ *reading, of Value, args []Value) Value {
	source := subject(of, args)
	if len(source.Texts) == 0 {
		return open
	}
	if source.Each {
		return source // its lines
	}
	separator := ""
	for _, a := range args {
		if len(a.Texts) == 1 && len(a.Texts[0]) == 1 {
			separator = a.Texts[0]
			if source.Texts[0] == separator && len(args) > 1 { // split(" ", text) of Perl
				source = args[1]
			}
		}
	}
	out := Value{Items: []Value{}}
	parts := strings.Fields(source.Texts[0])
	if separator != "" && separator != " " {
		parts = strings.Split(source.Texts[0], separator)
	}
	for _, part := range parts[:min(len(parts), 256)] {
		out.Items = append(out.Items, text(part))
	}
	return out
}

func replaceText(p *reading, of Value, args []Value) Value {
	if p.language == program.Lua && last(args).number() != unknownNumber {
		return partOf(p, of, args) // ("/etc"):sub(1, 2)
	}
	if len(args) > 2 && (len(of.Texts) == 0 || of.Texts[0] == Unknown) { // str_replace(a, b, text)
		of, args = args[2], args[:2]
	}
	if len(args) < 2 || len(args[0].Texts) != 1 || len(args[1].Texts) != 1 || args[0].Texts[0] == "" || args[0].Texts[0] == Unknown {
		return open
	}
	return mapped(of, func(s string) string {
		if s = strings.ReplaceAll(s, args[0].Texts[0], args[1].Texts[0]); len(s) > maxText {
			return Unknown
		}
		return s
	})
}

func formatText(_ *reading, of Value, args []Value) Value {
	if source := subject(of, args); len(args) > 0 && len(source.Texts) > 0 && has(args[0], source.Texts[0]) {
		return formatted(source, args[1:], nil)
	}
	return formatted(of, args, nil)
}

// bracedNames returns a text with the names of string.Template, $x and ${x}, in
// braces alone.
func bracedNames(s string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "$")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		n := 0
		for n < len(rest) && isNameByte(rest[n]) {
			n++
		}
		if n > 0 {
			out.WriteString("{" + rest[:n] + "}")
		}
		s = rest[n:]
	}
}

// characters is chr and its like: the characters of numbers.
func characters(_ *reading, of Value, args []Value) Value {
	out := ""
	if len(args) == 0 {
		args = []Value{of} // 47.chr
	}
	if len(args) == 1 && args[0].Items != nil {
		args = args[0].Items
	}
	for _, a := range args {
		if len(a.Texts) != 1 {
			return open
		}
		n, err := strconv.ParseInt(a.Texts[0], 0, 32)
		if err != nil || n < 0 || n > utf8.MaxRune {
			return open
		}
		out += string(rune(n))
	}
	return text(out)
}

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
