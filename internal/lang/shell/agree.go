package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// agree compares what the parser made of the text with what the scanner did.
func (s *scanner) agree(list []*syntax.Stmt, set Shells) agreement {
	a := agreement{src: s.src, marks: s.marks, shells: set}
	a.stmts(list)
	a.fails = a.fails || a.tally != s.tally
	return a
}

func (a *agreement) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		a.stmt(s)
	}
}

func (a *agreement) stmt(s *syntax.Stmt) {
	if s.Negated {
		a.keyword(s.Position, 1)
	}
	if s.Semicolon.IsValid() {
		a.has(s.Semicolon, operator)
	}
	if s.Background {
		a.tally.backgrounds++
	}
	if s.Coprocess || s.Disown {
		a.fail(s.Semicolon)
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	if len(s.Redirs) > 0 && (s.Cmd == nil && !a.contents || ok && len(c.Args) == 0) {
		a.uses(synBareRedirections, s.Pos(), s.End())
		for _, r := range s.Redirs {
			if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc || r.Op == syntax.WordHdoc {
				a.uses(synOtherSyntax, r.Pos(), r.Word.End())
			}
		}
	}
	a.contents = false
	if !ok && s.Cmd != nil {
		a.command(s.Cmd)
		for _, r := range s.Redirs {
			a.lacks(r.Pos(), first)
			a.redirect(r)
		}
		return
	}
	var begin syntax.Pos
	if c != nil {
		begin = c.Pos()
	}
	if len(s.Redirs) > 0 && (c == nil || begin.After(s.Redirs[0].Pos())) {
		begin = s.Redirs[0].Pos()
	}
	a.has(begin, first)
	for _, r := range s.Redirs {
		a.inside(r.Pos(), begin)
		a.redirect(r)
	}
	if c == nil {
		return
	}
	for _, as := range c.Assigns {
		a.inside(as.Pos(), begin)
		a.assign(as)
	}
	a.builtins(c)
	for i, w := range c.Args {
		a.inside(w.Pos(), begin)
		a.argument(w, i == 0)
	}
	a.substituted(c.Args)
}

// inside checks that no command begins at a place within the one that begins
// elsewhere.
func (a *agreement) inside(at, begin syntax.Pos) {
	if at != begin {
		a.lacks(at, first)
	}
}

func (a *agreement) redirect(r *syntax.Redirect) {
	a.has(r.OpPos, redirects)
	if r.N != nil {
		a.has(r.OpPos, descriptor)
	} else {
		a.lacks(r.OpPos, descriptor)
	}
	a.tally.redirects++
	a.word(r.Word)
	a.redirectSyntax(r)
	if r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc {
		return
	}
	a.tally.bodies++
	if r.Hdoc == nil || len(r.Hdoc.Parts) == 0 {
		return
	}
	a.has(r.Hdoc.Pos(), bodyStart)
	a.has(r.Hdoc.End(), bodyEnd)
	if _, ok := r.Word.Parts[0].(*syntax.Lit); ok && len(r.Word.Parts) == 1 && !strings.Contains(r.Word.Lit(), `\\`) {
		a.inQuotes(r.Hdoc.Parts)
	}
}

// inQuotes compares parts that stand in double quotes, or as if they did.
func (a *agreement) inQuotes(parts []syntax.WordPart) {
	quoted := a.quoted
	a.quoted = true
	a.parts(parts)
	a.quoted = quoted
}

func (a *agreement) assign(as *syntax.Assign) {
	a.span(as.Pos(), as.End())
	if as.Name != nil && strings.Trim(as.Name.Value, identBytes) != "" {
		a.fail(as.Pos()) // it is a program
	}
	a.arithm(as.Index)
	switch {
	case as.Append:
		a.uses(synAppending, as.Pos(), as.End())
	case as.Index != nil:
		a.uses(synElements, as.Pos(), as.End())
	}
	if as.Value != nil {
		a.assigning = true
		a.wordSyntax(as.Value)
		a.assigning = false
		a.parts(as.Value.Parts)
		if _, ok := as.Value.Parts[0].(*syntax.ProcSubst); ok {
			a.uses(synOtherSyntax, as.Pos(), as.End())
		}
	}
	if as.Array == nil {
		return
	}
	a.uses(synArrayWords, as.Pos(), as.End())
	a.pair(as.Array.Lparen, as.Array.Rparen)
	for _, e := range as.Array.Elems {
		if e.Index != nil {
			a.tally.words++ // its beginning, a bracket, is not told
			a.has(e.End(), wordEnd)
			a.arithm(e.Index)
			if e.Value != nil {
				a.parts(e.Value.Parts)
			}
			continue
		}
		a.word(e.Value)
	}
}

func (a *agreement) word(w *syntax.Word) {
	a.span(w.Pos(), w.End())
	a.wordSyntax(w)
	a.parts(w.Parts)
}

func (a *agreement) parts(list []syntax.WordPart) {
	for _, p := range list {
		switch p := p.(type) {
		case *syntax.Lit:
			a.dollars(p)
		case *syntax.ExtGlob:
			a.uses(synExtendedPatterns, p.Pos(), p.End())
		case *syntax.SglQuoted:
			a.pair(p.Left, p.Right)
			if p.Dollar {
				a.ansi(p)
			}
		case *syntax.DblQuoted:
			a.pair(p.Left, p.Right)
			if p.Dollar {
				a.uses(synLocaleQuotes, p.Pos(), p.End())
			}
			a.inQuotes(p.Parts)
		case *syntax.ParamExp:
			a.parameter(p)
		case *syntax.CmdSubst:
			a.pair(p.Left, p.Right)
			a.substitution(p)
		case *syntax.ArithmExp:
			a.pair(p.Left, p.Right)
			a.arithmeticSyntax(p)
			a.arithm(p.X)
		case *syntax.ProcSubst:
			a.pair(p.OpPos, p.Rparen)
			if len(p.Stmts) == 0 {
				a.fail(p.OpPos) // nothing, also where a word should be
			}
			a.reprinted(p.Stmts)
			a.unquoted(p.Stmts)
		default:
			a.fail(p.Pos())
		}
	}
}

func (a *agreement) parameter(p *syntax.ParamExp) {
	if !p.Short {
		a.pair(p.Dollar, p.Rbrace)
	}
	a.parameterSyntax(p)
	a.arithm(p.Index)
	if p.Exp != nil && p.Exp.Word != nil {
		a.parts(p.Exp.Word.Parts)
	}
	if p.Repl != nil {
		if p.Repl.Orig != nil {
			a.parts(p.Repl.Orig.Parts)
		}
		if p.Repl.With != nil {
			a.parts(p.Repl.With.Parts)
		}
	}
	if p.Slice != nil {
		a.arithm(p.Slice.Offset)
		a.arithm(p.Slice.Length)
	}
}

// arithm compares the quotations and expansions of an expression; the rest of
// it is no words.
func (a *agreement) arithm(x syntax.ArithmExpr) {
	switch x := x.(type) {
	case nil:
	case *syntax.Word:
		if x != nil {
			a.parts(x.Parts)
		}
	case *syntax.BinaryArithm:
		a.arithm(x.X)
		a.arithm(x.Y)
	case *syntax.UnaryArithm:
		a.arithm(x.X)
	case *syntax.ParenArithm:
		a.arithm(x.X)
	default:
		a.fail(x.Pos())
	}
}
