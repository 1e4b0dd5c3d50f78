package script

import (
	"github.com/policyctl/policyctl/internal/program"
)

// opensBlock reports whether a brace, or the word do, begins a block that is
// given to a call.
func (p *parser) opensBlock(n int32) bool {
	k := p.nodes[n].kind
	if k != nameNode && k != memberNode && k != callNode {
		return false
	}
	switch p.language {
	case program.Ruby, program.NoLanguage:
		return p.tok.is(brace) || p.tok.is(doWord) && p.language == program.Ruby && !p.inHead
	case program.Perl:
		return p.tok.is(brace) && k == nameNode && p.nodeIn(n, blockWords)
	}
	return false
}

// blockOf reads a block that is given to a call.
func (p *parser) blockOf(n int32) int32 {
	if p.nodes[n].kind != callNode {
		n = p.invokeNode(n)
	}
	from := p.here()
	params := p.add(listNode, "", p.tok.at)
	f := p.add(functionNode, "", p.tok.at, params)
	p.append(n, f)
	if p.tok.is(brace) {
		p.blockParameters(params, true)
	} else {
		p.blockParameters(params, false)
	}
	p.bodies[f] = p.here()
	if p.nameOf(n) == "loop" {
		p.loop(from, from, true, 0)
	}
	if p.language == program.Perl && !p.stops() && (p.tok.kind != operatorToken || p.tok.is(parenthesis)) {
		return p.openArguments(n)
	}
	return n
}

// stabby reads a function of Ruby that has no name: ->(x) {…}.
func (p *parser) stabby() int32 {
	at := p.tok.at
	params := p.add(listNode, "", at)
	if p.advance(); p.tok.is(parenthesis) {
		p.parameters(params)
	}
	f := p.add(functionNode, "", at, params)
	if p.tok.is(brace) || p.tok.is(doWord) {
		p.blockParameters(params, p.tok.is(brace))
	}
	p.bodies[f] = p.here()
	return f
}

// blockParameters reads a block with its parameters between bars.
func (p *parser) blockParameters(params int32, braced bool) {
	bars := func() {
		if !p.take(bar) {
			return
		}
		for p.tok.kind != endToken && !p.tok.is(bar) && !p.tok.line {
			if p.tok.kind == nameToken {
				p.append(params, p.token(nameNode, p.tok.at))
			}
			p.advance()
		}
		p.take(bar)
	}
	brackets, ternary, arguments, head := p.brackets, p.ternary, p.arguments, p.inHead
	p.brackets, p.ternary, p.arguments, p.inHead = 0, 0, false, false
	p.advance()
	bars()
	if braced {
		p.statements(func() bool { return p.tok.is(closeBrace) })
	} else {
		p.statements(func() bool { return p.tok.in(closers) })
	}
	p.brackets, p.ternary, p.arguments, p.inHead = brackets, ternary, arguments, head
	if braced {
		p.take(closeBrace)
	} else {
		p.take(endWord)
	}
}
