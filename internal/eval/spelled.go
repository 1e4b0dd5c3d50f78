package eval

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// spelled returns words as far as they are plain, or one variable that is known, "" for
// others. Of a function the name may be the one that it stands in.
func (s *scope) spelled(words []*syntax.Word, function string) (out []string) {
	for _, w := range words {
		if list := s.variable(w, function); list != nil {
			out = append(out, list...)
		} else {
			out = append(out, shell.WordText(w))
		}
	}
	return out
}

// variable returns the values of the one variable that a word is, nil for others.
func (s *scope) variable(w *syntax.Word, function string) (out []string) {
	if len(w.Parts) != 1 {
		return nil
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Exp != nil || p.Slice != nil || p.Repl != nil || p.Length {
		return nil
	}
	b := s.lookup(p.Param.Value)
	switch {
	case p.Param.Value == "FUNCNAME":
		return []string{function}
	case b == nil:
		return nil
	case !b.array:
		v, _ := b.set.Literal()
		return []string{v}
	}
	for i := range b.elems {
		v, _ := b.elems[i].Literal()
		out = append(out, v)
	}
	return out
}

// isConstant reports whether an expansion is that of a variable whose one value is known.
func (s *scope) isConstant(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Exp != nil || p.Slice != nil || p.Repl != nil || p.Index != nil || p.Length || p.Excl {
		return false
	}
	b := s.lookup(p.Param.Value)
	if b == nil || b.array {
		return false
	}
	_, ok := b.set.Literal()
	return ok
}
