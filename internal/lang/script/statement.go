package script

import (
	"github.com/policyctl/policyctl/internal/program"
)

// statements reads statements up to where they end.
func (p *parser) statements(ends func() bool) {
	if p.depth++; p.depth > maxDepth {
		p.depth--
		p.skipDeep()
		return
	}
	brackets, ternary, arguments, block := p.brackets, p.ternary, p.arguments, p.block
	p.brackets, p.ternary, p.arguments, p.block = 0, 0, false, p.here()
	for p.tok.kind != endToken && !ends() {
		at := p.tok.at
		p.statement()
		if p.tok.at == at && p.tok.kind != endToken && !ends() {
			p.advance()
		}
	}
	p.brackets, p.ternary, p.arguments, p.block = brackets, ternary, arguments, block
	p.depth--
}

func (p *parser) statement() {
	returns := false
	for p.tok.in(skipped) && !p.tok.nameEnds && !(p.tok.is(doWord) && (p.language == program.AppleScript || p.language == program.Perl)) {
		returns = returns || p.tok.is(returnWord) || p.tok.is(yieldWord)
		p.advance()
	}
	from := p.here()
	if returns {
		if p.tok.kind != endToken && !p.tok.line {
			p.returns(p.sequence(from))
		}
		return
	}
	switch p.tok.mark {
	case whileWord, untilWord:
		p.while(from)
		return
	case forWord, foreachWord:
		p.forLoop(from)
		return
	case redoWord:
		p.advance()
		p.loop(p.block, p.block, true, 0)
		return
	case importWord, fromWord:
		if p.imports() {
			return
		}
	case classWord:
		if p.advance(); p.tok.kind == nameToken {
			p.class = p.tok.text
			m := p.means(p.class)
			m.defined, m.class = true, true
		}
	}
	switch {
	case p.defines(&p.tok):
		p.define()
	case p.tok.in(choosers):
		p.unlessKind(func() int32 {
			p.advance()
			return p.sequence(from)
		})
	case p.tok.is(semicolon) || p.tok.in(closing|closers):
		p.advance()
	default:
		p.latest = p.sequence(from)
		p.typed(p.latest)
	}
}

// typed reads the type of a variable, and what it is given: x: str = "…".
func (p *parser) typed(n int32) {
	if n == 0 || p.nodes[n].kind != nameNode || !p.tok.is(colon) || p.language != program.Python && p.language != program.JavaScript {
		return
	}
	if p.advance(); p.tok.line {
		return
	}
	if p.join(); p.take(equals) {
		p.assign(n, p.expression())
	}
}

// chooses notes that what is done here depends on a condition.
func (p *parser) chooses() { p.choices = append(p.choices, p.here()) }

// unlessKind notes so for a condition that is read, unless that only asks of what kind
// something is: what is no file is a directory, and both are found.
func (p *parser) unlessKind(read func() int32) {
	before := len(p.choices)
	p.chooses()
	if p.asksKind(read(), new(maxKindTests)) {
		p.choices = p.choices[:before]
	}
}

// maxKindTests bounds how many parts of a condition are looked at: one that asks of what
// kind something is has few.
const maxKindTests = 64

// asksKind reports whether a condition only asks of what kind something is. left is how
// many of its parts are still looked at.
func (p *parser) asksKind(n int32, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	switch d := &p.nodes[n]; {
	case n == 0:
		return false
	case d.kind == callNode:
		return isOneOf(p.nameOf(d.first), kindTests)
	case d.kind == memberNode:
		return p.nodeIn(n, kindTests)
	case d.kind == notNode && p.language == program.Perl && d.text == "-": // -f $path
		return d.first != 0
	case d.kind == notNode:
		return p.asksKind(d.first, left)
	case d.kind == listNode, d.kind == eitherNode:
		for k := range p.kids(n) {
			if !p.asksKind(k, left) {
				return false
			}
		}
		return d.first != 0
	}
	return false
}

// sequence reads expressions with commas between them, and what follows in the
// same statement.
func (p *parser) sequence(from int32) int32 { return p.sequel(p.expression(), from) }

// sequel reads what follows the first expression of a statement.
func (p *parser) sequel(n, from int32) int32 {
	if p.tok.is(comma) && !p.tok.line && n != 0 {
		list := p.add(listNode, "", p.nodes[n].at, n)
		for p.take(comma) {
			if p.tuples {
				p.append(list, p.join())
			} else {
				p.append(list, p.expression())
			}
		}
		if n = list; p.take(equals) {
			p.assign(n, p.sequence(from))
		}
	}
	for {
		switch {
		case p.tok.line && p.lines || p.tok.kind != nameToken || p.language == program.Lua:
			return n
		case p.tok.is(ifWord) || p.tok.is(unlessWord):
			p.unlessKind(func() int32 {
				p.advance()
				cond := p.expression()
				p.chooses()
				return cond
			})
		case p.tok.is(whileWord) || p.tok.is(untilWord):
			until := p.tok.is(untilWord)
			p.advance()
			p.loop(from, from, p.endless(p.expression(), until), 0)
		case p.tok.is(forWord) || p.tok.is(foreachWord):
			p.advance()
			p.trailingFor(from)
		case p.tok.is(asWord) && p.language == program.Python && n != 0: // with open(…) as f
			p.advance()
			p.assign(p.join(), p.same(n))
		case p.tok.is(redoWord):
			p.loop(p.block, p.block, true, 0)
			p.advance()
		default:
			return n
		}
	}
}

// body reads what a loop or a definition holds.
func (p *parser) body(indent int32) {
	switch {
	case p.tok.is(brace):
		p.braces()
	case p.indents:
		p.take(colon)
		if !p.tok.line {
			p.statements(func() bool { return p.tok.line })
			return
		}
		p.statements(func() bool { return p.tok.line && p.tok.indent <= indent })
	case p.ends:
		if !p.take(doWord) {
			p.take(thenWord)
		}
		p.statements(func() bool { return p.tok.in(closers) })
		p.take(endWord)
	default:
		p.take(colon)
		p.statement()
	}
}

// nameOf returns the last name of what a node calls or names.
func (p *reading) nameOf(n int32) string {
	for range maxChain {
		if d := &p.nodes[n]; d.kind != callNode && d.kind != sameNode && (d.kind != listNode || d.first != d.last || d.first == 0) {
			break
		}
		n = p.nodes[n].first
	}
	if k := p.nodes[n].kind; k == nameNode || k == memberNode {
		return p.nodes[n].text
	}
	return ""
}
