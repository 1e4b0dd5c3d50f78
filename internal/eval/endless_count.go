package eval

import (
	"slices"
	"strconv"

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
// compares a variable, or may pass over the one number at which it ends.
func runsAway(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	name, op := condition(c.Cond[0].Cmd)
	switch {
	case name == "":
		return false
	case op == "-ne" && !c.Until, op == "-eq" && c.Until:
		return eachStep(c.Do, name, func(step int) bool { return step < -1 || step > 1 })
	case op == "-lt", op == "-le", op == "-gt", op == "-ge":
		up := (op[1] == 'l') != c.Until
		return eachStep(c.Do, name, func(step int) bool { return step != 0 && step > 0 != up })
	}
	return false
}

// eachStep reports whether a test holds for all that some statements add to a variable, of
// which there is one at least; 0 stands for what is not known.
func eachStep(list []*syntax.Stmt, name string, test func(step int) bool) bool {
	steps, passed := 0, 0
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			if a, ok := n.(*syntax.Assign); ok && a.Name != nil && a.Name.Value == name {
				if steps++; test(steppedBy(a)) {
					passed++
				}
			}
			return true
		})
	}
	return steps > 0 && steps == passed
}

// condition returns the variable that a test compares with something, and how; "" where it
// is another test.
func condition(cmd syntax.Command) (name, op string) {
	call, ok := cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 4 || shell.WordText(call.Args[0]) != "[" && shell.WordText(call.Args[0]) != "test" {
		return "", ""
	}
	return expanded(call.Args[1]), shell.WordText(call.Args[2])
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

// steppedBy returns what an assignment adds to its own variable, 0 where that is not known:
// i=$((i-1)).
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
	n, err := strconv.Atoi(y.Lit())
	if err != nil {
		return 0
	}
	if b.Op == syntax.Sub {
		n = -n
	}
	return n
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
