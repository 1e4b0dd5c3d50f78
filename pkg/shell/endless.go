package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// endless says whether the condition of a loop always holds.
func endless(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	holds, known := outcome(c.Cond[0])
	return known && holds != c.Until
}

// forever says whether the condition of a loop always holds, as that of endless,
// or only waits.
func forever(c *syntax.WhileClause) bool {
	last := c.Cond[len(c.Cond)-1]
	if call, ok := last.Cmd.(*syntax.CallExpr); ok && !c.Until && !last.Negated && len(call.Args) > 0 && call.Args[0].Lit() == "sleep" {
		return true
	}
	holds, known := outcome(last)
	return known && holds != c.Until
}

// escapes says whether statements may leave the loop that they stand in. Breaks
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
	switch c.Args[0].Lit() {
	case "exit", "return", "exec", "eval", "kill":
		return true
	case "break":
		return breaks || len(c.Args) > 1
	}
	return false
}

// always says whether an arithmetic condition is a constant that holds.
func always(e syntax.ArithmExpr) bool {
	n, ok := arithmValue(e, noVariable, maxArithm)
	return ok && n != 0
}

func noVariable(string) (int, bool) { return 0, false }

// outcome returns whether a command succeeds, where that does not depend on
// anything but its text.
func outcome(s *syntax.Stmt) (holds, known bool) {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		holds, known = callOutcome(c)
	case *syntax.TestClause:
		holds, known = testOutcome(c.X)
	case *syntax.ArithmCmd:
		n, ok := arithmValue(c.X, noVariable, maxArithm)
		holds, known = n != 0, ok
	case *syntax.Block:
		if len(c.Stmts) > 0 {
			holds, known = outcome(c.Stmts[len(c.Stmts)-1])
		}
	case *syntax.BinaryCmd:
		holds, known = binaryOutcome(c)
	}
	return holds != s.Negated, known
}

// binaryOutcome returns what a && b and a || b do, and a pipeline, of which the
// last command decides.
func binaryOutcome(c *syntax.BinaryCmd) (holds, known bool) {
	x, isX := outcome(c.X)
	y, isY := outcome(c.Y)
	switch c.Op {
	case syntax.AndStmt:
		return x && y, isX && isY || isX && !x || isY && !y
	case syntax.OrStmt:
		return x || y, isX && isY || isX && x || isY && y
	}
	return y, isY
}

func callOutcome(c *syntax.CallExpr) (holds, known bool) {
	if len(c.Args) == 0 {
		return false, false
	}
	switch c.Args[0].Lit() {
	case ":", "true", "echo", "printf":
		return true, true
	case "false":
		return false, true
	case "[", "test":
		words, ok := constants(c.Args[1:])
		if n := len(words); ok && c.Args[0].Lit() == "[" && n > 0 && words[n-1] == "]" {
			words = words[:n-1]
		}
		if !ok {
			return false, false
		}
		return wordsOutcome(words)
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
		return constantText(p.Parts)
	}
	return "", false
}

func constantText(parts []syntax.WordPart) (string, bool) {
	if len(parts) == 0 {
		return "", true
	}
	lit, ok := parts[0].(*syntax.Lit)
	if !ok || len(parts) > 1 || strings.Contains(lit.Value, "\\") {
		return "", false
	}
	return lit.Value, true
}

// wordsOutcome returns what test says of constant words (POSIX test: by their
// number).
func wordsOutcome(w []string) (holds, known bool) {
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
