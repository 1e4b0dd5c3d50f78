package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// SplitBraces returns a word with the braces that bash may expand as parts of their
// own; ok is false where they nest too deep to be looked at. The word itself stays
// as it is: a body may be read again.
func SplitBraces(w *syntax.Word) (split *syntax.Word, ok bool) {
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

// A Braces is a set of the forms that braces have.
type Braces uint8

const (
	BraceList  Braces = 1 << iota // {a,b}
	BraceRange                    // {1..3}
)

// BracesOf returns the forms of the braces of a word whose parts are divided
// at them.
func BracesOf(w *syntax.Word) (forms Braces) {
	for _, p := range w.Parts {
		if b, ok := p.(*syntax.BraceExp); ok && b.Sequence {
			forms |= BraceRange
		} else if ok {
			forms |= BraceList
		}
	}
	return forms
}

func HasBraces(w *syntax.Word) bool { return BracesOf(w) != 0 }

// SmallInt reads an integer of few digits; ok is also true for one that is
// too large, which counts as beyond every bound.
func SmallInt(s string) (n int, ok bool) {
	if !IsNumber(s) {
		return 0, false
	}
	if len(s) > 8 {
		return MaxFields * MaxFields, true
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
