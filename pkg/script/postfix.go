package script

import (
	"github.com/policyctl/policyctl/pkg/program"
)

// postfix reads what follows a value: members, arguments, keys, blocks.
func (p *parser) postfix(n int32) int32 {
	for n != 0 && p.tok.kind != endToken {
		t := p.tok
		switch {
		case (t.is(".") || t.is("?.") || t.is("&.") || t.is("->") || t.is("::")) && p.memberFollows():
			p.advance()
			n = p.memberOf(n, t)
		case t.is(":") && p.language == program.Lua && !t.gap:
			p.advance()
			n = p.memberOf(n, t)
		case p.stops():
			return p.bare(n)
		case t.is("(") && (!t.gap || p.calls(n)):
			n = p.call(n)
		case t.is("[") && !t.gap, t.is("{") && !t.gap && p.operators && p.nodes[n].text != "" && p.nodes[n].text[0] == '$':
			n = p.list(p.add(indexNode, "", t.at, n), false)
		case t.kind == textToken && t.embedded(p.src):
			n = p.call(n) // tag`text`
		case p.opensBlock(n):
			n = p.blockOf(n)
		case (p.commands || p.language == program.PHP && includes.has(p.nodes[n].text)) && p.beginsArgument(n):
			return p.command(n)
		default:
			return p.bare(n)
		}
	}
	return p.bare(n)
}

// bare makes a call of a name that stands alone, in languages where it is one.
func (p *parser) bare(n int32) int32 {
	if n == 0 || p.language != program.Perl && p.language != program.Ruby || p.tok.kind == operatorToken && assigns.has(p.tok.text) {
		return n
	}
	k := p.nodes[n]
	if k.kind != nameNode && k.kind != memberNode || len(factsByName()[k.text]) == 0 {
		return n
	}
	return p.invokeNode(n)
}

func (p *parser) invokeNode(callee int32) int32 {
	n := p.add(callNode, "", p.nodes[callee].at, callee)
	p.called = append(p.called, n)
	return n
}

// embedded reports whether a literal stands in backquotes directly behind a name.
func (t *token) embedded(src string) bool { return !t.gap && src[t.at] == '`' }

// memberFollows reports whether a dot leads to a member, and joins no text.
func (p *parser) memberFollows() bool {
	if !p.tok.is(".") || p.joins == "" || p.joins[1] != '.' || p.joins[2] != ' ' {
		return true
	}
	return false
}

func (p *parser) memberOf(n int32, t token) int32 {
	switch {
	case p.tok.kind == nameToken:
		if p.tok.in(choosers) {
			p.chooses()
		}
		m := p.add(memberNode, p.tok.text, t.at, n)
		p.advance()
		return m
	case p.tok.is("(") && t.text != "::": // f.("x"), $f->("x")
		return p.call(n)
	case p.tok.is("[") || p.tok.is("{"):
		return p.list(p.add(indexNode, "", t.at, n), false)
	case p.tok.kind == textToken:
		m := p.add(memberNode, p.tok.text, t.at, n)
		p.advance()
		return m
	case p.tok.is("!") && p.language == program.NoLanguage: // "ls".! of Scala
		p.advance()
		return p.invokeNode(p.add(memberNode, "execute", t.at, n))
	case p.tok.is("@") || p.tok.is("*"): // $x->@*
		p.advance()
	}
	return n
}

// calls reports whether parentheses behind blanks hold arguments of a node.
func (p *parser) calls(n int32) bool {
	k := p.nodes[n].kind
	return (k == nameNode || k == memberNode) && !(k == nameNode && (notOperands.has(p.nodes[n].text) && p.nodes[n].text != "print" && p.nodes[n].text != "puts" || binaryWords.has(p.nodes[n].text)))
}

// call reads the arguments of a call.
func (p *parser) call(callee int32) int32 {
	n := p.invokeNode(callee)
	if p.tok.kind != operatorToken { // tag`text`
		t := p.tok
		p.advance()
		p.append(n, p.literal(t))
		return n
	}
	return p.list(n, true)
}
