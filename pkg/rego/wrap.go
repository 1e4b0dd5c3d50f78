package rego

import "strings"

// What linters of Rego expect: lines of so many characters, and files of so
// many lines.
const (
	lineLength = 120
	fileLength = 500
)

// wrap writes a line of Rego. One that is too long is divided where "opa fmt"
// keeps it: in its longest collection or call.
func wrap(indent, text string) string {
	line := indent + text + "\n"
	if len(line) <= lineLength+1 {
		return line
	}
	start, end := longestGroup(text)
	if start < 0 {
		// A constant, which cannot be divided.
		return indent + "# regal ignore:line-length\n" + line
	}
	var b strings.Builder
	b.WriteString(indent + text[:start] + "\n")
	for _, row := range rows(elements(text[start:end]), lineLength-len(indent)-1) {
		b.WriteString(wrap(indent+"\t", row))
	}
	b.WriteString(indent + text[end:] + "\n")
	return b.String()
}

// rows joins elements to lines. A single line would be put back to where it
// came from.
func rows(elements []string, length int) []string {
	var out []string
	for _, element := range elements {
		element += ","
		if last := len(out) - 1; last >= 0 && len(out[last])+1+len(element) <= length {
			out[last] += " " + element
		} else {
			out = append(out, element)
		}
	}
	if len(out) > 1 || len(elements) == 1 {
		return out
	}
	return rows(elements, 0)
}

// longestGroup returns where the elements of the longest list, set, object or
// call begin and end that is not within another; -1 if there is none.
func longestGroup(text string) (start, end int) {
	start = -1
	open, depth := 0, 0
	scan(text, func(i int) {
		switch text[i] {
		case '[', '{', '(':
			if depth++; depth == 1 {
				open = i + 1
			}
		case ']', '}', ')':
			depth--
			index := text[open-1] == '[' && open > 1 && isNamePart(text[open-2])
			if depth == 0 && !index && i > open && i-open > end-start {
				start, end = open, i
			}
		}
	})
	return start, end
}

// elements divides the inside of a collection or a call at its commas.
func elements(text string) []string {
	var out []string
	last, depth := 0, 0
	scan(text, func(i int) {
		switch text[i] {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[last:i]))
				last = i + 1
			}
		}
	})
	return append(out, strings.TrimSpace(text[last:]))
}

// scan calls visit with the place of each character outside of constants.
func scan(text string, visit func(i int)) {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == 0 && (c == '"' || c == '`'):
			quote = c
		case quote == '"' && c == '\\':
			i++
		case quote == c:
			quote = 0
		case quote == 0:
			visit(i)
		}
	}
}

func isNamePart(c byte) bool {
	return c == '_' || c == ']' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
