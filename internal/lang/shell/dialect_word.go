package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// wordSyntax looks at the unquoted text of a word.
func (a *agreement) wordSyntax(w *syntax.Word) {
	for i, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			if _, ok := p.(*syntax.ProcSubst); ok && len(w.Parts) > 1 {
				a.uses(synOtherSyntax, w.Pos(), w.End())
			}
			continue
		}
		v := lit.Value
		if i == 0 {
			a.leading(v, w)
		} else if v[0] == '~' {
			a.uses(synOtherTildes, w.Pos(), w.End()) // zsh expands it behind quotes with nothing in them
		} else if v[0] == '=' {
			a.equalsBehind(w, i)
		}
		if a.assigning && strings.Contains(v, ":=") {
			a.uses(synEqualsWords, w.Pos(), w.End())
		}
		if strings.Contains(v, ":~") && a.strangePath(v, w, i+1 < len(w.Parts)) {
			a.uses(synOtherTildes, w.Pos(), w.End())
		}
		if strings.IndexByte(v, '{') >= 0 && v != "{}" {
			a.braceSyntax(w)
			if strings.Contains(v, `\{`) && strings.ContainsAny(v, "*?[") {
				a.uses(OtherBraces, w.Pos(), w.End()) // ksh93 expands them
			}
		}
		if strings.IndexByte(v, '$') >= 0 && splits(w) {
			a.uses(synOtherSyntax, w.Pos(), w.End()) // bash does not split $(a)$
		}
		if strings.Contains(v, "***") {
			a.uses(synOtherSyntax, w.Pos(), w.End()) // zsh follows links with it
		}
		if strings.IndexByte(v, '[') >= 0 {
			if caret, other := strangeSet(v, i+1 < len(w.Parts)); other {
				a.uses(synOtherSyntax, w.Pos(), w.End())
			} else if caret {
				a.uses(synCaretSets, w.Pos(), w.End())
			}
		}
		if !a.assigning && strings.Contains(v, "=~") {
			a.uses(synOtherTildes, w.Pos(), w.End()) // mksh expands it
		}
		if bare := strings.TrimRight(v, `\`); (len(v)-len(bare))%2 != 0 {
			a.uses(synOtherSyntax, w.Pos(), w.End()) // nothing follows to be quoted
		}
		if v[len(v)-1] == '}' && a.continues(lit) {
			a.uses(synLoneBraces, w.Pos(), w.End()) // zsh ends a group at it
		}
	}
}

// strangePath reports whether shells differ about a tilde behind a colon in a
// text of a word, behind which the word may go on.
func (a *agreement) strangePath(v string, w *syntax.Word, more bool) bool {
	if !a.assigning {
		first, ok := w.Parts[0].(*syntax.Lit)
		return ok && AssignedName(first.Value) > 0 // bash expands it
	}
	for i := strings.Index(v, ":~"); i >= 0; i = strings.Index(v, ":~") {
		escaped := i > 0 && v[i-1] == '\\'
		v = v[i+2:]
		if escaped || v == "" && more || v != "" && v[0] != '/' && v[0] != ':' {
			return true
		}
	}
	return false
}

// continues reports whether a continued line follows a text, or ends it.
func (a *agreement) continues(l *syntax.Lit) bool {
	end := int(l.End().Offset())
	return strings.HasPrefix(a.src[end:], "\\\n") || strings.HasSuffix(a.src[:end], "\\\n")
}

// splits reports whether a word has an expansion outside of quotes.
func splits(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
			return true
		}
	}
	return false
}

// strangeSet reports whether a bracket expression begins with ^, and whether
// one is other than plain characters, ranges and classes, or does not end where
// the word goes on.
func strangeSet(v string, more bool) (caret, other bool) {
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '\\':
			i++
		case '[':
			begin := i + 1
			if begin < len(v) && (v[begin] == '!' || v[begin] == '^') {
				caret = caret || v[begin] == '^'
				begin++
			}
			if strings.IndexByte(v[begin:], ']') < 0 {
				return caret, more
			}
			i = begin + plainMembers(v[begin:])
			if v[i] != ']' || i == begin {
				return caret, true
			}
		}
	}
	return caret, false
}

// plainMembers returns how much of v, which follows the opening bracket, every
// shell takes for members of a set.
func plainMembers(v string) int {
	i := 0
	for i < len(v) {
		if strings.HasPrefix(v[i:], "[:") {
			end := strings.Index(v[i:], ":]")
			if end < 2 || strings.Trim(v[i+2:i+end], identBytes) != "" {
				return i
			}
			i += end + 2
			continue
		}
		if !IsIdent(v[i]) && strings.IndexByte(".,-", v[i]) < 0 {
			break
		}
		i++
	}
	return i
}

// equalsBehind looks at the text of part i of a word, which begins with =. Behind
// what may be empty, and in an assignment behind a colon, zsh takes it for the
// beginning.
func (a *agreement) equalsBehind(w *syntax.Word, i int) {
	first, plain := w.Parts[0].(*syntax.Lit)
	if plain && first.Value != "" && !a.assigning {
		return
	}
	if text := w.Parts[i].(*syntax.Lit).Value; strings.Trim(text, "=~") != "" || i+1 < len(w.Parts) {
		a.uses(synEqualsWords, w.Pos(), w.End())
	}
}

// leading looks at the text with which a word begins.
func (a *agreement) leading(v string, w *syntax.Word) {
	switch v[0] {
	case '~':
		if len(v) > 1 && v[1] != '/' || len(v) == 1 && len(w.Parts) > 1 {
			a.uses(synOtherTildes, w.Pos(), w.End())
		}
	case '=':
		if strings.Trim(v, "=~") != "" || len(w.Parts) > 1 {
			a.uses(synEqualsWords, w.Pos(), w.End())
		}
	}
}

// braceSyntax looks at the braces of a word: a single element is no expansion
// in any shell.
func (a *agreement) braceSyntax(w *syntax.Word) {
	split, ok := SplitBraces(w)
	if !ok {
		a.uses(OtherBraces, w.Pos(), w.End())
	}
	if !HasBraces(split) {
		return
	}
	lists, ranges := false, false
	for _, p := range split.Parts {
		if lit, ok := p.(*syntax.Lit); ok && strings.ContainsAny(lit.Value, "{}") {
			a.uses(OtherBraces, w.Pos(), w.End()) // mksh pairs them otherwise
		}
		if b, ok := p.(*syntax.BraceExp); ok {
			if slices.ContainsFunc(b.Elems, endsInDollar) {
				a.fail(w.Pos()) // bash expands what is behind the braces
			}
			lists, ranges = lists || !b.Sequence, ranges || b.Sequence
			a.uses(synBraces, w.Pos(), w.End())
			if lists && ranges {
				a.uses(OtherBraces, w.Pos(), w.End())
			}
			if b.Sequence && !plainRange(b.Elems) || !b.Sequence && slices.ContainsFunc(b.Elems, strangeElement) {
				a.uses(OtherBraces, w.Pos(), w.End())
			}
		}
	}
}

// endsInDollar reports whether a word ends with a dollar that expands nothing
// there.
func endsInDollar(w *syntax.Word) bool {
	if len(w.Parts) == 0 {
		return false
	}
	switch p := w.Parts[len(w.Parts)-1].(type) {
	case *syntax.Lit:
		return strings.HasSuffix(p.Value, "$")
	case *syntax.BraceExp:
		return slices.ContainsFunc(p.Elems, endsInDollar)
	}
	return false
}

// plainRange reports whether every shell that expands ranges makes the same of
// one: from a number to another, or from a letter to another of its case.
func plainRange(ends []*syntax.Word) bool {
	if len(ends) != 2 {
		return false
	}
	from, to := ends[0].Lit(), ends[1].Lit()
	return PlainNumber(from) && PlainNumber(to) || len(from) == 1 && len(to) == 1 && (isLower(from[0]) && isLower(to[0]) || isUpper(from[0]) && isUpper(to[0]))
}

// PlainNumber reports whether a number is written without a zero before it.
func PlainNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return s == "0" || IsNumber(s) && digits[0] != '0'
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// strangeElement reports whether shells differ about an element of a list:
// ksh93 expands one that is a range.
func strangeElement(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if _, ok := p.(*syntax.Lit); !ok {
			return true
		}
	}
	return w.Lit() == "" || strings.ContainsAny(w.Lit(), `\~`) || strings.Contains(w.Lit(), "..")
}

// dollars looks for a dollar that expands nothing in bash.
func (a *agreement) dollars(l *syntax.Lit) {
	if strings.IndexByte(l.Value, '$') < 0 {
		return
	}
	from, to := int(l.Pos().Offset()), int(l.End().Offset())
	for i := from; i < to; i++ {
		switch a.src[i] {
		case '\\':
			i++
		case '$':
			if i+1 < len(a.src) && strings.IndexByte("/.,|) \t\n\"%;&", a.src[i+1]) < 0 {
				a.uses(synStrangeDollars, l.Pos(), l.End())
			}
		}
	}
}

// ansi looks at $'…'.
func (a *agreement) ansi(q *syntax.SglQuoted) {
	text := q.Value
	for i := strings.IndexByte(text, '\\'); i >= 0; i = strings.IndexByte(text, '\\') {
		if i+1 == len(text) || strings.IndexByte("tnr\\", text[i+1]) < 0 {
			a.uses(synAnsiEscapes, q.Pos(), q.End())
			return
		}
		text = text[i+2:]
	}
	a.uses(synAnsiQuotes, q.Pos(), q.End())
}
