package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// declare reads export, declare, local, readonly, typeset and nameref.
func (r *reader) declare(c *syntax.DeclClause, sc *scope) {
	i := r.begin(c.Pos(), c.End(), sc)
	r.builtin(i, c.Variant.Value)
	for _, a := range c.Args {
		switch {
		case a.Name == nil && a.Value != nil:
			r.word(a.Value, sc, i)
		case a.Naked:
			r.addWord(i, Word{Set: known(r, a.Name.Value), Span: r.text.span(a.Pos(), a.End())})
		default:
			r.assign(a, sc, i, true)
		}
	}
	if sc.place&InFunction != 0 && c.Variant.Value != "export" && c.Variant.Value != "readonly" {
		for _, a := range r.line.Commands[i].Assigns {
			r.locals = append(r.locals, a.Name)
		}
	}
	for _, w := range r.line.Commands[i].Words[1:] {
		if hasDeclFlag(w.Set) {
			for _, a := range r.line.Commands[i].Assigns {
				sc.set(r, a.Name, Set{Open: true})
			}
		}
	}
}

// hasDeclFlag says whether a word is an option that makes a variable more
// than its text: an integer, a reference, an array or folded case.
func hasDeclFlag(s Set) bool {
	v, ok := s.Literal()
	if !ok {
		return true
	}
	if len(v) < 2 || (v[0] != '-' && v[0] != '+') {
		return false
	}
	for _, c := range v[1:] {
		switch c {
		case 'x', 'r', 'g', 'p':
		default:
			return true
		}
	}
	return false
}

func (r *reader) test(c *syntax.TestClause, sc *scope) {
	i := r.begin(c.Pos(), c.End(), sc)
	r.builtin(i, "[[")
	r.testExpr(c.X, sc, i)
	r.addWord(i, Word{Set: known(r, "]]"), Span: r.text.span(c.Right, c.End())})
}

func (r *reader) testExpr(x syntax.TestExpr, sc *scope, i int) {
	if x == nil {
		return
	}
	r.enter(x)
	defer r.leave()
	switch x := x.(type) {
	case *syntax.Word:
		r.addWord(i, r.single(x, sc, i))
	case *syntax.ParenTest:
		r.testExpr(x.X, sc, i)
	case *syntax.UnaryTest:
		r.operator(i, x.Op.String(), x.OpPos)
		r.testExpr(x.X, sc, i)
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			r.doubt(i, "looks at a variable by name, which may evaluate a subscript")
		}
	case *syntax.BinaryTest:
		r.testExpr(x.X, sc, i)
		r.operator(i, x.Op.String(), x.OpPos)
		r.testExpr(x.Y, sc, i)
		if x.Op >= syntax.TsEql && x.Op <= syntax.TsGtr {
			r.arithmWords(i)
		}
	}
}

// operator adds an operator of [[ as a word.
func (r *reader) operator(i int, op string, at syntax.Pos) {
	span := r.text.span(at, at)
	if r.text.within == nil {
		span.To = span.From + len(op)
	}
	r.addWord(i, Word{Set: known(r, op), Span: span})
}

// arithmWords notes operands of -eq and its like whose text [[ would evaluate
// as arithmetic.
func (r *reader) arithmWords(i int) {
	c := &r.line.Commands[i]
	for _, w := range c.Words[max(1, len(c.Words)-3):] {
		if v, ok := w.Literal(); w.Number || allNumbers(w.Set) || ok && strings.HasPrefix(v, "-") {
			continue
		}
		r.doubt(i, "evaluates the text of a variable as arithmetic")
	}
}
