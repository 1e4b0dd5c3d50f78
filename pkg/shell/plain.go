package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A plainParser reads the part of the language in which most lines are written:
// simple commands, pipelines and lists, with plain redirections, quotes,
// parameters, command substitutions and here-documents. It yields the tree that
// the parser would, in a fraction of the time, and leaves every text that holds
// anything else, or an error, to the parser. What it yields has to agree with
// the scanner as what the parser yields has.
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

// release takes back all trees.
func (p *plainParser) release() {
	n := &p.nodes
	n.stmt.release()
	n.call.release()
	n.binary.release()
	n.assign.release()
	n.redirect.release()
	n.word.release()
	n.lit.release()
	n.single.release()
	n.double.release()
	n.parameter.release()
	n.subst.release()
	n.args.release()
	n.parts.release()
	n.redirs.release()
	n.stmts.release()
	p.src = ""
}

// parse returns the statements of a text, and whether it could read them.
func (p *plainParser) parse(src string) ([]*syntax.Stmt, bool) {
	p.src, p.at, p.depth = src, 0, 0
	p.docs, p.args, p.parts, p.redirs, p.stmts = p.docs[:0], p.args[:0], p.parts[:0], p.redirs[:0], p.stmts[:0]
	if strings.IndexByte(src, '\r') >= 0 || strings.IndexByte(src, 0) >= 0 || !utf8.ValidString(src) {
		return nil, false
	}
	list, ok := p.list()
	return list, ok && p.at == len(src) && len(p.docs) == 0
}

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

// newlines passes blanks, comments and newlines, and the bodies of
// here-documents behind those.
func (p *plainParser) newlines() bool {
	for {
		p.blanks()
		switch p.peek(0) {
		case '#':
			n := strings.IndexByte(p.src[p.at:], '\n')
			if n < 0 {
				n = len(p.src) - p.at
			}
			if p.at += n; p.src[p.at-1] == '\\' {
				return false // shells continue no comment, and the parser does
			}
		case '\n':
			p.at++
			if len(p.docs) > 0 && !p.bodies() {
				return false
			}
		default:
			return true
		}
	}
}

// list reads statements up to the end or a closing parenthesis.
func (p *plainParser) list() ([]*syntax.Stmt, bool) {
	from := len(p.stmts)
	for {
		if !p.newlines() {
			return nil, false
		}
		if c := p.peek(0); c == 0 || c == ')' {
			break
		}
		s := p.chain()
		if s == nil {
			return nil, false
		}
		p.stmts = append(p.stmts, s)
		switch c := p.peek(0); c {
		case ';', '&':
			if next := p.peek(1); next == ';' || next == '&' || next == '|' || next == '!' {
				return nil, false
			}
			s.Semicolon, s.Background = p.pos(p.at), c == '&'
			p.at++
		case 0, '\n', '#', ')':
		default:
			return nil, false
		}
	}
	list := p.nodes.stmts.copy(p.stmts[from:])
	p.stmts = p.stmts[:from]
	return list, true
}

// chain reads pipelines with && and || between them, nil for what is not plain.
func (p *plainParser) chain() *syntax.Stmt {
	s := p.pipeline()
	for s != nil {
		op := syntax.AndStmt
		switch c := p.peek(0); {
		case c == '|' && p.peek(1) == '|':
			op = syntax.OrStmt
		case c != '&' || p.peek(1) != '&':
			return s
		}
		s = p.binary(s, op, 2, p.pipeline)
	}
	return nil
}

// pipeline reads commands with | between them.
func (p *plainParser) pipeline() *syntax.Stmt {
	s := p.simple()
	for s != nil && p.peek(0) == '|' && p.peek(1) != '|' {
		if p.peek(1) == '&' {
			return nil
		}
		s = p.binary(s, syntax.Pipe, 1, p.simple)
	}
	return s
}

// binary returns a statement and what follows an operator of n bytes.
func (p *plainParser) binary(x *syntax.Stmt, op syntax.BinCmdOperator, n int, next func() *syntax.Stmt) *syntax.Stmt {
	b := p.nodes.binary.new(syntax.BinaryCmd{OpPos: p.pos(p.at), Op: op, X: x})
	p.at += n
	if !p.newlines() {
		return nil
	}
	if b.Y = next(); b.Y == nil {
		return nil
	}
	return p.nodes.stmt.new(syntax.Stmt{Position: x.Position, Cmd: b})
}

// simple reads a simple command.
func (p *plainParser) simple() *syntax.Stmt {
	args, redirs := len(p.args), len(p.redirs)
	s := p.nodes.stmt.new(syntax.Stmt{Position: p.pos(p.at)})
	c := p.nodes.call.new(syntax.CallExpr{})
	for p.at < len(p.src) {
		p.blanks()
		switch b := p.peek(0); b {
		case 0, '\n', ';', '|', ')', '#':
		case '&':
			if p.peek(1) == '>' {
				if !p.redirect(nil) {
					return nil
				}
				continue
			}
		case '<', '>':
			if !p.redirect(nil) {
				return nil
			}
			continue
		default:
			if len(p.args) == args && p.assigns() {
				a := p.assign()
				if a == nil {
					return nil
				}
				c.Assigns = append(c.Assigns, a)
				continue
			}
			w := p.word()
			if w == nil {
				return nil
			}
			lit, ok := w.Parts[0].(*syntax.Lit)
			if next := p.peek(0); ok && len(w.Parts) == 1 && (next == '<' || next == '>') && isFd(lit.Value) {
				if lit.Value[0] == '{' || !p.redirect(lit) {
					return nil
				}
				continue
			}
			if len(p.args) == args && (isReserved(w.Lit()) || appends(lit)) {
				return nil
			}
			p.args = append(p.args, w)
			continue
		}
		break
	}
	if len(p.args) == args && len(c.Assigns) == 0 {
		return nil
	}
	c.Args = p.nodes.args.copy(p.args[args:])
	p.args = p.args[:args]
	s.Cmd, s.Redirs = c, p.nodes.redirs.copy(p.redirs[redirs:])
	p.redirs = p.redirs[:redirs]
	return s
}

// isReserved reports whether a word begins a command that is not a simple one,
// or can begin none.
func isReserved(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "fi", "for", "select", "while", "until", "do", "done", "case", "esac",
		"function", "{", "}", "{}", "!", "[[", "]]", "time", "coproc", "let",
		"declare", "local", "export", "readonly", "typeset", "nameref", "@test":
		return true
	}
	return false
}

// appends reports whether a word begins with NAME+=. lit is its first part, nil
// for a quotation or an expansion.
func appends(lit *syntax.Lit) bool {
	if lit == nil {
		return false
	}
	name, _, ok := strings.Cut(lit.Value, "+=")
	return ok && syntax.ValidName(name)
}

// assigns reports whether an assignment begins here.
func (p *plainParser) assigns() bool {
	n := 0
	for isIdent(p.peek(n)) {
		n++
	}
	c := p.peek(0)
	return n > 0 && (c < '0' || c > '9') && p.peek(n) == '='
}

// assign reads NAME=VALUE.
func (p *plainParser) assign() *syntax.Assign {
	from := p.at
	p.at += strings.IndexByte(p.src[from:], '=')
	a := p.nodes.assign.new(syntax.Assign{Name: p.literal(from, p.at)})
	p.at++
	if p.at == len(p.src) || p.src[p.at] != '<' && p.src[p.at] != '>' && p.ends() {
		return a
	}
	if a.Value = p.word(); a.Value == nil {
		return nil
	}
	return a
}

func (p *plainParser) literal(from, to int) *syntax.Lit {
	return p.nodes.lit.new(syntax.Lit{ValuePos: p.pos(from), ValueEnd: p.pos(to), Value: p.src[from:to]})
}

// redirectOps are the operators of plain redirections, longer ones first.
var redirectOps = [...]struct {
	text string
	op   syntax.RedirOperator
}{
	{"<<<", syntax.WordHdoc}, {"&>>", syntax.AppAll},
	{"<<", syntax.Hdoc}, {">>", syntax.AppOut}, {">&", syntax.DplOut}, {"<&", syntax.DplIn}, {"&>", syntax.RdrAll}, {">|", syntax.RdrClob},
	{"<", syntax.RdrIn}, {">", syntax.RdrOut},
}

// redirect reads a redirection, of which the descriptor was read already.
func (p *plainParser) redirect(fd *syntax.Lit) bool {
	r := p.nodes.redirect.new(syntax.Redirect{OpPos: p.pos(p.at), N: fd})
	rest := p.src[p.at:]
	for i := range redirectOps {
		if strings.HasPrefix(rest, redirectOps[i].text) {
			r.Op = redirectOps[i].op
			p.at += len(redirectOps[i].text)
			break
		}
	}
	p.blanks()
	if r.Word = p.word(); r.Word == nil {
		return false
	}
	switch r.Op {
	case syntax.DplOut, syntax.DplIn:
		fd := r.Word.Lit()
		if fd == "" || strings.Trim(fd, "0123456789") != "" {
			return false
		}
	case syntax.Hdoc:
		if p.depth > 0 || !isDelimiter(r.Word) {
			return false
		}
		p.docs = append(p.docs, r)
	}
	p.redirs = append(p.redirs, r)
	return true
}

// delimiter returns the delimiter of a here-document and whether it is quoted.
func delimiter(w *syntax.Word) (text string, quoted bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	switch part := w.Parts[0].(type) {
	case *syntax.Lit:
		return part.Value, false
	case *syntax.SglQuoted:
		return part.Value, true
	case *syntax.DblQuoted:
		if len(part.Parts) == 1 {
			text, _ = delimiter(&syntax.Word{Parts: part.Parts})
		}
		return text, true
	}
	return "", false
}

// isDelimiter reports whether a word is a plain delimiter of a here-document.
func isDelimiter(w *syntax.Word) bool {
	text, _ := delimiter(w)
	return text != "" && strings.Trim(text, identBytes) == ""
}

// bodies reads the bodies of here-documents, from behind the line of theirs up to
// the end of the last delimiter.
func (p *plainParser) bodies() bool {
	for i, r := range p.docs {
		if i > 0 {
			if p.peek(0) != '\n' {
				return false
			}
			p.at++
		}
		text, quoted := delimiter(r.Word)
		from, to := p.at, p.at
		for {
			line := p.src[to:]
			n := strings.IndexByte(line, '\n')
			if n >= 0 {
				line = line[:n]
			}
			if line == text {
				p.at = to + len(text)
				break
			}
			if n < 0 {
				return false
			}
			to += n + 1
		}
		if body := p.src[from:to]; body != "" {
			if !quoted && strings.ContainsAny(body, "$`\\") || strings.HasPrefix(body, "\\\n") {
				return false
			}
			lit := p.nodes.lit.new(syntax.Lit{ValuePos: p.pos(from), ValueEnd: p.pos(p.at), Value: body})
			r.Hdoc = p.wordOf(lit)
		}
	}
	p.docs = p.docs[:0]
	return true
}

func (p *plainParser) wordOf(parts ...syntax.WordPart) *syntax.Word {
	return p.nodes.word.new(syntax.Word{Parts: p.nodes.parts.copy(parts)})
}

// ends reports whether a word ends here, before the end of the text.
func (p *plainParser) ends() bool {
	c := p.src[p.at]
	return classes[c] == endsWord || c == '<' || c == '>'
}

// word reads a word, nil if there is none or it is not plain.
func (p *plainParser) word() *syntax.Word {
	first := len(p.parts)
	for p.at < len(p.src) && !p.ends() {
		var part syntax.WordPart
		switch p.src[p.at] {
		case '\'':
			part = p.single()
		case '"':
			part = p.double()
		case '$':
			part = p.dollar()
		default:
			part = p.bare()
		}
		if part == nil {
			return nil
		}
		p.parts = append(p.parts, part)
	}
	if len(p.parts) == first {
		return nil
	}
	w := p.wordOf(p.parts[first:]...)
	p.parts = p.parts[:first]
	return w
}

// bare reads the part of a word up to a quote or an expansion.
func (p *plainParser) bare() syntax.WordPart {
	from := p.at
	for p.at < len(p.src) {
		c := p.src[p.at]
		switch {
		case c == '[' && p.at > from, c == '#' && p.at == from, c == '(', c == '`':
			return nil
		case c == '\\':
			if next := p.peek(1); next == 0 || next == '\n' {
				return nil
			}
			p.at++
		case classes[c] != inWord:
			return p.literal(from, p.at)
		}
		p.at++
	}
	return p.literal(from, p.at)
}

// single reads '…'.
func (p *plainParser) single() syntax.WordPart {
	from := p.at + 1
	n := strings.IndexByte(p.src[from:], '\'')
	if n < 0 {
		return nil
	}
	q := p.nodes.single.new(syntax.SglQuoted{Left: p.pos(p.at), Right: p.pos(from + n), Value: p.src[from : from+n]})
	p.at = from + n + 1
	return q
}

// double reads "…".
func (p *plainParser) double() syntax.WordPart {
	first := len(p.parts)
	q := p.nodes.double.new(syntax.DblQuoted{Left: p.pos(p.at)})
	p.at++
	for from := p.at; p.at < len(p.src); {
		switch p.src[p.at] {
		case '\\':
			if p.peek(1) == '\n' {
				return nil
			}
			p.at += 2
		case '`':
			return nil
		case '$':
			if p.at > from {
				p.parts = append(p.parts, p.literal(from, p.at))
			}
			part := p.dollar()
			if part == nil {
				return nil
			}
			p.parts = append(p.parts, part)
			from = p.at
		case '"':
			if p.at > from {
				p.parts = append(p.parts, p.literal(from, p.at))
			}
			q.Right = p.pos(p.at)
			q.Parts = p.nodes.parts.copy(p.parts[first:])
			p.parts = p.parts[:first]
			p.at++
			return q
		default:
			p.at++
		}
	}
	return nil
}

// dollar reads $NAME, ${NAME} or $(…).
func (p *plainParser) dollar() syntax.WordPart {
	start := p.at
	switch c := p.peek(1); {
	case c == '(':
		return p.substitution()
	case c == '{':
		from := start + 2
		p.at = from
		for isIdent(p.peek(0)) {
			p.at++
		}
		if p.at == from || p.src[from] <= '9' || p.peek(0) != '}' {
			return nil
		}
		x := p.nodes.parameter.new(syntax.ParamExp{Dollar: p.pos(start), Rbrace: p.pos(p.at), Param: p.literal(from, p.at)})
		p.at++
		return x
	case isIdent(c) && c > '9':
		p.at++
		for isIdent(p.peek(0)) {
			p.at++
		}
	case c >= '0' && c <= '9', c == '?', c == '@', c == '#', c == '*', c == '$', c == '!', c == '-':
		p.at += 2
	default:
		return nil
	}
	return p.nodes.parameter.new(syntax.ParamExp{Dollar: p.pos(start), Short: true, Param: p.literal(start+1, p.at)})
}

// substitution reads $(…).
func (p *plainParser) substitution() syntax.WordPart {
	if p.depth++; p.depth > maxPlain || len(p.docs) > 0 || p.peek(2) == '(' {
		return nil
	}
	x := p.nodes.subst.new(syntax.CmdSubst{Left: p.pos(p.at)})
	p.at += 2
	list, ok := p.list()
	if !ok || p.peek(0) != ')' {
		return nil
	}
	x.Stmts, x.Right = list, p.pos(p.at)
	p.at++
	p.depth--
	return x
}
