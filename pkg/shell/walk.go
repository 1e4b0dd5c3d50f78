package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts reads statements one after the other.
func (r *reader) stmts(list []*syntax.Stmt, sc *scope) {
	for _, s := range list {
		r.stmt(s, sc)
	}
}

func (r *reader) stmt(s *syntax.Stmt, sc *scope) {
	r.enter(s)
	defer r.leave()
	if s.Background || s.Coprocess || s.Disown {
		sub := *sc
		sub.place |= Background | InSubshell
		sc = &sub
	}
	switch c := s.Cmd.(type) {
	case nil:
		r.simple(s, nil, sc)
	case *syntax.CallExpr:
		r.simple(s, c, sc)
	case *syntax.BinaryCmd:
		r.binary(s, c, sc)
	default:
		r.compound(s, sc)
	}
}

// compound reads a statement whose redirections hold for several commands.
func (r *reader) compound(s *syntax.Stmt, sc *scope) {
	if len(s.Redirs) > 0 {
		outer := *sc
		i := r.begin(s.Redirs[0].Pos(), s.Redirs[len(s.Redirs)-1].End(), sc)
		r.redirects(s.Redirs, i, &outer)
		sc.stdin = outer.stdin
		defer func() { sc.stdin = nil }()
	}
	switch c := s.Cmd.(type) {
	case *syntax.Block:
		r.stmts(c.Stmts, sc)
	case *syntax.Subshell:
		sub := *sc
		sub.place |= InSubshell
		r.stmts(c.Stmts, &sub)
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
		r.declare(c, sc)
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
		sub := *sc
		sub.place |= Background | InSubshell
		r.stmt(coprocess(c), &sub)
	default:
		i := r.begin(s.Pos(), s.End(), sc)
		r.line.Commands[i].Opaque = "uses syntax that is not understood"
		sc.forget()
	}
}

// coprocess returns the statement of a coprocess. Only a compound command can
// have a name; the parser takes the program of a simple command in a pipeline
// for one.
func coprocess(c *syntax.CoprocClause) *syntax.Stmt {
	if c.Name == nil {
		return c.Stmt
	}
	return withProgram(c.Stmt, c.Name)
}

// withProgram returns a statement with a word before the first command of its
// pipeline, if that is a simple one.
func withProgram(s *syntax.Stmt, program *syntax.Word) *syntax.Stmt {
	stmt := *s
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		call := *cmd
		call.Args = append([]*syntax.Word{program}, cmd.Args...)
		stmt.Cmd = &call
	case *syntax.BinaryCmd:
		pipe := *cmd
		pipe.X = withProgram(cmd.X, program)
		stmt.Cmd = &pipe
	default:
		return s
	}
	return &stmt
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
func (r *reader) binary(s *syntax.Stmt, c *syntax.BinaryCmd, sc *scope) {
	links := []*syntax.BinaryCmd{c}
	first := c.X
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || isPipe(b.Op) != isPipe(c.Op) || !plain(first) {
			break
		}
		links = append(links, b)
		first = b.X
	}
	if isPipe(c.Op) {
		r.pipeline(first, links, sc)
	} else {
		r.list(first, links, sc)
	}
}

func plain(s *syntax.Stmt) bool {
	return len(s.Redirs) == 0 && !s.Background && !s.Negated && !s.Coprocess && !s.Disown
}

func isPipe(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }

// list reads a chain of && and ||, the last link first in links. What a
// command finds is what the success, or behind || the failure, of those
// before it leaves; after the chain, either.
func (r *reader) list(first *syntax.Stmt, links []*syntax.BinaryCmd, sc *scope) {
	defer r.release(r.inUse)
	failed, sub, before := r.copyOf(sc), r.copyOf(sc), r.copyOf(sc)
	mayFail := !alwaysTrue(first)
	r.stmt(first, sc)
	for i := len(links) - 1; i >= 0; i-- {
		y := links[i].Y
		if links[i].Op == syntax.OrStmt {
			*sub = *sc
			if mayFail {
				*sub = *failed
				sub.place |= InBranch
			}
			r.stmt(y, sub)
			sub.place = sc.place
			if leaves(y) {
				mayFail = false
				continue
			}
			sc.join(r, sub)
			mayFail = mayFail && !alwaysTrue(y)
			continue
		}
		*sub, *before = *sc, *sc
		if mayFail {
			sub.place |= InBranch
		}
		r.stmt(y, sub)
		sub.place = sc.place
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
}

// alwaysTrue says whether a statement cannot fail: assignments of plain
// words, and built-ins that succeed whatever they are given.
func alwaysTrue(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || !plain(s) {
		return false
	}
	if len(c.Args) > 0 {
		switch c.Args[0].Lit() {
		case ":", "true", "echo", "printf":
			return true
		}
		return false
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

// leaves says whether nothing after the statement runs.
func leaves(s *syntax.Stmt) bool {
	if b, ok := s.Cmd.(*syntax.Block); ok && len(b.Stmts) > 0 && plain(s) {
		return leaves(b.Stmts[len(b.Stmts)-1])
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || !plain(s) || len(c.Args) == 0 {
		return false
	}
	switch c.Args[0].Lit() {
	case "exit", "return", "break", "continue":
		return true
	}
	return false
}

// pipeline reads the commands of a pipeline, each in a scope of its own.
func (r *reader) pipeline(first *syntax.Stmt, links []*syntax.BinaryCmd, sc *scope) {
	defer r.release(r.inUse)
	source, sub := sc.source, r.copyOf(sc)
	for i := len(links); i >= 0; i-- {
		*sub = *sc
		sub.place |= InSubshell
		sub.source = source
		s := first
		if i < len(links) {
			s = links[i].Y
			sub.place |= Piped
			sub.stdin = nil
		}
		if i > 0 {
			sub.place |= Piping
		}
		from := len(r.line.Commands)
		r.stmt(s, sub)
		source = r.feeder(from, s)
	}
	r.tail = source
	if lastPipe(r.env.Shell) {
		sc.join(r, sub)
	}
}

// lastPipe says whether a shell may run the last command of a pipeline itself,
// so that what it binds stays: zsh and ksh do, and a shell that is not known.
func lastPipe(shell string) bool {
	return shell == "" || shell == "zsh" || shell == "ksh" || shell == "mksh"
}

// feeder returns the index of the command whose output a statement writes,
// of which the commands were read from index from on; -1 where several do.
func (r *reader) feeder(from int, s *syntax.Stmt) int {
	if _, ok := s.Cmd.(*syntax.CallExpr); !ok || from >= len(r.line.Commands) || r.line.Commands[from].Variant {
		return -1
	}
	return from
}

func (r *reader) ifClause(c *syntax.IfClause, sc *scope) {
	r.stmts(c.Cond, sc)
	then := *sc
	then.place |= InBranch
	r.stmts(c.Then, &then)
	then.place = sc.place
	if c.Else != nil {
		other := *sc
		other.place |= InBranch
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

func (r *reader) while(c *syntax.WhileClause, sc *scope) {
	if endless(c) && spawns(c.Do) {
		r.spawn("a loop without end starts processes in the background", c.Pos(), c.End())
	}
	r.loop(c.Cond, c.Do, sc)
}

func (r *reader) forClause(c *syntax.ForClause, sc *scope) {
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		i := r.begin(c.Pos(), c.DoPos, sc)
		r.builtin(i, "((")
		r.arithm(l.Init, sc, i)
		r.arithm(l.Cond, sc, i)
		r.arithm(l.Post, sc, i)
		if l.Cond == nil && spawns(c.Do) {
			r.spawn("a loop without end starts processes in the background", c.Pos(), c.End())
		}
	case *syntax.WordIter:
		i := r.begin(c.Pos(), c.DoPos, sc)
		r.builtin(i, "for")
		var v Set
		if !l.InPos.IsValid() {
			v.Open = true
		}
		for _, w := range l.Items {
			n := len(r.line.Commands[i].Words)
			r.word(w, sc, i)
			for k := n; k < len(r.line.Commands[i].Words); k++ {
				word := r.line.Commands[i].Words[k]
				if k == 1 && n == 1 {
					v = word.Set
				} else {
					v = union(v, word.Set)
				}
			}
		}
		if c.Select {
			v.Open = true
		}
		sc.set(r, l.Name.Value, v)
	}
	r.loop(nil, c.Do, sc)
}

// loop reads the body of a loop once, in a scope in which whatever the body
// binds may already be bound.
func (r *reader) loop(cond, body []*syntax.Stmt, sc *scope) {
	if r.inLoop++; r.inLoop > 24 {
		r.stop("too-deep", "loops nest too deeply", Span{0, len(r.line.Source)})
	}
	defer func() { r.inLoop-- }()
	r.prebind(cond, sc)
	r.prebind(body, sc)
	sub := *sc
	sub.place |= InLoop
	r.stmts(cond, &sub)
	r.stmts(body, &sub)
	sub.place = sc.place
	sc.join(r, &sub)
}

// prebind opens every variable that the statements bind, with the literal
// values that they give it, and the directory where they change it.
func (r *reader) prebind(list []*syntax.Stmt, sc *scope) {
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Assign:
				if n.Name != nil {
					r.prebindOne(n, sc)
				}
			case *syntax.WordIter:
				sc.set(r, n.Name.Value, Set{Open: true})
			case *syntax.CallExpr:
				if len(n.Args) > 0 {
					switch n.Args[0].Lit() {
					case "cd", "pushd", "popd":
						sc.dir.Open = true
					case "read", "mapfile", "readarray", "getopts", "unset", "printf":
						for _, w := range n.Args[1:] {
							if syntax.ValidName(w.Lit()) {
								sc.set(r, w.Lit(), Set{Open: true})
							}
						}
					case "eval", "source", ".":
						sc.forget()
					}
				}
			}
			return true
		})
	}
}

func (r *reader) prebindOne(n *syntax.Assign, sc *scope) {
	cur := Set{Open: true}
	number := true
	if b := sc.lookup(n.Name.Value); b != nil {
		cur.Values, number = b.set.Values, b.set.Number
	}
	if n.Value == nil {
		number = false
	} else if lit := n.Value.Lit(); lit != "" {
		cur = union(cur, known(r, lit))
		number = number && isNumber(lit)
	} else if !onlyArithm(n.Value) {
		number = false
	}
	cur.Open, cur.Number = true, number
	sc.set(r, n.Name.Value, cur)
}

func onlyArithm(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	_, ok := w.Parts[0].(*syntax.ArithmExp)
	return ok
}

// endless says whether the condition of a loop always holds.
func endless(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	switch cond := c.Cond[0].Cmd.(type) {
	case *syntax.CallExpr:
		if len(cond.Args) == 0 {
			return false
		}
		switch cond.Args[0].Lit() {
		case ":", "true":
			return !c.Until
		case "false":
			return c.Until
		case "[", "test":
			return !c.Until && len(cond.Args) > 1 && cond.Args[1].Lit() != "" && len(cond.Args) <= 3
		}
	case *syntax.ArithmCmd:
		w, ok := cond.X.(*syntax.Word)
		return ok && !c.Until && isNumber(w.Lit()) && w.Lit() != "0"
	}
	return false
}

// spawns says whether the body of a loop starts processes in the background
// and never waits, sleeps or leaves.
func spawns(body []*syntax.Stmt) bool {
	starts, stops := false, false
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Stmt:
				if n.Background || n.Coprocess || n.Disown {
					starts = true
					return false
				}
			case *syntax.CallExpr:
				if len(n.Args) > 0 {
					switch n.Args[0].Lit() {
					case "wait", "sleep", "usleep", "break", "exit", "return", "read", "inotifywait":
						stops = true
					}
				}
			}
			return true
		})
	}
	return starts && !stops
}

func (r *reader) spawn(why string, from, to syntax.Pos) {
	r.line.Spawns = append(r.line.Spawns, Spawn{why, r.text.span(from, to)})
}

func (r *reader) caseClause(c *syntax.CaseClause, sc *scope) {
	i := r.begin(c.Pos(), c.Word.End(), sc)
	r.builtin(i, "case")
	r.word(c.Word, sc, i)
	out := *sc
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			r.quiet(p, sc, i)
		}
		sub := *sc
		sub.place |= InBranch
		r.stmts(item.Stmts, &sub)
		sub.place = sc.place
		out.join(r, &sub)
	}
	*sc = out
}

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

// declare reads export, declare, local, readonly, typeset and nameref.
func (r *reader) declare(c *syntax.DeclClause, sc *scope) {
	i := r.begin(c.Pos(), c.End(), sc)
	r.builtin(i, c.Variant.Value)
	for _, a := range c.Args {
		switch {
		case a.Name == nil && a.Value != nil:
			r.word(a.Value, sc, i)
		case a.Naked:
			r.addWord(i, Word{Set: known(r, a.Name.Value), Span: r.text.span(a.Pos(), a.End())})
		default:
			r.assign(a, sc, i, true)
		}
	}
	if sc.place&InFunction != 0 && c.Variant.Value != "export" && c.Variant.Value != "readonly" {
		for _, a := range r.line.Commands[i].Assigns {
			r.locals = append(r.locals, a.Name)
		}
	}
	for _, w := range r.line.Commands[i].Words[1:] {
		if hasDeclFlag(w.Set) {
			for _, a := range r.line.Commands[i].Assigns {
				sc.set(r, a.Name, Set{Open: true})
			}
		}
	}
}

// hasDeclFlag says whether a word is an option that makes a variable more
// than its text: an integer, a reference, an array or folded case.
func hasDeclFlag(s Set) bool {
	v, ok := s.Literal()
	if !ok {
		return true
	}
	if len(v) < 2 || (v[0] != '-' && v[0] != '+') {
		return false
	}
	for _, c := range v[1:] {
		switch c {
		case 'x', 'r', 'g', 'p':
		default:
			return true
		}
	}
	return false
}

func (r *reader) test(c *syntax.TestClause, sc *scope) {
	i := r.begin(c.Pos(), c.End(), sc)
	r.builtin(i, "[[")
	r.testExpr(c.X, sc, i)
	r.addWord(i, Word{Set: known(r, "]]"), Span: r.text.span(c.Right, c.End())})
}

func (r *reader) testExpr(x syntax.TestExpr, sc *scope, i int) {
	if x == nil {
		return
	}
	r.enter(x)
	defer r.leave()
	switch x := x.(type) {
	case *syntax.Word:
		r.addWord(i, r.single(x, sc, i))
	case *syntax.ParenTest:
		r.testExpr(x.X, sc, i)
	case *syntax.UnaryTest:
		r.operator(i, x.Op.String(), x.OpPos)
		r.testExpr(x.X, sc, i)
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			r.doubt(i, "looks at a variable by name, which may evaluate a subscript")
		}
	case *syntax.BinaryTest:
		r.testExpr(x.X, sc, i)
		r.operator(i, x.Op.String(), x.OpPos)
		r.testExpr(x.Y, sc, i)
		if x.Op >= syntax.TsEql && x.Op <= syntax.TsGtr {
			r.arithmWords(i)
		}
	}
}

// operator adds an operator of [[ as a word.
func (r *reader) operator(i int, op string, at syntax.Pos) {
	span := r.text.span(at, at)
	if r.text.within == nil {
		span.To = span.From + len(op)
	}
	r.addWord(i, Word{Set: known(r, op), Span: span})
}

// arithmWords notes operands of -eq and its like whose text [[ would evaluate
// as arithmetic.
func (r *reader) arithmWords(i int) {
	c := &r.line.Commands[i]
	for _, w := range c.Words[max(1, len(c.Words)-3):] {
		if v, ok := w.Literal(); w.Number || allNumbers(w.Set) || ok && strings.HasPrefix(v, "-") {
			continue
		}
		r.doubt(i, "evaluates the text of a variable as arithmetic")
	}
}
