package script

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// primary reads a literal, a name, or what is in brackets.
func (p *parser) primary() int32 {
	t := p.tok
	switch t.kind {
	case textToken, commandToken:
		p.advance()
		n := p.literal(t)
		if t.kind == commandToken {
			n = p.invoke("`", t.at, n)
		}
		return n
	case numberToken:
		p.advance()
		return p.add(textNode, t.text, t.at)
	case wordsToken:
		p.advance()
		list := p.add(listNode, "", t.at)
		for w := range strings.FieldsSeq(t.text) {
			p.append(list, p.add(textNode, w, t.at))
		}
		return list
	case patternToken:
		p.advance()
		return p.add(unknownNode, "RegExp", t.at)
	case nameToken:
		return p.named()
	case operatorToken:
		switch t.text {
		case "(", "[":
			return p.bracket()
		case "{":
			return p.braces()
		case "<":
			return p.readsHandle()
		case "$": // AWK's $(…)
			p.advance()
			return p.add(unknownNode, "", t.at, p.primary())
		}
	}
	return 0
}

// named reads a name, or what a word begins.
func (p *parser) named() int32 {
	t := p.tok
	switch {
	case p.defines(&t) && !t.nameEnds:
		return p.define()
	case t.in(choosers) && !t.nameEnds:
		p.chooses()
	case t.text == "if" || t.text == "for" || t.text == "while" || t.text == "else" || t.text == "end" && p.ends:
		return 0
	case t.text == "do" && p.language == program.AppleScript:
		return p.tells()
	}
	p.advance()
	return p.add(nameNode, t.text, t.at)
}

// literal makes a node of a literal, with the expressions in it.
func (p *parser) literal(t token) int32 {
	if t.pieces == nil {
		return p.add(textNode, t.text, t.at)
	}
	n := p.add(joinNode, "", t.at)
	for _, part := range t.pieces {
		if part.to == 0 {
			p.append(n, p.add(textNode, part.text, t.at))
			continue
		}
		p.append(n, p.inner(int(part.from), int(part.to)))
	}
	return n
}

// inner reads an expression in a literal.
func (p *parser) inner(from, to int) int32 {
	unknown := func() int32 { return p.add(unknownNode, "", int32(from)) }
	if p.nested++; p.nested > maxNested {
		p.nested--
		return unknown()
	}
	outer, tok, brackets := p.lexer, p.tok, p.brackets
	p.lexer = lexer{grammar: outer.grammar, src: outer.src, at: from, end: to}
	p.brackets = 1
	p.advance()
	n := p.expression()
	p.lexer, p.tok, p.brackets = outer, tok, brackets
	if p.nested--; n == 0 {
		return unknown()
	}
	return n
}

// invoke makes the node of a call that is written without one.
func (p *parser) invoke(name string, at int32, args ...int32) int32 {
	n := p.add(callNode, "", at, p.add(nameNode, name, at))
	for _, a := range args {
		p.append(n, a)
	}
	p.called = append(p.called, n)
	return n
}
