package shell

import "mvdan.cc/sh/v3/syntax"

// A plainParser reads the part of the language in which most lines are written:
// simple commands, pipelines and lists, with plain redirections, quotes,
// parameters, command substitutions and here-documents. It yields the tree that
// the parser would, in a fraction of the time, and leaves every text that holds
// anything else, or an error, to the parser. What it yields has to agree with
// the scanner as what the parser yields has. It shares with the scanner which bytes
// end a word, and tests hold it against the parser.
//
// Of a position only the offset is told. Trees are valid until release.
type plainParser struct {
	src   string
	at    int
	depth int
	docs  []*syntax.Redirect // here-documents whose bodies have not begun

	// What is collected for slices that are not complete.
	args   []*syntax.Word
	parts  []syntax.WordPart
	redirs []*syntax.Redirect
	stmts  []*syntax.Stmt

	nodes struct {
		stmt      slab[syntax.Stmt]
		call      slab[syntax.CallExpr]
		binary    slab[syntax.BinaryCmd]
		assign    slab[syntax.Assign]
		redirect  slab[syntax.Redirect]
		word      slab[syntax.Word]
		lit       slab[syntax.Lit]
		single    slab[syntax.SglQuoted]
		double    slab[syntax.DblQuoted]
		parameter slab[syntax.ParamExp]
		subst     slab[syntax.CmdSubst]

		args   slab[*syntax.Word]
		parts  slab[syntax.WordPart]
		redirs slab[*syntax.Redirect]
		stmts  slab[*syntax.Stmt]
	}
}

// maxPlain bounds substitutions within substitutions.
const maxPlain = 8

func (p *plainParser) pos(at int) syntax.Pos { return syntax.NewPos(uint(at), 1, 1) }

// peek returns a byte ahead, 0 behind the end.
func (p *plainParser) peek(n int) byte {
	if p.at+n < len(p.src) {
		return p.src[p.at+n]
	}
	return 0
}

// blanks passes blanks and continued lines.
func (p *plainParser) blanks() {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == ' ' || c == '\t':
			p.at++
		case c == '\\' && p.peek(1) == '\n':
			p.at += 2
		default:
			return
		}
	}
}

func (p *plainParser) literal(from, to int) *syntax.Lit {
	return p.nodes.lit.new(syntax.Lit{ValuePos: p.pos(from), ValueEnd: p.pos(to), Value: p.src[from:to]})
}

func (p *plainParser) wordOf(parts ...syntax.WordPart) *syntax.Word {
	return p.nodes.word.new(syntax.Word{Parts: p.nodes.parts.copy(parts)})
}
