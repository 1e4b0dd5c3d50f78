package script

import (
	"github.com/policyctl/policyctl/pkg/program"
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
		return p.tok.is("{") || p.tok.kind == nameToken && p.tok.text == "do" && p.language == program.Ruby && !p.inHead
	case program.Perl:
		return p.tok.is("{") && k == nameNode && blockWords.has(p.nodes[n].text)
	}
	return false
}

// blockWords are words of Perl that take a block.
var blockWords = &wordSet{list: "sub grep map eval do sort first any all print system exec"}

// blockOf reads a block that is given to a call.
func (p *parser) blockOf(n int32) int32 {
	if p.nodes[n].kind != callNode {
		n = p.invokeNode(n)
	}
	from := p.here()
	params := p.add(listNode, "", p.tok.at)
	f := p.add(functionNode, "", p.tok.at, params)
	p.append(n, f)
	if p.tok.is("{") {
		p.blockParameters(params, true)
	} else {
		p.blockParameters(params, false)
	}
	p.bodies[f] = p.here()
	if p.nameOf(n) == "loop" {
		p.loop(from, from, true, 0)
	}
	if p.language == program.Perl && !p.stops() && p.tok.kind != operatorToken {
		return p.openArguments(n)
	}
	return n
}

// blockParameters reads a block with its parameters between bars.
func (p *parser) blockParameters(params int32, braced bool) {
	bars := func() {
		if !p.take("|") {
			return
		}
		for p.tok.kind != endToken && !p.tok.is("|") && !p.tok.line {
			if p.tok.kind == nameToken {
				p.append(params, p.add(nameNode, p.tok.text, p.tok.at))
			}
			p.advance()
		}
		p.take("|")
	}
	brackets, ternary, arguments, head := p.brackets, p.ternary, p.arguments, p.inHead
	p.brackets, p.ternary, p.arguments, p.inHead = 0, 0, false, false
	p.advance()
	bars()
	if braced {
		p.statements(func() bool { return p.tok.is("}") })
	} else {
		p.statements(func() bool { return p.tok.in(closers) })
	}
	p.brackets, p.ternary, p.arguments, p.inHead = brackets, ternary, arguments, head
	if braced {
		p.take("}")
	} else {
		p.takeName("end")
	}
}
