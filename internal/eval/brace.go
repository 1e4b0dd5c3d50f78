package eval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
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

// keepsBraces reports whether the braces of w are read as text, as dash does
// with all and mksh with a range. It notes that the word is to be read so too.
func (r *reader) keepsBraces(x *expansion, w *syntax.Word) bool {
	if r.shells == shell.InBash {
		return false
	}
	switch r.bracing {
	case bracesTwice:
		r.braced |= shell.BracesOf(w)
	case rangesKept:
		return shell.BracesOf(w)&shell.BraceRange != 0
	case bracesKept:
		return true
	default:
		r.differ(shell.OtherBraces, x.span)
	}
	return false
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
		n = min(n*max(sum, 1), shell.MaxFields+1)
	}
	return n
}

func sequenceCount(b *syntax.BraceExp) int {
	lo, ok1 := shell.SmallInt(b.Elems[0].Lit())
	hi, ok2 := shell.SmallInt(b.Elems[1].Lit())
	if !ok1 || !ok2 {
		return 256 // letters, or too large to be read
	}
	return max(hi-lo, lo-hi) + 1
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
