package eval

import (
	"slices"

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

// countsInBraces reports whether a word of the head of a loop is a sequence in braces of so
// many words.
func countsInBraces(w *syntax.Word) bool {
	split, _ := shell.SplitBraces(w)
	return slices.ContainsFunc(split.Parts, func(p syntax.WordPart) bool {
		b, ok := p.(*syntax.BraceExp)
		return ok && b.Sequence && sequenceCount(b) >= command.ManyProcesses
	})
}

// readsMany reports whether a loop reads line after line of what prints many: in a
// pipeline, or, as fed says, behind a redirection. The commands of its condition are
// those between two indexes.
func (r *reader) readsMany(from, to int, fed bool) bool {
	for i := from; i < to; i++ {
		w := &r.line.Commands[i]
		if w.How("sets") != "words" {
			continue
		}
		return fed || w.Source >= 0 && (r.line.Commands[w.Source].PrintsMany() || r.line.Commands[w.Source].Relays() && r.line.FedMany(&r.line.Commands[w.Source]))
	}
	return false
}
