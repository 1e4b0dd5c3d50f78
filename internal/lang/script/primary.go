package script

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// primary reads a literal, a name, or what is in brackets.
func (p *parser) primary() int32 {
	at := p.tok.at
	switch p.tok.kind {
	case nameToken:
		return p.named()
	case textToken, commandToken:
		t := p.tok
		p.advance()
		n := p.literal(&t)
		if t.kind == commandToken {
			n = p.invoke("`", at, n)
		}
		return n
	case numberToken:
		return p.pass(textNode)
	case wordsToken:
		words := p.tok.text
		p.advance()
		list := p.add(listNode, "", at)
		for w := range strings.FieldsSeq(words) {
			p.append(list, p.add(textNode, w, at))
		}
		return list
	case patternToken, replaceToken:
		t := p.tok
		p.advance()
		if code := t.code(p.language); code != "" {
			return p.invoke("eval", at, p.add(textNode, code, at))
		}
		return p.add(unknownNode, "RegExp", at)
	case operatorToken:
		switch p.tok.mark {
		case parenthesis, bracket:
			return p.bracket()
		case brace:
			return p.braces()
		case arrow: // ->(x) {…} of Ruby
			if p.language == program.Ruby {
				return p.stabby()
			}
		case less:
			return p.readsHandle()
		case dollar: // AWK's $(…)
			p.advance()
			return p.add(unknownNode, "", at, p.primary())
		}
	}
	return 0
}

// named reads a name, or what a word begins.
func (p *parser) named() int32 {
	t := &p.tok
	if t.mark != 0 || t.in(definers|choosers) {
		switch {
		case p.defines(t) && !t.nameEnds:
			return p.define()
		case t.in(choosers) && !t.nameEnds:
			p.chooses()
		case t.is(ifWord) || t.is(forWord) || t.is(whileWord) || t.is(elseWord) || t.is(endWord) && p.ends:
			return 0
		case t.is(doWord) && p.language == program.AppleScript:
			return p.tells()
		case t.is(getlineWord) && p.language == program.AWK:
			return p.getline()
		}
	}
	return p.pass(nameNode)
}

// literal makes a node of a literal, with the expressions in it.
func (p *parser) literal(t *token) int32 {
	if t.from == t.to {
		return p.add(textNode, t.text, t.at)
	}
	n := p.add(joinNode, "", t.at)
	for i := t.from; i < t.to; i++ {
		part := &p.scratch.pieces[i]
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
	p.lexer = lexer{grammar: outer.grammar, words: outer.words, scratch: outer.scratch, src: outer.src, at: from, end: to}
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

// code returns the program in a pattern of Perl, (?{…}), or of what is put in its
// place.
func (t *token) code(in program.Language) string {
	if t.kind == replaceToken {
		return t.text
	}
	if in != program.Perl {
		return ""
	}
	_, code, ok := strings.Cut(t.text, "(?{")
	if !ok {
		_, code, _ = strings.Cut(t.text, "(??{")
	}
	return code
}
