package eval

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// define reads the definition of a function: its body, with arguments that
// are unknown, and the function itself for the calls that follow.
func (r *reader) define(c *syntax.FuncDecl, sc *scope) {
	if c.Name == nil {
		i := r.begin(c.Pos(), c.End(), sc)
		r.line.Commands[i].Opaque = "defines functions in a way that policyctl does not understand"
		return
	}
	f := &function{name: c.Name.Value, body: c.Body, text: r.text, next: sc.funcs}
	f.maybe = sc.place&(command.InBranch|command.InLoop|command.Piped|command.Piping) != 0 || isPipeline(c.Body)
	sub := *sc
	sub.place |= command.InFunction | command.Defined
	sub.funcs = f
	sub.stdin, sub.source = nil, -1
	sub.bind(r, binding{name: "@", set: shell.Set{Open: true}, array: true})
	f.starts = sc.starts(c.Body, f.name)
	r.calls = append(r.calls, f.name)
	r.stmt(c.Body, &sub)
	r.calls = r.calls[:len(r.calls)-1]
	sc.funcs = f
}

// isPipeline reports whether the parser took a pipeline for the body of a
// function, which then is defined in a subshell.
func isPipeline(body *syntax.Stmt) bool {
	b, ok := body.Cmd.(*syntax.BinaryCmd)
	return ok && shell.IsPipe(b.Op)
}

// starts returns what the body of a function with a name always starts, as it is defined
// in a scope.
func (s *scope) starts(body *syntax.Stmt, name string) []start {
	var out []start
	var visit func(n syntax.Node, apart bool)
	visit = func(root syntax.Node, apart bool) {
		syntax.Walk(root, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.IfClause, *syntax.CaseClause, *syntax.FuncDecl:
				return false
			case *syntax.BinaryCmd:
				if !shell.IsPipe(n.Op) {
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
				if len(n.Args) == 0 || len(out) == maxStarts {
					return true
				}
				if words := s.spelled(n.Args[:1], name); len(words) > 0 && words[0] != "" {
					out = append(out, start{words[0], apart})
				}
			}
			return true
		})
	}
	visit(body, false)
	return out
}

// maxStarts bounds how many calls of a function are followed.
const maxStarts = 64

// startsItself reports whether a function's body starts it anew in another
// process.
func (f *function) startsItself() bool {
	for _, s := range f.starts {
		if s.name == f.name && s.apart {
			return true
		}
	}
	return false
}

// forks reports whether a function starts itself anew in another process without
// end, by itself or by the functions that it starts.
func (s *scope) forks(f *function) bool {
	seen := map[start]bool{}
	var reaches func(g *function, apart bool) bool
	reaches = func(g *function, apart bool) bool {
		for _, next := range g.starts {
			next.apart = next.apart || apart
			if next.name == f.name && next.apart {
				return true
			}
			h := s.function(next.name)
			if h == nil || seen[next] || len(seen) > maxStarts {
				continue
			}
			seen[next] = true
			if reaches(h, next.apart) {
				return true
			}
		}
		return false
	}
	return reaches(f, false)
}
