package eval

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
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

// callAll reads every function that a name may mean. more is true if it may
// also mean a program.
func (r *reader) callAll(i int, f *function, own, sc *scope) (more bool) {
	before := *sc
	for n := 0; f != nil; f = f.next {
		if f.name != r.line.Commands[i].Path {
			continue
		}
		after := before
		r.call(i, f, own, &after)
		if n++; n == 1 {
			*sc = after
		} else {
			sc.join(r, &after)
		}
		if !f.maybe && !before.undefined {
			return false
		}
		if n == 8 {
			break
		}
	}
	return true
}

// forkSpawn notes the call of a function that starts itself without end. In a
// body that is only defined, others that it starts may yet be defined anew.
func (r *reader) forkSpawn(f *function, at shell.Span, sc *scope) {
	noted := len(r.calls) > 0 && len(r.line.Spawns) > 0
	if noted || sc.context != program.Local {
		return
	}
	if !f.startsItself() && (sc.place&command.Defined != 0 || !sc.forks(f)) {
		return
	}
	r.line.Spawns = append(r.line.Spawns, Spawn{"a function restarts itself endlessly", at})
}

// call reads the body of a function, or the text of an alias, that command i
// calls.
func (r *reader) call(i int, f *function, own, sc *scope) {
	c := &r.line.Commands[i]
	for _, name := range r.calls {
		if name == f.name {
			return // its body is being read
		}
	}
	r.forkSpawn(f, c.Span, sc)
	if len(r.calls) > 16 {
		c.Opaque = "functions call each other too deeply"
		return
	}
	sub := *own
	sub.parent = i
	sub.place |= command.InFunction
	r.calls = append(r.calls, f.name)
	defer func() { r.calls = r.calls[:len(r.calls)-1] }()
	if text, ok := f.body.(string); ok {
		for _, w := range c.Words[1:] {
			v, lit := w.Literal()
			if !lit {
				c.Opaque = "an argument of an alias is unknown"
			}
			q, err := syntax.Quote(v, syntax.LangBash)
			if err != nil {
				return
			}
			text += " " + q
		}
		r.evaluateText(i, text, c.Span, &sub)
	} else {
		args := binding{name: "@", array: true}
		for _, w := range c.Words[1:] {
			args.elems = append(args.elems, w.Set)
			args.set.Open = args.set.Open || w.Many
		}
		sub.bind(r, args)
		outer, pins, locals, returns := r.text, r.pins, len(r.locals), r.returns
		for _, a := range c.Assigns {
			sub.set(r, a.Name, a.Value)
			r.locals = append(r.locals, a.Name)
		}
		r.text, r.pins, r.returns = f.text, nil, nil
		r.stmt(f.body.(*syntax.Stmt), &sub)
		r.left(r.returns, &sub)
		r.text, r.pins, r.returns = outer, pins, returns
		sub.refs = false // a name of its own is no reference any more
		for _, name := range r.locals[locals:] {
			if b := own.lookup(name); b != nil {
				sub.bind(r, binding{name: name, set: b.set, elems: b.elems, keys: b.keys, either: b.either, array: b.array})
			} else {
				sub.set(r, name, shell.Set{Open: true})
			}
		}
		r.locals = r.locals[:locals]
		sub.refs = own.refs
		sub.set(r, "@", shell.Set{Open: true})
	}
	sub.place, sub.parent, sub.source, sub.stdin, sub.context = sc.place, sc.parent, sc.source, sc.stdin, sc.context
	*sc = sub
}
