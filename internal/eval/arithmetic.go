package eval

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
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

// maxArithm bounds the depth of an expression whose value is computed, and
// maxNumber the size of what it computes with.
const (
	maxArithm = 32
	maxNumber = 1 << 30
)

// number returns what an arithmetic expression may be: its value where all of
// it is known.
func (x *expansion) number(e syntax.ArithmExpr) shell.Set {
	open := false
	variable := func(name string) (int, bool) {
		set := x.variable(name).set
		if len(set.Values) != 1 {
			return 0, false
		}
		open = open || set.Open
		return decimal(set.Values[0])
	}
	if v, ok := arithmValue(e, variable, maxArithm); ok {
		return shell.Set{Values: []string{strconv.Itoa(v)}, Open: open, Number: true}
	}
	return shell.Set{Open: true, Number: true}
}

// assignedNumber returns what a variable is after an assignment within
// arithmetic.
func (x *expansion) assignedNumber(b *syntax.BinaryArithm) shell.Set {
	if b.Op != syntax.Assgn {
		return shell.Set{Open: true, Number: true}
	}
	out := x.number(b.Y)
	out.Open = out.Open || x.sc.place&command.InLoop != 0
	return out
}

// decimal reads a plain integer.
func decimal(s string) (int, bool) {
	if len(s) > 1 && s[0] == '0' || len(s) > 9 || !shell.IsNumber(s) {
		return 0, false // octal, hexadecimal and what is too large
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// arithmValue computes an expression; ok is false where a part of it is not
// known or is no plain arithmetic.
func arithmValue(e syntax.ArithmExpr, variable func(string) (int, bool), depth int) (n int, ok bool) {
	if depth == 0 {
		return 0, false
	}
	switch e := e.(type) {
	case *syntax.Word:
		return arithmWord(e, variable)
	case *syntax.ParenArithm:
		return arithmValue(e.X, variable, depth-1)
	case *syntax.UnaryArithm:
		n, ok = arithmValue(e.X, variable, depth-1)
		switch e.Op {
		case syntax.Minus:
			return -n, ok
		case syntax.Plus:
			return n, ok
		case syntax.Not:
			return truth(n == 0), ok
		}
	case *syntax.BinaryArithm:
		a, ok1 := arithmValue(e.X, variable, depth-1)
		b, ok2 := arithmValue(e.Y, variable, depth-1)
		if ok1 && ok2 && max(a, -a, b, -b) < maxNumber {
			return binaryValue(e.Op, a, b)
		}
	}
	return 0, false
}

func arithmWord(w *syntax.Word, variable func(string) (int, bool)) (int, bool) {
	if len(w.Parts) != 1 {
		return 0, false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		if syntax.ValidName(p.Value) {
			return variable(p.Value)
		}
		return decimal(p.Value)
	case *syntax.ParamExp:
		if p.Param != nil && syntax.ValidName(p.Param.Value) && isBare(p) {
			return variable(p.Param.Value)
		}
	}
	return 0, false
}

// isBare reports whether an expansion is that of a variable and nothing more.
func isBare(p *syntax.ParamExp) bool {
	return p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil && !p.Excl && !p.Length && p.Flags == nil &&
		p.NestedParam == nil && p.Names == 0 && !p.Width && !p.IsSet && len(p.Modifiers) == 0
}

func binaryValue(op syntax.BinAritOperator, a, b int) (int, bool) {
	switch op {
	case syntax.Add:
		return a + b, true
	case syntax.Sub:
		return a - b, true
	case syntax.Mul:
		return a * b, true
	case syntax.Eql:
		return truth(a == b), true
	case syntax.Neq:
		return truth(a != b), true
	case syntax.Lss:
		return truth(a < b), true
	case syntax.Leq:
		return truth(a <= b), true
	case syntax.Gtr:
		return truth(a > b), true
	case syntax.Geq:
		return truth(a >= b), true
	}
	if b == 0 {
		return 0, false
	}
	switch op {
	case syntax.Quo:
		return a / b, true
	case syntax.Rem:
		return a % b, true
	}
	return 0, false
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
