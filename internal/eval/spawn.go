package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// spawns reports whether the body of a loop starts processes in the background
// and never waits, sleeps or leaves.
func (r *reader) spawns(body []*syntax.Stmt) bool {
	starts, stops := r.background(body, 0)
	return starts && !stops
}

// background reports whether statements start a process and go on, and whether
// they pause or leave.
func (r *reader) background(body []*syntax.Stmt, depth int) (starts, stops bool) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Stmt:
				if n.Background || n.Coprocess || n.Disown {
					starts = true
					return false
				}
			case *syntax.CoprocClause:
				starts = true
				return false
			case *syntax.CallExpr:
				on, off := r.callSpawns(n, depth)
				starts, stops = starts || on, stops || off
			}
			return true
		})
	}
	return starts, stops
}

// callSpawns says the same of one simple command.
func (r *reader) callSpawns(c *syntax.CallExpr, depth int) (starts, stops bool) {
	if len(c.Args) == 0 {
		return false, false
	}
	name := shell.WordText(c.Args[0])
	if flow := program.KindOf(name, "flow"); flow == "exit" || flow == "break" || program.OfKind(name, "pauses") {
		return false, true
	}
	name = shell.Base(name)
	evaluates := program.OfKind(name, "special") && program.Has(name, program.InShell)
	switch {
	case program.KindOf(name, "waits") == "seconds":
		return false, len(c.Args) != 2 || strings.Trim(c.Args[1].Lit(), "0.") != "" || c.Args[1].Lit() == ""
	case program.KindOf(name, "forks") == "option":
		return len(c.Args) > 1 && program.HasWord("-f --fork", shell.WordText(c.Args[1])), false
	case program.OfKind(name, "forks"):
		return true, false
	default:
		if evaluates || program.Has(name, program.IsShell) {
			return r.textSpawns(c, evaluates, depth)
		}
		return false, false
	}
}

// textSpawns says the same of the text that a shell is given.
func (r *reader) textSpawns(c *syntax.CallExpr, isEval bool, depth int) (starts, stops bool) {
	if depth >= maxPayloads {
		return false, false
	}
	for i, w := range c.Args[1:] {
		option := shell.WordText(c.Args[i])
		if !isEval && (len(option) < 2 || option[0] != '-' || !strings.HasSuffix(option, "c")) {
			continue
		}
		text, ok := constant(w)
		if !ok || shell.Refuse(text, "") != nil {
			continue
		}
		if list, problem := r.parse(text); problem == nil {
			return r.background(list, depth+1)
		}
	}
	return false, false
}
