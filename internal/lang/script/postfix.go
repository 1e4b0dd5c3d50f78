package script

import (
	"github.com/policyctl/policyctl/internal/program"
)

// postfix reads what follows a value: members, arguments, keys, blocks.
func (p *parser) postfix(n int32) int32 {
	for n != 0 && p.tok.kind != endToken {
		switch t := &p.tok; {
		case t.in(members) && p.memberFollows(), t.is(colon) && p.language == program.Lua && !t.gap:
			n = p.memberOf(n)
		case p.stops():
			return p.bare(n)
		case t.is(parenthesis) && (!t.gap || p.calls(n)):
			n = p.call(n)
		case t.is(bracket) && !t.gap, t.is(brace) && !t.gap && p.operators && p.nodes[n].text != "" && p.nodes[n].text[0] == '$':
			n = p.list(p.add(indexNode, "", t.at, n), false)
		case t.kind == textToken && t.embedded(p.src):
			n = p.call(n) // tag`text`
		case p.opensBlock(n):
			n = p.blockOf(n)
		case (p.commands || p.language == program.PHP && isOneOf(p.nodes[n].text, includes)) && p.beginsArgument(n):
			return p.command(n)
		default:
			return p.bare(n)
		}
	}
	return p.bare(n)
}

// bare makes a call of a name that stands alone, in languages where it is one.
func (p *parser) bare(n int32) int32 {
	if n == 0 || p.language != program.Perl && p.language != program.Ruby || p.tok.in(assigns) || p.tok.is(colon) && p.ternary == 0 {
		return n
	}
	k := &p.nodes[n]
	if k.kind != nameNode && k.kind != memberNode || len(p.words.words[k.word].facts) == 0 {
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
	return !p.tok.is(dot) || len(p.joins) == 0 || p.joins[0] != dot
}

// memberOf reads what stands behind the sign that leads to a member.
func (p *parser) memberOf(n int32) int32 {
	at, sign := p.tok.at, p.tok.mark
	p.advance()
	switch {
	case p.tok.kind == nameToken:
		if p.tok.in(choosers) {
			p.chooses()
		}
		m := p.token(memberNode, at, n)
		p.advance()
		return m
	case p.tok.is(parenthesis) && sign != doubleColon: // f.("x"), $f->("x")
		return p.call(n)
	case p.tok.is(bracket) || p.tok.is(brace):
		return p.list(p.add(indexNode, "", at, n), false)
	case p.tok.kind == textToken:
		m := p.add(memberNode, p.tok.text, at, n)
		p.advance()
		return m
	case p.tok.is(bang) && p.language == program.NoLanguage: // "ls".! of Scala
		p.advance()
		return p.invokeNode(p.add(memberNode, "execute", at, n))
	case p.tok.is(atSign) || p.tok.is(star): // $x->@*
		p.advance()
	}
	return n
}

// calls reports whether parentheses behind blanks hold arguments of a node.
func (p *parser) calls(n int32) bool {
	switch p.nodes[n].kind {
	case memberNode:
		return true
	case nameNode:
		w := &p.words.words[p.nodes[n].word]
		return w.mark == printWord || w.mark == putsWord || w.traits&(notOperands|binaryWords) == 0
	}
	return false
}

// call reads the arguments of a call.
func (p *parser) call(callee int32) int32 {
	n := p.invokeNode(callee)
	if p.tok.kind != operatorToken { // tag`text`
		t := p.tok
		p.advance()
		p.append(n, p.literal(&t))
		return n
	}
	return p.list(n, true)
}
