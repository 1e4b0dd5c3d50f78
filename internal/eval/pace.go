package eval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
)

// A pace is how often what has been read so far starts a process and goes on, and how
// often it pauses or leaves.
type pace struct{ starts, stops int }

// background counts a statement that the shell does not wait for. What it does itself
// does not hold up what follows.
func (p *pace) background(in program.Context) (ended func()) {
	if in == program.Local {
		p.starts++
	}
	stops := p.stops
	return func() { p.stops = stops }
}

// count counts what a command does to the pace, behind wrappers and in texts that are
// evaluated, too.
func (p *pace) count(c *command.Command) {
	flow := c.How("flow")
	switch {
	case flow == "exit", flow == "break", c.Of("pauses"):
		p.stops++
	case c.How("waits") == "seconds":
		if v, ok := c.Words[len(c.Words)-1].Literal(); len(c.Words) != 2 || !ok || strings.Trim(v, "0.") != "" || v == "" {
			p.stops++
		}
	case c.Context != program.Local:
	case c.Of("forks") && (c.How("forks") != "option" || len(c.Words) > 1 && (c.Words[1].Has("-f") || c.Words[1].Has("--fork"))):
		p.starts++
	}
}

// spawn notes an endless loop that starts processes, unless it runs elsewhere.
func (r *reader) spawn(from, to syntax.Pos, sc *scope) {
	if sc.context == program.Local {
		r.line.Spawns = append(r.line.Spawns, Spawn{"an endless loop starts processes in the background", r.text.span(from, to)})
	}
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
