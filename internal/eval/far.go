package eval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// countsFar reports whether the condition of a loop holds until a number is as large as
// [command.ManyProcesses].
func countsFar(cond []*syntax.Stmt) bool {
	switch c := cond[len(cond)-1].Cmd.(type) {
	case *syntax.ArithmCmd:
		return comparesFar(c.X)
	case *syntax.CallExpr:
		return testsFar(c.Args)
	case *syntax.TestClause:
		b, ok := c.X.(*syntax.BinaryTest)
		if !ok || b.Op != syntax.TsLss && b.Op != syntax.TsLeq && b.Op != syntax.TsNeq {
			return false
		}
		w, ok := b.Y.(*syntax.Word)
		return ok && command.IsMany(w.Lit())
	}
	return false
}

// testsFar reports whether words are a test that something is less than, or not equal
// to, such a number.
func testsFar(words []*syntax.Word) bool {
	for i := 1; i < len(words); i++ {
		switch words[i-1].Lit() {
		case "-lt", "-le", "-ne":
			return command.IsMany(words[i].Lit())
		}
	}
	return false
}

// comparesFar says the same of an arithmetic expression.
func comparesFar(e syntax.ArithmExpr) bool {
	found := false
	if e == nil {
		return false
	}
	syntax.Walk(e, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.BinaryArithm); ok {
			for _, side := range [...]syntax.ArithmExpr{b.X, b.Y} {
				w, ok := side.(*syntax.Word)
				far := []syntax.BinAritOperator{syntax.Lss, syntax.Leq, syntax.Neq, syntax.Gtr, syntax.Geq}
				found = found || ok && command.IsMany(w.Lit()) && slices.Contains(far, b.Op)
			}
		}
		return !found
	})
	return found
}

// makesMany reports whether a word of the head of a loop becomes so many words: a
// sequence in braces, or what seq prints.
func makesMany(w *syntax.Word) bool {
	split, _ := shell.SplitBraces(w)
	for _, p := range split.Parts {
		switch p := p.(type) {
		case *syntax.BraceExp:
			if p.Sequence && sequenceCount(p) >= command.ManyProcesses {
				return true
			}
		case *syntax.CmdSubst:
			for _, s := range p.Stmts {
				if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 1 && shell.Base(shell.WordText(c.Args[0])) == "seq" && command.IsMany(shell.WordText(c.Args[len(c.Args)-1])) {
					return true
				}
			}
		}
	}
	return false
}

// readsMany reports whether a loop reads line after line of what prints many: in a
// pipeline, or, as fed says, behind a redirection. The commands of its condition are
// those from an index on.
func (r *reader) readsMany(c *syntax.WhileClause, from int, fed bool) bool {
	call, ok := c.Cond[len(c.Cond)-1].Cmd.(*syntax.CallExpr)
	if !ok || !slices.ContainsFunc(call.Args, func(w *syntax.Word) bool { return strings.HasPrefix(shell.WordText(w), "read") }) {
		return false
	}
	for i := from; i < len(r.line.Commands) && !fed; i++ {
		w := &r.line.Commands[i]
		if w.How("sets") != "words" {
			continue
		}
		return w.Source >= 0 && (r.line.Commands[w.Source].PrintsMany() || r.line.Commands[w.Source].Relays() && r.line.FedMany(&r.line.Commands[w.Source]))
	}
	return fed
}
