package script

import (
	"github.com/policyctl/policyctl/internal/program"
)

// bracket reads a list in parentheses or brackets.
func (p *parser) bracket() int32 {
	square := p.tok.is(bracket)
	n := p.list(p.add(listNode, "", p.tok.at), false)
	if !square && p.nodes[n].first == p.nodes[n].last && p.nodes[n].first != 0 && p.nodes[p.nodes[n].first].kind != pairNode && p.language != program.Perl {
		return p.nodes[n].first // (x)
	}
	return n
}

// closes returns the mark of the bracket that closes one.
func closes(opening mark) mark {
	switch opening {
	case bracket:
		return closeBracket
	case brace:
		return closeBrace
	}
	return closeParenthesis
}

// list reads what is in brackets, at whose opening the token is, into a node.
func (p *parser) list(n int32, arguments bool) int32 {
	end := closes(p.tok.mark)
	from := p.here()
	ternary, was, looped, lisp := p.ternary, p.arguments, p.inLoop, p.inLisp
	p.ternary, p.arguments, p.inLoop, p.inLisp = 0, arguments, false, false
	p.brackets++
	p.advance()
	for p.tok.kind != endToken && !p.tok.is(end) {
		at := p.tok.at
		switch {
		case p.tok.is(comma), p.tok.is(semicolon):
			p.advance()
			continue
		case p.tok.is(forWord) && p.indents:
			p.advance()
			p.inLoop = true
			p.trailingFor(from)
			continue
		case p.tok.in(choosers) && p.inLoop:
			p.unlessKind(func() int32 {
				p.advance()
				return p.join()
			})
			continue
		case p.tok.in(closing):
			p.advance()
			continue
		}
		if k := p.expression(); k != 0 {
			p.append(n, k)
		}
		if p.tok.at == at {
			if p.tok.is(doubleColon) || p.tok.is(colon) {
				p.append(n, p.add(nameNode, p.tok.text, p.tok.at))
			}
			p.advance()
		}
	}
	p.brackets--
	p.ternary, p.arguments, p.inLoop, p.inLisp = ternary, was, looped, lisp
	p.take(end)
	return n
}

// braces reads a block, or the members of an object.
func (p *parser) braces() int32 {
	n := p.add(blockNode, "", p.tok.at)
	if p.depth++; p.depth > maxDepth {
		p.depth--
		p.advance()
		p.skipDeep()
		p.take(closeBrace)
		return n
	}
	brackets, ternary, arguments, block := p.brackets, p.ternary, p.arguments, p.block
	p.brackets, p.ternary, p.arguments, p.block = 0, 0, false, p.here()
	p.advance()
	for p.tok.kind != endToken && !p.tok.is(closeBrace) {
		at := p.tok.at
		if p.tok.text == "..." || p.tok.text == "**" { // what another object holds
			p.advance()
			p.append(n, p.join())
		} else if key, ok := p.member(); ok {
			p.append(n, key)
		} else {
			p.statement()
		}
		if p.tok.at == at && !p.tok.is(closeBrace) {
			p.advance()
		}
	}
	p.brackets, p.ternary, p.arguments, p.block = brackets, ternary, arguments, block
	p.take(closeBrace)
	p.depth--
	return n
}

// member reads KEY: VALUE of an object, a name alone, or a statement that begins
// with a value, which is no member; ok is false for other statements.
func (p *parser) member() (n int32, ok bool) {
	t := &p.tok
	if t.kind != textToken && t.kind != nameToken || t.in(loopers) || p.defines(t) || t.text == "import" || t.text == "from" || t.text == "redo" || t.in(choosers|skipped) && !t.nameEnds {
		return 0, false
	}
	at, from := t.at, p.here()
	left := p.join()
	switch {
	case left == 0:
		return 0, false
	case p.take(colon) || p.take(fatArrow) || p.language == program.Lua && p.take(equals):
		return p.add(pairNode, "", at, left, p.expression()), true
	case p.tok.is(comma) || p.tok.is(closeBrace):
		return left, true
	}
	if p.language == program.JavaScript && p.tok.is(brace) && p.nodes[left].kind == callNode {
		p.method(left, from)
		return 0, true
	}
	p.sequel(p.operation(left), from)
	return 0, true
}

// method reads the body of a method, whose head looks like a call.
func (p *parser) method(head, from int32) {
	callee := p.nodes[p.nodes[head].first]
	params := p.add(listNode, "", callee.at)
	if callee.next != 0 {
		p.nodes[params].first, p.nodes[params].last = callee.next, p.nodes[head].last
	}
	f, outer := p.add(functionNode, callee.text, callee.at, params), p.function
	p.function = f
	p.braces()
	p.function, p.bodies[f] = outer, p.here()
	if callee.kind == nameNode {
		p.entitle(callee.text, function{f, from, p.here()})
	}
}
