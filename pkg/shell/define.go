package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// define reads the definition of a function: its body, with arguments that
// are not known, and the function itself for the calls that follow.
func (r *reader) define(c *syntax.FuncDecl, sc *scope) {
	if c.Name == nil {
		i := r.begin(c.Pos(), c.End(), sc)
		r.line.Commands[i].Opaque = "defines functions in a way that is not understood"
		return
	}
	f := &function{name: c.Name.Value, body: c.Body, text: r.text, next: sc.funcs}
	f.maybe = sc.place&(InBranch|InLoop|Piped|Piping) != 0 || isPipeline(c.Body)
	sub := *sc
	sub.place |= InFunction | Defined
	sub.funcs = f
	sub.stdin, sub.source = nil, -1
	sub.bind(r, binding{name: "@", set: Set{Open: true}, array: true})
	f.forks = startsItself(f.name, c.Body)
	r.calls = append(r.calls, f.name)
	r.stmt(c.Body, &sub)
	r.calls = r.calls[:len(r.calls)-1]
	sc.funcs = f
}

// isPipeline says whether the parser took a pipeline for the body of a
// function, which then is defined in a subshell.
func isPipeline(body *syntax.Stmt) bool {
	b, ok := body.Cmd.(*syntax.BinaryCmd)
	return ok && isPipe(b.Op)
}

// startsItself says whether a function's body always starts the function anew
// in another process: in the background, a pipeline or a subshell.
func startsItself(name string, body *syntax.Stmt) bool {
	found := false
	var visit func(n syntax.Node, apart bool)
	visit = func(root syntax.Node, apart bool) {
		syntax.Walk(root, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.IfClause, *syntax.CaseClause, *syntax.FuncDecl:
				return false
			case *syntax.BinaryCmd:
				if !isPipe(n.Op) {
					visit(n.X, apart)
					if n.Op == syntax.AndStmt && alwaysTrue(n.X) {
						visit(n.Y, apart)
					}
					return false
				}
				if !apart {
					visit(n.X, true)
					visit(n.Y, true)
					return false
				}
			case *syntax.Stmt:
				if (n.Background || n.Coprocess) && !apart && n.Cmd != nil {
					visit(n.Cmd, true)
					return false
				}
			case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.CoprocClause:
				if !apart && n != root {
					visit(n, true)
					return false
				}
			case *syntax.CallExpr:
				for _, w := range n.Args[:min(1, len(n.Args))] {
					found = found || (apart && w.Lit() == name)
				}
			}
			return !found
		})
	}
	visit(body, false)
	return found
}
