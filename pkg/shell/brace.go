package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// doubtBraces opens the words made of w where bash may see other braces than
// the parser: it looks for them before it knows any parameter, and takes {}
// for text.
func (x *expansion) doubtBraces(w *syntax.Word, from int) {
	doubt := false
	var last syntax.WordPart
	open := false
	for i, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.ParamExp:
			doubt = doubt || p.Exp != nil && p.Exp.Word != nil && holdsBrace(p.Exp.Word)
		case *syntax.BraceExp:
			param, ok := last.(*syntax.ParamExp)
			doubt = doubt || ok && param.Short || doubtElems(p)
		case *syntax.Lit:
			if len(w.Parts) == 1 && p.Value == "{}" {
				return
			}
			open = open || strings.Contains(p.Value, "{")
			doubt = doubt || open && (i > 0 || len(w.Parts) > 1) && strings.ContainsAny(p.Value, ",.") || strings.Contains(p.Value, "{},")
		}
		last = p
	}
	if !doubt || !x.split {
		return
	}
	for i := from; i < len(x.done); i++ {
		d := &x.done[i]
		d.Open, d.Many, d.Prefix, d.Number = true, true, "", false
	}
}

func holdsBrace(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); ok && strings.Contains(lit.Value, "{") {
			return true
		}
	}
	return false
}

// doubtElems reports whether an element of a brace expansion holds braces, or ends
// with a parameter whose name may go on with what follows.
func doubtElems(b *syntax.BraceExp) bool {
	for _, e := range b.Elems {
		for i, p := range e.Parts {
			switch p := p.(type) {
			case *syntax.Lit:
				if strings.ContainsAny(p.Value, "{}") {
					return true
				}
			case *syntax.ParamExp:
				if p.Short && i == len(e.Parts)-1 {
					return true
				}
			}
		}
	}
	return false
}

// splitBraces returns a word with the braces that bash may expand as parts of their
// own; ok is false where they nest too deep to be looked at. The word itself stays
// as it is: a body may be read again.
func splitBraces(w *syntax.Word) (split *syntax.Word, ok bool) {
	switch depth := braceDepth(w); {
	case depth == 0:
		return w, true
	case depth > maxBraces:
		return w, false
	}
	split = &syntax.Word{Parts: w.Parts}
	syntax.SplitBraces(split)
	return split, true
}

// braceDepth returns how deep the braces of a word nest.
func braceDepth(w *syntax.Word) (deepest int) {
	depth := 0
	for _, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || lit.Value == "{}" {
			continue
		}
		for i := range len(lit.Value) {
			switch lit.Value[i] {
			case '{':
				depth++
				deepest = max(deepest, depth)
			case '}':
				depth = max(depth-1, 0)
			}
		}
	}
	return deepest
}

// keepsBraces reports whether the braces of w are read as text, as dash does
// with all and mksh with a range. It notes that the word is to be read so too.
func (r *reader) keepsBraces(x *expansion, w *syntax.Word) bool {
	if r.shells == InBash {
		return false
	}
	switch r.bracing {
	case bracesTwice:
		r.braced |= bracesOf(w)
	case rangesKept:
		return bracesOf(w)&braceRange != 0
	case bracesKept:
		return true
	default:
		r.differ(OtherBraces, x.span)
	}
	return false
}

// A braces is a set of the forms that braces have.
type braces uint8

const (
	braceList  braces = 1 << iota // {a,b}
	braceRange                    // {1..3}
)

// bracesOf returns the forms of the braces of a word whose parts are divided
// at them.
func bracesOf(w *syntax.Word) (forms braces) {
	for _, p := range w.Parts {
		if b, ok := p.(*syntax.BraceExp); ok && b.Sequence {
			forms |= braceRange
		} else if ok {
			forms |= braceList
		}
	}
	return forms
}

// expandsBraces reports whether a value holds braces that mksh or ksh93 expand
// when they expand the variable. Where a loop got it because a shell keeps
// braces, that shell keeps it.
func (r *reader) expandsBraces(values []string) bool {
	for _, v := range values {
		if strings.IndexByte(v, '{') >= 0 && !slices.Contains(r.keptBraces, v) {
			return true
		}
	}
	return false
}

// A braceForm says what becomes of words with braces where a shell may keep
// them.
type braceForm uint8

const (
	bracesOnce  braceForm = iota // they are expanded, which not every shell does
	bracesTwice                  // they are expanded, and the command is read again
	rangesKept                   // those of ranges are kept, the others expanded
	bracesKept                   // they are kept
)

func hasBraces(w *syntax.Word) bool { return bracesOf(w) != 0 }

// braceCount bounds from above how many words the braces of w make.
func braceCount(w *syntax.Word) int {
	n := 1
	for _, p := range w.Parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		sum := 0
		if b.Sequence {
			sum = sequenceCount(b)
		} else {
			for _, e := range b.Elems {
				sum += braceCount(e)
			}
		}
		n = min(n*max(sum, 1), maxFields+1)
	}
	return n
}

func sequenceCount(b *syntax.BraceExp) int {
	lo, ok1 := smallInt(b.Elems[0].Lit())
	hi, ok2 := smallInt(b.Elems[1].Lit())
	if !ok1 || !ok2 {
		return 256 // letters, or too large to be read
	}
	return max(hi-lo, lo-hi) + 1
}

// smallInt reads an integer of few digits; ok is also true for one that is
// too large, which counts as beyond every bound.
func smallInt(s string) (n int, ok bool) {
	if !isNumber(s) {
		return 0, false
	}
	if len(s) > 8 {
		return maxFields * maxFields, true
	}
	neg := s[0] == '-'
	for _, c := range strings.TrimPrefix(s, "-") {
		n = n*10 + int(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

// nestedBraces reads the substitutions in a word with braces that are not
// expanded, which the parser's own walk does not know.
func (x *expansion) nestedBraces(w *syntax.Word) {
	for _, p := range w.Parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			x.nested(p)
			continue
		}
		for _, e := range b.Elems {
			x.nestedBraces(e)
		}
	}
}
