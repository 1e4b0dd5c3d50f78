package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

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
	for {
		if p.blanks(); p.endsCommand() {
			break
		}
		if !p.item(c, len(p.args) == args) {
			return nil
		}
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

// endsCommand reports whether a simple command ends here.
func (p *plainParser) endsCommand() bool {
	switch p.peek(0) {
	case 0, '\n', ';', '|', ')', '#':
		return true
	case '&':
		return p.peek(1) != '>'
	}
	return false
}

// item reads an assignment, a redirection or a word of a command, of which first says
// that it has no word yet.
func (p *plainParser) item(c *syntax.CallExpr, first bool) bool {
	switch p.src[p.at] {
	case '&', '<', '>':
		return p.redirect(nil)
	}
	if first && p.assigns() {
		a := p.assign()
		c.Assigns = append(c.Assigns, a)
		return a != nil
	}
	w := p.word()
	if w == nil {
		return false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if next := p.peek(0); ok && len(w.Parts) == 1 && (next == '<' || next == '>') && isFd(lit.Value) {
		return lit.Value[0] != '{' && p.redirect(lit)
	}
	if first && (isReserved(w.Lit()) || appends(lit)) {
		return false
	}
	p.args = append(p.args, w)
	return true
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
	for IsIdent(p.peek(n)) {
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
