package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// command compares a command that is not a simple one.
func (a *agreement) command(c syntax.Command) {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		a.chain(c)
	case *syntax.Block:
		a.keyword(c.Lbrace, 1)
		a.stmts(c.Stmts)
		a.keyword(c.Rbrace, 1)
	case *syntax.Subshell:
		a.has(c.Lparen, operator)
		a.stmts(c.Stmts)
		a.has(c.Rparen, operator)
	case *syntax.IfClause:
		a.ifClause(c)
		a.keyword(c.FiPos, len("fi"))
	case *syntax.WhileClause:
		a.keyword(c.WhilePos, len("while")) // as long as until
		a.stmts(c.Cond)
		a.keyword(c.DoPos, len("do"))
		a.stmts(c.Do)
		a.keyword(c.DonePos, len("done"))
	case *syntax.ForClause:
		a.forClause(c)
	case *syntax.CaseClause:
		a.caseClause(c)
	case *syntax.FuncDecl:
		if c.RsrvWord {
			a.keyword(c.Position, len("function"))
			a.uses(synFunctionWords, c.Pos(), c.End())
		}
		a.span(c.Name.Pos(), c.Name.End())
		a.stmt(c.Body)
	default:
		a.bashCommand(c)
	}
}

// bashCommand compares a command that POSIX does not know.
func (a *agreement) bashCommand(c syntax.Command) {
	switch c := c.(type) {
	case *syntax.ArithmCmd:
		a.pair(c.Left, c.Right)
		a.uses(synArithmeticCommands, c.Pos(), c.End())
		a.arithm(c.X)
	case *syntax.TestClause:
		a.keyword(c.Left, 2)
		a.testSyntax(c)
		a.test(c.X)
		a.keyword(c.Right, 2)
	case *syntax.DeclClause:
		a.has(c.Pos(), first)
		a.span(c.Variant.Pos(), c.Variant.End())
		a.declarationSyntax(c)
		for _, as := range c.Args {
			a.lacks(as.Pos(), first)
			a.assign(as)
		}
	case *syntax.LetClause:
		a.keyword(c.Let, len("let"))
		a.uses(synLetWords, c.Pos(), c.End())
		for _, x := range c.Exprs {
			a.span(x.Pos(), x.End())
			a.arithm(x)
		}
	case *syntax.TimeClause:
		a.keyword(c.Time, len("time"))
		a.timeSyntax(c)
		if c.PosixFormat {
			a.tally.words++ // -p, of which the place is not told
		}
		if c.Stmt != nil {
			a.stmt(c.Stmt)
		}
	case *syntax.CoprocClause:
		a.keyword(c.Coproc, len("coproc"))
		a.uses(synCoprocesses, c.Pos(), c.End())
		a.coprocess(c)
	default:
		a.fail(c.Pos())
	}
}

// chain compares a list or a pipeline, which the parser nests to the left.
func (a *agreement) chain(c *syntax.BinaryCmd) {
	for {
		switch c.Op {
		case syntax.Pipe:
			a.lacks(c.OpPos, doubled)
		case syntax.PipeAll:
			a.uses(synBothPipes, c.OpPos, c.Y.Pos())
			fallthrough
		default:
			a.has(c.OpPos, doubled)
		}
		a.has(c.OpPos, operator)
		if t, ok := c.Y.Cmd.(*syntax.TimeClause); ok && IsPipe(c.Op) {
			a.uses(synOtherSyntax, t.Pos(), t.End()) // a program, also in bash
		}
		a.stmt(c.Y)
		left, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if IsPipe(c.Op) {
			a.piped(c.Y, "0")
			if ok {
				a.piped(left.Y, "1")
			} else {
				a.piped(c.X, "1")
			}
		}
		if !ok || !IsPlain(c.X) {
			a.stmt(c.X)
			return
		}
		c = left
	}
}

func (a *agreement) ifClause(c *syntax.IfClause) {
	a.stmts(c.Cond)
	if c.ThenPos.IsValid() {
		a.keyword(c.ThenPos, len("then"))
	}
	a.has(c.Position, wordStart)
	a.tally.words++
	a.stmts(c.Then)
	if c.Else != nil {
		a.ifClause(c.Else)
	}
}

func (a *agreement) forClause(c *syntax.ForClause) {
	a.has(c.ForPos, wordStart|first) // for or select
	a.tally.words++
	if c.Select {
		a.uses(synSelectLoops, c.Pos(), c.End())
	}
	if c.Braces {
		a.uses(synOtherSyntax, c.Pos(), c.End())
	}
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		a.span(l.Name.Pos(), l.Name.End())
		if l.InPos.IsValid() {
			a.keyword(l.InPos, len("in"))
		}
		for _, w := range l.Items {
			a.word(w)
		}
	case *syntax.CStyleLoop:
		a.pair(l.Lparen, l.Rparen)
		a.uses(synForLoops, l.Pos(), l.End())
		a.arithm(l.Init)
		a.arithm(l.Cond)
		a.arithm(l.Post)
	default:
		a.fail(c.Pos())
	}
	do, done := len("do"), len("done")
	if c.Braces {
		do, done = 1, 1
	}
	a.keyword(c.DoPos, do)
	a.stmts(c.Do)
	a.keyword(c.DonePos, done)
}

func (a *agreement) caseClause(c *syntax.CaseClause) {
	if c.Braces {
		a.fail(c.Pos())
		return
	}
	a.keyword(c.Case, len("case"))
	a.word(c.Word)
	a.keyword(c.In, len("in"))
	for _, item := range c.Items {
		for _, w := range item.Patterns {
			a.word(w)
		}
		a.stmts(item.Stmts)
		if item.OpPos.IsValid() {
			a.has(item.OpPos, operator)
			if item.Op != syntax.Break {
				a.uses(synFallThrough, item.OpPos, item.OpPos)
			}
		}
	}
	a.keyword(c.Esac, len("esac"))
}

func (a *agreement) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.Word:
		a.word(x)
	case *syntax.UnaryTest:
		a.has(x.OpPos, wordStart)
		a.tally.words++
		a.test(x.X)
	case *syntax.ParenTest:
		a.has(x.Lparen, operator)
		a.test(x.X)
		a.has(x.Rparen, operator)
	case *syntax.BinaryTest:
		a.test(x.X)
		switch x.Op {
		case syntax.AndTest, syntax.OrTest, syntax.TsBefore, syntax.TsAfter:
			a.has(x.OpPos, operator)
		default:
			a.has(x.OpPos, wordStart)
			a.tally.words++
		}
		a.test(x.Y)
	default:
		a.fail(x.Pos())
	}
}

// Coprocess compares a coprocess: what the parser takes for the name of one
// that is a simple command is its program.
func (a *agreement) coprocess(c *syntax.CoprocClause) {
	s := c.Stmt
	for b, ok := s.Cmd.(*syntax.BinaryCmd); ok; b, ok = s.Cmd.(*syntax.BinaryCmd) {
		s = b.X
	}
	if _, ok := s.Cmd.(*syntax.CallExpr); ok {
		a.stmt(Coprocess(c))
		return
	}
	if c.Name != nil {
		a.word(c.Name)
	}
	a.stmt(c.Stmt)
}
