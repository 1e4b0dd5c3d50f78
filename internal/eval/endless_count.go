package eval

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// readsAnew reports whether the condition of a loop reads a line of a file that it opens
// each time, of which that is always the first.
func readsAnew(c *syntax.WhileClause, sc *scope) bool {
	if len(c.Cond) != 1 || c.Until {
		return false
	}
	s := c.Cond[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || !slices.Equal(sc.spelled(call.Args[:1], ""), []string{"read"}) {
		return false
	}
	for _, rd := range s.Redirs {
		if rd.N == nil && (rd.Op == syntax.RdrIn || rd.Op == syntax.Hdoc || rd.Op == syntax.DashHdoc || rd.Op == syntax.WordHdoc) {
			return true
		}
	}
	return false
}

// runsAway reports whether a loop counts away from the bound with which its condition
// compares a variable.
func runsAway(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	name, up, ok := bound(c.Cond[0].Cmd)
	if !ok {
		return false
	}
	if c.Until {
		up = !up
	}
	steps, wrong := 0, 0
	for _, s := range c.Do {
		syntax.Walk(s, func(n syntax.Node) bool {
			if a, ok := n.(*syntax.Assign); ok && a.Name != nil && a.Name.Value == name {
				if steps++; steppedBy(a) == sign(!up) {
					wrong++
				}
			}
			return true
		})
	}
	return steps > 0 && steps == wrong
}

// bound returns the variable that a test compares with a number, and whether it must grow
// for the test to fail.
func bound(cmd syntax.Command) (name string, up, ok bool) {
	call, isCall := cmd.(*syntax.CallExpr)
	if !isCall || len(call.Args) < 4 || shell.WordText(call.Args[0]) != "[" && shell.WordText(call.Args[0]) != "test" {
		return "", false, false
	}
	name = expanded(call.Args[1])
	switch shell.WordText(call.Args[2]) {
	case "-lt", "-le":
		up = true
	case "-gt", "-ge":
	default:
		return "", false, false
	}
	return name, up, name != ""
}

// expanded returns the name of the variable that a word is, "" where it is anything else.
func expanded(w *syntax.Word) string {
	if len(w.Parts) != 1 {
		return ""
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	if p, ok := part.(*syntax.ParamExp); ok && p.Param != nil && p.Exp == nil && !p.Length {
		return p.Param.Value
	}
	return ""
}

// steppedBy returns the sign of what an assignment adds to its own variable, 0 where that is
// not known: i=$((i-1)).
func steppedBy(a *syntax.Assign) int {
	if a.Value == nil || len(a.Value.Parts) != 1 {
		return 0
	}
	sum, ok := a.Value.Parts[0].(*syntax.ArithmExp)
	if !ok {
		return 0
	}
	b, ok := sum.X.(*syntax.BinaryArithm)
	if !ok || b.Op != syntax.Add && b.Op != syntax.Sub {
		return 0
	}
	x, isX := b.X.(*syntax.Word)
	y, isY := b.Y.(*syntax.Word)
	if !isX || !isY || !shell.IsNumber(y.Lit()) || x.Lit() != a.Name.Value && expanded(x) != a.Name.Value {
		return 0
	}
	return sign(b.Op == syntax.Add)
}

func sign(up bool) int {
	if up {
		return 1
	}
	return -1
}

// doubles reports whether an assignment puts a variable twice into itself.
func doubles(a *syntax.Assign) bool {
	if a.Value == nil {
		return false
	}
	n := 0
	if a.Append {
		n++
	}
	syntax.Walk(a.Value, func(node syntax.Node) bool {
		if p, ok := node.(*syntax.ParamExp); ok && p.Param != nil && p.Param.Value == a.Name.Value && !p.Length {
			n++
		}
		return true
	})
	return n > 1
}
