package eval

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// arithm reads the substitutions in an arithmetic expression, binds what it
// assigns, and notes names whose text would be evaluated in turn.
func (r *reader) arithm(e syntax.ArithmExpr, sc *scope, cmd int) {
	if e == nil {
		return
	}
	if w, ok := e.(*syntax.Word); ok && w.Lit() != "" {
		r.arithmName(w.Lit(), sc, cmd)
		return
	}
	r.enter(e)
	defer r.leave()
	x := expansion{r: r, sc: sc, cmd: cmd}
	for b, ok := e.(*syntax.BinaryArithm); ok; b, ok = e.(*syntax.BinaryArithm) {
		r.arithm(b.Y, sc, cmd)
		if w, ok := b.X.(*syntax.Word); ok && assigns(b.Op) && w.Lit() != "" {
			r.sets(cmd, w.Lit(), x.assignedNumber(b), r.text.span(b.Pos(), b.End()), sc)
		}
		e = b.X
	}
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			x.subst(n)
			r.doubt(cmd, "evaluates the output of a command as arithmetic")
			return false
		case *syntax.ProcSubst:
			x.procSubst(n)
			return false
		case *syntax.ParamExp:
			if v := x.param(n); !v.set.Number && !shell.AllNumbers(v.set) && !n.Length {
				r.doubt(cmd, "evaluates the text of a variable as arithmetic")
			}
			return false
		case *syntax.BinaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && assigns(n.Op) && w.Lit() != "" {
				r.sets(cmd, w.Lit(), x.assignedNumber(n), r.text.span(n.Pos(), n.End()), sc)
			}
		case *syntax.UnaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.Inc || n.Op == syntax.Dec) {
				r.arithmName(w.Lit(), sc, cmd)
				r.sets(cmd, w.Lit(), shell.Set{Open: true, Number: true}, r.text.span(n.Pos(), n.End()), sc)
			}
		case *syntax.Word:
			r.arithmName(n.Lit(), sc, cmd)
		case *syntax.SglQuoted:
			r.substitutions(cmd, shell.Set{Values: []string{n.Value}}, r.text.span(n.Pos(), n.End()), sc)
			r.doubt(cmd, "evaluates quoted text as arithmetic")
		case *syntax.DblQuoted:
			r.doubt(cmd, "evaluates quoted text as arithmetic")
		}
		return true
	})
}

func (r *reader) arithmName(name string, sc *scope, cmd int) {
	if !syntax.ValidName(name) || shell.Numeric(name) {
		return
	}
	if b := sc.lookup(name); b == nil || !b.set.Number && !shell.AllNumbers(b.set) {
		r.doubt(cmd, "evaluates the text of a variable as arithmetic")
	}
}

func assigns(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		return true
	}
	return false
}
