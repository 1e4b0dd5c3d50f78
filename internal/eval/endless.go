package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// forever reports whether the condition of a loop always holds, or only waits. Its
// commands are those from an index on, with what their words are.
func (r *reader) forever(c *syntax.WhileClause, from int) bool {
	at := make(map[shell.Span]int)
	for i := len(r.line.Commands) - 1; i >= from; i-- {
		at[r.line.Commands[i].Span] = i
	}
	holds, known := outcome(c.Cond[len(c.Cond)-1], func(call *syntax.CallExpr) (holds, known bool) {
		i, ok := at[r.text.span(call.Pos(), call.End())]
		if !ok {
			return callOutcome(call)
		}
		switch words := r.wordsRun(i); {
		case words == nil:
			return callOutcome(call)
		case words[0] == "sleep":
			return true, true
		default:
			return wordsOutcome(words)
		}
	})
	return known && holds != c.Until
}

// spins reports whether nothing in a loop changes its condition, which then
// holds until something else does: it expands nothing but variables that the loop leaves
// alone, and reads no input. That may never be, also where the loop sleeps meanwhile. The
// scope is that behind the loop.
func (r *reader) spins(c *syntax.WhileClause, sc *scope) bool {
	takes := false
	for _, s := range c.Cond {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp, *syntax.ArithmCmd:
				takes = true
			case *syntax.ParamExp:
				takes = takes || !sc.isConstant(n)
			}
			if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
				name := spelled(call.Args[0])
				if list := sc.variable(call.Args[0], ""); len(list) > 0 {
					name = list[0]
				}
				switch program.KindOf(name, "sets") {
				case "words", "lines", "options", "shifted":
					takes = true
				}
				takes = takes || name == ""
				for _, w := range call.Args[1:] {
					takes = takes || spelled(w) == "read" // behind command, builtin and their like
				}
			}
			return !takes
		})
	}
	return !takes
}

// spelled returns a word that expands nothing without its quotes.
func spelled(w *syntax.Word) string {
	text := ""
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text += strings.ReplaceAll(p.Value, "\\", "")
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			if v, ok := shell.ConstantText(p.Parts); ok {
				text += v
			}
		}
	}
	return text
}

// wordsRun returns the words of a command, or of what it is a transparent
// wrapper of; nil where they are unknown.
func (r *reader) wordsRun(i int) []string {
	list := r.line.Commands
	for i+1 < len(list) && list[i+1].Parent == i && list[i].Transparent() {
		i++
	}
	if words, ok := command.Literals(list[i].Words); ok && len(words) > 0 {
		return words
	}
	return nil
}

// unending notes that the commands from an index on stand in a loop without end.
func (r *reader) unending(from int) {
	for i := from; i < len(r.line.Commands); i++ {
		r.line.Commands[i].Place |= command.Unending
	}
}

// escapes reports whether statements may leave the loop that they stand in. Breaks
// says that break does, and not only a loop inside of it.
func escapes(list []*syntax.Stmt, breaks bool) bool {
	found := false
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.WhileClause:
				found = found || escapes(n.Cond, false) || escapes(n.Do, false)
				return false
			case *syntax.ForClause:
				found = found || escapes(n.Do, false)
				return false
			case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl:
				return false // they leave themselves
			case *syntax.CallExpr:
				found = found || callLeaves(n, breaks)
			}
			return !found
		})
	}
	return found
}

func callLeaves(c *syntax.CallExpr, breaks bool) bool {
	if len(c.Args) == 0 {
		return false
	}
	switch program.KindOf(shell.WordText(c.Args[0]), "flow") {
	case "exit", "replace", "perhaps":
		return true
	case "break":
		return breaks || len(c.Args) > 1
	}
	return false
}

// always reports whether an arithmetic condition is a constant that holds.
func always(e syntax.ArithmExpr) bool {
	n, ok := arithmValue(e, noVariable, maxArithm)
	return ok && n != 0
}

func noVariable(string) (int, bool) { return 0, false }

// outcome returns whether a command succeeds, where that does not depend on
// anything but its text. Simple says the same of a simple command.
func outcome(s *syntax.Stmt, simple func(*syntax.CallExpr) (holds, known bool)) (holds, known bool) {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		holds, known = simple(c)
	case *syntax.TestClause:
		holds, known = testOutcome(c.X)
	case *syntax.ArithmCmd:
		n, ok := arithmValue(c.X, noVariable, maxArithm)
		holds, known = n != 0, ok
	case *syntax.Block:
		if len(c.Stmts) > 0 {
			holds, known = outcome(c.Stmts[len(c.Stmts)-1], simple)
		}
	case *syntax.BinaryCmd:
		x, isX := outcome(c.X, simple)
		y, isY := outcome(c.Y, simple)
		holds, known = binaryOutcome(c.Op, x, isX, y, isY)
	}
	return holds != s.Negated, known
}

// binaryOutcome returns the outcome of a && b and of a || b, and that of a
// pipeline, of which the last command decides.
func binaryOutcome(op syntax.BinCmdOperator, x, isX, y, isY bool) (holds, known bool) {
	switch op {
	case syntax.AndStmt:
		return x && y, isX && isY || isX && !x || isY && !y
	case syntax.OrStmt:
		return x || y, isX && isY || isX && x || isY && y
	}
	return y, isY
}

// callOutcome returns the outcome of a command by its text alone.
func callOutcome(c *syntax.CallExpr) (holds, known bool) {
	if len(c.Args) == 0 {
		return false, false
	}
	name := shell.WordText(c.Args[0])
	words, ok := constants(c.Args[1:])
	if !ok && program.KindOf(name, "sums") == "words" {
		return false, false
	}
	return wordsOutcome(append([]string{name}, words...))
}

// wordsOutcome returns the outcome of a command with words that are known.
func wordsOutcome(words []string) (holds, known bool) {
	if len(words) == 0 {
		return false, false
	}
	if program.OfKind(words[0], "succeeds") {
		return true, true
	}
	switch args := words[1:]; words[0] {
	case "false":
		return false, true
	case "test":
		return testedWords(args)
	case "[":
		if n := len(args); n > 0 && args[n-1] == "]" {
			return testedWords(args[:n-1])
		}
	}
	return false, false
}

// constants returns the text of words that hold nothing to expand.
func constants(list []*syntax.Word) ([]string, bool) {
	var out []string
	for _, w := range list {
		v, ok := constant(w)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

func constant(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", len(w.Parts) == 0
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return p.Value, isPlain(p.Value) || p.Value == "]"
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar
	case *syntax.DblQuoted:
		return shell.ConstantText(p.Parts)
	}
	return "", false
}

// testedWords returns what test says of constant words (POSIX test: by their
// number).
func testedWords(w []string) (holds, known bool) {
	switch len(w) {
	case 0:
		return false, true
	case 1:
		return w[0] != "", true
	case 2:
		switch w[0] {
		case "!":
			return w[1] == "", true
		case "-n":
			return w[1] != "", true
		case "-z":
			return w[1] == "", true
		}
	case 3:
		return compared(w[1], w[0], w[2])
	}
	return false, false
}

// compared returns the outcome of a comparison of two constants.
func compared(op, a, b string) (holds, known bool) {
	switch op {
	case "=", "==":
		return a == b, true
	case "!=":
		return a != b, true
	}
	x, ok1 := decimal(a)
	y, ok2 := decimal(b)
	known = ok1 && ok2
	switch op {
	case "-eq":
		return x == y, known
	case "-ne":
		return x != y, known
	case "-lt":
		return x < y, known
	case "-le":
		return x <= y, known
	case "-gt":
		return x > y, known
	case "-ge":
		return x >= y, known
	}
	return false, false
}

// testOutcome returns what [[ says of constant words.
func testOutcome(e syntax.TestExpr) (holds, known bool) {
	switch e := e.(type) {
	case *syntax.Word:
		v, ok := constant(e)
		return v != "", ok
	case *syntax.ParenTest:
		return testOutcome(e.X)
	case *syntax.UnaryTest:
		holds, known = testOutcome(e.X)
		switch e.Op {
		case syntax.TsNot, syntax.TsEmpStr:
			return !holds, known
		case syntax.TsNempStr:
			return holds, known
		}
	case *syntax.BinaryTest:
		x, isX := e.X.(*syntax.Word)
		y, isY := e.Y.(*syntax.Word)
		if !isX || !isY {
			return false, false
		}
		words, ok := constants([]*syntax.Word{x, y})
		if ok {
			return compared(e.Op.String(), words[0], words[1])
		}
	}
	return false, false
}
