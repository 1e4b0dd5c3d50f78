package shell

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// noteForeign keeps what PowerShell or cmd is told to run, as a line of a shell, for
// command i.
func (r *reader) noteForeign(i int) {
	c := &r.line.Commands[i]
	e := &escaping{}
	note := func(text string, span Span) {
		e.span = span
		for _, line := range append(Blocks(text), text) {
			e.add(strings.ReplaceAll(strings.TrimLeft(line, "& "), `\`, `\\`), Shelled)
		}
	}
	for k := 2; k < len(c.Words); k++ {
		before, _ := c.Words[k-1].Literal()
		before = strings.ToLower(before)
		for _, v := range c.Words[k].Values {
			switch {
			case TakesEncoded(&c.Words[k-1]):
				note(Decoded(v), c.Words[k].Span)
			case len(before) > 1 && strings.HasPrefix("-command", before), before == "/c", before == "/k":
				if text, ok := quotedWords(c.Words[k:]); ok && k+1 < len(c.Words) {
					note(text, c.Words[k].Span)
				}
				note(v, c.Words[k].Span)
			}
		}
	}
	for _, v := range r.inputText(i).Values {
		note(v, c.Span)
	}
	if len(e.list) > 0 {
		c.order().escapes = e.list
	}
}

// maxBlocks bounds how many blocks of a text are looked at.
const maxBlocks = 64

// Blocks returns what the blocks of a line of PowerShell run, with each of the items
// that stand before them in the place of $_, or of the variable of their loop.
func Blocks(text string) (out []string) {
	for at := unquoted(text, "{"); at < len(text) && len(out) < maxBlocks; {
		end := at + 1 + blockEnd(text[at+1:])
		name, items := blockItems(text[:at])
		inner := text[at+1 : end]
		for _, item := range items {
			if strings.Contains(inner, name) {
				out = append(out, strings.NewReplacer(name+".FullName", item, name, item).Replace(inner))
			}
		}
		out = append(out, inner)
		at++
		at += unquoted(text[at:], "{")
	}
	return out
}

// blockEnd returns the index of the brace that closes a block, the length of the text
// where none does.
func blockEnd(text string) int {
	for at, depth := 0, 1; ; at++ {
		at += unquoted(text[at:], "{}")
		switch {
		case at >= len(text):
			return len(text)
		case text[at] == '{':
			depth++
		default:
			if depth--; depth == 0 {
				return at
			}
		}
	}
}

// listers are the commands that hand on what a directory holds.
const listers = "get-childitem gci dir ls get-item gi"

// blockItems returns the items for which the block behind a text runs, and the name that
// they have in it.
func blockItems(before string) (name string, items []string) {
	name = "$_"
	if open := strings.LastIndexByte(before, '('); open >= 0 && strings.HasSuffix(strings.ToLower(strings.TrimSpace(before[:open])), "foreach") {
		var list string
		if name, list, _ = strings.Cut(before[open+1:], " "); strings.HasPrefix(name, "$") {
			before = list
		}
	}
	before = before[strings.LastIndexAny(before, ";\n")+1:]
	if words := strings.Fields(before); len(words) > 1 && program.HasWord(listers, strings.ToLower(words[0])) {
		items = append(items, strings.Trim(words[1], `"'`))
	}
	for len(items) < maxBlocks {
		at := strings.IndexAny(before, `"'`)
		if at < 0 {
			return name, items
		}
		item, rest, ok := strings.Cut(before[at+1:], before[at:at+1])
		if !ok {
			return name, items
		}
		before = rest
		items = append(items, item)
	}
	return name, items
}
