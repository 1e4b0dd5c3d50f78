package eval

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// stmts reads statements one after the other.
func (r *reader) stmts(list []*syntax.Stmt, sc *scope) {
	for _, s := range list {
		before, adrift, at := sc.dir, sc.place&command.Adrift != 0, len(r.line.Commands)
		r.stmt(s, sc)
		if !slices.Equal(before.Values, sc.dir.Values) {
			if adrift || r.pushes(at) {
				sc.dir = shell.Union(sc.dir, before) // that of the last cd that succeeded
			}
			sc.place |= command.Adrift // what follows runs although it may have failed
		}
	}
}

// pushes reports whether one of the commands from an index on is a pushd, which not
// every shell has.
func (r *reader) pushes(from int) bool {
	return slices.ContainsFunc(r.line.Commands[from:], func(c command.Command) bool { return c.How("moves") == "push" })
}

func (r *reader) stmt(s *syntax.Stmt, sc *scope) {
	r.enter(s)
	defer r.leave()
	r.takes(0)
	if s.Background || s.Coprocess || s.Disown {
		sub := *sc
		sc.started = s.Background // what is known of it ends with the next
		sub.place |= command.Background | command.InSubshell
		defer r.pace.background(sc.context)()
		sc = &sub
	}
	if s.Negated { // what follows its success follows the failure of the command
		before := *sc
		defer func() { sc.join(r, &before) }()
	}
	switch c := s.Cmd.(type) {
	case nil:
		r.simple(s, nil, sc)
	case *syntax.CallExpr:
		at := len(r.line.Commands)
		r.simple(s, c, sc)
		r.last = at
	case *syntax.BinaryCmd:
		r.binary(c, sc)
	default:
		r.compound(s, sc)
	}
}

// isControl reports whether a command decides what runs, or how often.
func isControl(c syntax.Command) bool {
	switch c.(type) {
	case *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause, *syntax.FuncDecl:
		return true
	}
	return false
}

// compound reads a statement whose redirections hold for several commands.
func (r *reader) compound(s *syntax.Stmt, sc *scope) {
	if len(s.Redirs) > 0 {
		outer := *sc
		i := r.begin(s.Redirs[0].Pos(), s.Redirs[len(s.Redirs)-1].End(), sc)
		r.redirects(s.Redirs, i, &outer)
		sc.stdin = outer.stdin
		if slices.ContainsFunc(r.line.Commands[i].Redirects, command.Redirect.MayFail) {
			defer sc.join(r, &outer) // they may not run
		}
		defer func() { sc.stdin = nil }()
		if from, place := len(r.line.Commands), *sc; isGroup(s.Cmd) {
			defer func() { r.noteGroup(i, from, &place) }()
		}
	}
	r.line.Control = r.line.Control || isControl(s.Cmd)
	switch c := s.Cmd.(type) {
	case *syntax.Block:
		r.stmts(c.Stmts, sc)
	case *syntax.Subshell:
		sub := *sc
		sub.place |= command.InSubshell
		traps := len(r.traps)
		r.stmts(c.Stmts, &sub)
		r.endTraps(traps, &sub)
	case *syntax.IfClause:
		r.ifClause(c, sc)
	case *syntax.WhileClause:
		r.while(c, sc)
	case *syntax.ForClause:
		r.forClause(c, sc)
	case *syntax.CaseClause:
		r.caseClause(c, sc)
	case *syntax.FuncDecl:
		r.define(c, sc)
	case *syntax.DeclClause:
		r.declaration(c, sc)
	case *syntax.TestClause:
		r.test(c, sc)
	case *syntax.ArithmCmd:
		i := r.begin(c.Pos(), c.End(), sc)
		r.builtin(i, "((")
		r.arithm(c.X, sc, i)
	case *syntax.LetClause:
		i := r.begin(c.Pos(), c.End(), sc)
		r.builtin(i, "let")
		for _, x := range c.Exprs {
			r.arithm(x, sc, i)
		}
	case *syntax.TimeClause:
		r.timeClause(c, sc)
	case *syntax.CoprocClause:
		r.coprocessName(c, sc)
		sub := *sc
		sub.place |= command.Background | command.InSubshell
		defer r.pace.background(sc.context)()
		r.stmt(shell.Coprocess(c), &sub)
	default:
		i := r.begin(s.Pos(), s.End(), sc)
		r.line.Commands[i].Opaque = "uses syntax that policyctl does not understand"
		sc.doubt(r)
	}
}

func (r *reader) timeClause(c *syntax.TimeClause, sc *scope) {
	i := r.begin(c.Pos(), c.End(), sc)
	r.builtin(i, "time")
	if c.Stmt == nil {
		return
	}
	parent := sc.parent
	sc.parent = i
	r.stmt(c.Stmt, sc)
	sc.parent = parent
}

// binary reads a chain of && and ||, or a pipeline, which the parser nests to
// the left.
func (r *reader) binary(c *syntax.BinaryCmd, sc *scope) {
	links := []*syntax.BinaryCmd{c}
	first := c.X
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || shell.IsPipe(b.Op) != shell.IsPipe(c.Op) || !shell.IsPlain(first) {
			break
		}
		links = append(links, b)
		first = b.X
	}
	if shell.IsPipe(c.Op) {
		r.pipeline(first, links, sc)
	} else {
		r.list(first, links, sc)
	}
}

// list reads a chain of && and ||, the last link first in links. What a
// command finds is what the success, or behind || the failure, of those
// before it leaves; after the chain, either.
func (r *reader) list(first *syntax.Stmt, links []*syntax.BinaryCmd, sc *scope) {
	defer r.release(r.inUse)
	filled := sc.found
	failed, sub, before := r.copyOf(sc), r.copyOf(sc), r.copyOf(sc)
	mayFail := !alwaysTrue(first)
	r.stmt(first, sc)
	timed := first
	if t, ok := first.Cmd.(*syntax.TimeClause); ok && t.Stmt != nil {
		timed = t.Stmt
	}
	if c, ok := timed.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 && shell.WordText(c.Args[0]) == "read" {
		failed.vars, failed.names = sc.vars, sc.names // which it sets also at the end of its input, where it fails
	}
	for i := len(links) - 1; i >= 0; i-- {
		y := links[i].Y
		if links[i].Op == syntax.OrStmt {
			*sub = *sc
			if mayFail {
				*sub = *failed
				sub.place |= command.InBranch
				sub.doubtFound(r)
			}
			r.stmt(y, sub)
			sub.place = sc.place | sub.place&command.Adrift
			if leaves(y) {
				mayFail = false
				continue
			}
			sc.join(r, sub)
			sc.place |= sub.place & command.Adrift
			mayFail = mayFail && !alwaysTrue(y)
			continue
		}
		*sub, *before = *sc, *sc
		if mayFail {
			sub.place |= command.InBranch
			sub.doubtFound(r)
		}
		r.stmt(y, sub)
		sub.place = sc.place | sub.place&command.Adrift
		*sc = *sub
		if alwaysTrue(y) {
			continue
		}
		if mayFail {
			failed.join(r, before)
		} else {
			*failed, mayFail = *before, true
		}
	}
	if mayFail {
		sc.join(r, failed)
	}
	if filled != nil && anyLeaves(links) {
		sc.found = filled
		sc.doubtFound(r)
	}
}

// alwaysTrue reports whether a statement cannot fail: assignments of plain
// words, and built-ins that succeed whatever they are given.
func alwaysTrue(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || !shell.IsPlain(s) {
		return false
	}
	if len(c.Args) > 0 {
		return program.OfKind(shell.WordText(c.Args[0]), "succeeds")
	}
	for _, a := range c.Assigns {
		if a.Value != nil && hasSubst(a.Value) {
			return false
		}
	}
	return true
}

func hasSubst(w *syntax.Word) bool {
	found := false
	syntax.Walk(w, func(n syntax.Node) bool {
		if _, ok := n.(*syntax.CmdSubst); ok {
			found = true
		}
		return !found
	})
	return found
}

// anyLeaves reports whether nothing after a chain runs if some part of it does.
func anyLeaves(links []*syntax.BinaryCmd) bool {
	for _, l := range links {
		if leaves(l.Y) {
			return true
		}
	}
	return false
}

// leaves reports whether nothing after the statement runs.
func leaves(s *syntax.Stmt) bool {
	if b, ok := s.Cmd.(*syntax.Block); ok && len(b.Stmts) > 0 && shell.IsPlain(s) {
		return leaves(b.Stmts[len(b.Stmts)-1])
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || !shell.IsPlain(s) || len(c.Args) == 0 {
		return false
	}
	flow := program.KindOf(shell.WordText(c.Args[0]), "flow")
	return flow == "exit" || flow == "break" || flow == "continue"
}

// pipeline reads the commands of a pipeline, each in a scope of its own.
func (r *reader) pipeline(first *syntax.Stmt, links []*syntax.BinaryCmd, sc *scope) {
	defer r.release(r.inUse)
	source, sub := sc.source, r.copyOf(sc)
	var text, input *shell.Set // of a group, and of the last command
	for i := len(links); i >= 0; i-- {
		*sub = *sc
		sub.place |= command.InSubshell
		sub.source = source
		s := first
		if i < len(links) {
			s = links[i].Y
			sub.place |= command.Piped
			sub.stdin = text
		}
		if input = sub.stdin; i > 0 {
			sub.place |= command.Piping
		}
		from, place, traps := len(r.line.Commands), *sub, len(r.traps)
		r.stmt(s, sub)
		r.endTraps(traps, sub)
		source, text = r.feeder(from, s), nil
		if source < 0 && r.forked(from, s) {
			if out := r.anyOutput(from); len(out.Values) > 0 {
				text = &out
			}
		} else if source < 0 && isGroup(s.Cmd) && keepsOutput(s) {
			source = r.groupLister(from, s, sub)
			if out := r.groupOutput(from, &place); len(out.Values) > 0 {
				text = &out
			}
		}
	}
	r.tail = source
	if r.shells&(shell.InZsh|shell.InMksh|shell.InKsh93) != 0 { // they run the last command themselves, so that what it binds stays
		if sc.join(r, sub); sub.stdin != input { // exec has redirected it
			sc.stdin = sub.stdin
		}
	}
}

// feeder returns the index of the command whose output a statement writes,
// of which the commands were read from index from on; -1 where several do.
func (r *reader) feeder(from int, s *syntax.Stmt) int {
	if _, ok := s.Cmd.(*syntax.CallExpr); !ok || from >= len(r.line.Commands) || r.line.Commands[from].Variant {
		return -1
	}
	return r.line.writer(from)
}

// forked reports whether a statement is a simple command with several readings,
// read from index from on.
func (r *reader) forked(from int, s *syntax.Stmt) bool {
	_, ok := s.Cmd.(*syntax.CallExpr)
	return ok && from < len(r.line.Commands) && r.line.Commands[from].Variant
}

func (r *reader) ifClause(c *syntax.IfClause, sc *scope) {
	r.stmts(c.Cond, sc)
	sc.doubtFound(r)
	then := *sc
	then.place |= command.InBranch
	r.stmts(c.Then, &then)
	then.place = sc.place
	if c.Else != nil {
		other := *sc
		other.place |= command.InBranch
		if len(c.Else.Cond) > 0 {
			r.enter(c.Else)
			r.ifClause(c.Else, &other)
			r.leave()
		} else {
			r.stmts(c.Else.Then, &other)
		}
		other.place = sc.place
		*sc = other
	}
	sc.join(r, &then)
}

func (r *reader) caseClause(c *syntax.CaseClause, sc *scope) {
	i := r.begin(c.Pos(), c.Word.End(), sc)
	r.builtin(i, "case")
	r.word(c.Word, sc, i)
	sc.doubtFound(r)
	out := *sc
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			r.quiet(p, sc, i)
		}
		sub := *sc
		sub.place |= command.InBranch
		r.stmts(item.Stmts, &sub)
		sub.place = sc.place | sub.place&command.Adrift
		out.join(r, &sub)
	}
	*sc = out
}

// keepsOutput reports whether what a statement prints goes where its output goes.
func keepsOutput(s *syntax.Stmt) bool {
	for _, rd := range s.Redirs {
		switch rd.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		default:
			return false
		}
	}
	return !s.Background && !s.Negated && !s.Coprocess && !s.Disown
}
