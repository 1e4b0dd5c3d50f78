package script

import (
	"github.com/policyctl/policyctl/pkg/program"
)

// bracket reads a list in parentheses or brackets.
func (p *parser) bracket() int32 {
	square := p.tok.is("[")
	n := p.list(p.add(listNode, "", p.tok.at), false)
	if !square && p.nodes[n].first == p.nodes[n].last && p.nodes[n].first != 0 && p.nodes[p.nodes[n].first].kind != pairNode && p.language != program.Perl {
		return p.nodes[n].first // (x)
	}
	return n
}

// list reads what is in brackets, at whose opening the token is, into a node.
func (p *parser) list(n int32, arguments bool) int32 {
	closing := closer(p.tok.text[0])
	from := p.here()
	ternary, was, looped, lisp := p.ternary, p.arguments, p.inLoop, p.inLisp
	p.ternary, p.arguments, p.inLoop, p.inLisp = 0, arguments, false, false
	p.brackets++
	p.advance()
	for p.tok.kind != endToken && !p.tok.is(closing) {
		at := p.tok.at
		switch {
		case p.tok.is(","), p.tok.is(";"):
			p.advance()
			continue
		case p.tok.kind == nameToken && p.tok.text == "for" && p.indents:
			p.advance()
			p.inLoop = true
			p.trailingFor(from)
			continue
		case p.tok.in(choosers) && p.inLoop:
			p.chooses()
			p.advance()
			p.join()
			continue
		case p.tok.is(")") || p.tok.is("]") || p.tok.is("}"):
			p.advance()
			continue
		}
		if k := p.expression(); k != 0 {
			p.append(n, k)
		}
		if p.tok.at == at {
			if p.tok.is("::") || p.tok.is(":") {
				p.append(n, p.add(nameNode, p.tok.text, p.tok.at))
			}
			p.advance()
		}
	}
	p.brackets--
	p.ternary, p.arguments, p.inLoop, p.inLisp = ternary, was, looped, lisp
	p.take(closing)
	return n
}

// braces reads a block, or the members of an object.
func (p *parser) braces() int32 {
	n := p.add(blockNode, "", p.tok.at)
	if p.depth++; p.depth > maxDepth {
		p.depth--
		p.advance()
		p.skipDeep()
		p.take("}")
		return n
	}
	brackets, ternary, arguments, block := p.brackets, p.ternary, p.arguments, p.block
	p.brackets, p.ternary, p.arguments, p.block = 0, 0, false, p.here()
	p.advance()
	for p.tok.kind != endToken && !p.tok.is("}") {
		at := p.tok.at
		if key, ok := p.member(); ok {
			p.append(n, key)
		} else {
			p.statement()
		}
		if p.tok.at == at && !p.tok.is("}") {
			p.advance()
		}
	}
	p.brackets, p.ternary, p.arguments, p.block = brackets, ternary, arguments, block
	p.take("}")
	p.depth--
	return n
}

// member reads KEY: VALUE of an object, a name alone, or a statement that begins
// with a value, which is no member; ok is false for other statements.
func (p *parser) member() (n int32, ok bool) {
	t := p.tok
	if t.kind != textToken && t.kind != nameToken || t.in(loopers) || p.defines(&t) || t.text == "import" || t.text == "from" || t.text == "redo" || (t.in(choosers) || t.in(skipped)) && !t.nameEnds {
		return 0, false
	}
	from := p.here()
	left := p.join()
	switch {
	case left == 0:
		return 0, false
	case p.take(":") || p.take("=>") || p.language == program.Lua && p.take("="):
		return p.add(pairNode, "", t.at, left, p.expression()), true
	case p.tok.is(",") || p.tok.is("}"):
		return left, true
	}
	p.sequel(p.operation(left), from)
	return 0, true
}
