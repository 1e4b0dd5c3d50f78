package script

import (
	"github.com/policyctl/policyctl/internal/program"
)

// beginsArgument reports whether the token begins the first argument of a call
// without parentheses.
func (p *parser) beginsArgument(n int32) bool {
	k, text := p.nodes[n].kind, p.nodes[n].text
	if p.inLisp || k != nameNode && k != memberNode || text == "" || text[0] == '$' || p.nodeIn(n, binaryWords|actions) {
		return false
	}
	if p.language == program.AWK && text != "print" && text != "printf" {
		return false
	}
	switch t := &p.tok; t.kind {
	case textToken, commandToken, wordsToken, numberToken:
		return t.gap || p.language == program.Lua || t.kind != numberToken
	case patternToken, replaceToken:
		return t.gap
	case nameToken:
		return t.gap && (!t.in(binaryWords|loopers|closers|trailing) || t.is(xWord) && p.language != program.Perl) && p.language != program.Lua
	case operatorToken:
		switch t.text {
		case "[", "\\", "::":
			return t.gap && p.language != program.Lua
		case "-", "*", "@", "$", "~":
			return t.gap && !p.gapFollows()
		case "<":
			return p.language == program.Perl
		}
	}
	return false
}

// gapFollows reports whether blanks stand behind the token.
func (p *parser) gapFollows() bool { return p.at < p.end && p.src[p.at] <= ' ' }

// command reads a call without parentheses, up to the end of its statement.
func (p *parser) command(callee int32) int32 {
	return p.openArguments(p.invokeNode(callee))
}

// openArguments reads arguments without parentheses.
func (p *parser) openArguments(n int32) int32 {
	was, brackets, lisp := p.arguments, p.brackets, p.inLisp
	p.arguments, p.inLisp = true, p.language == program.NoLanguage && p.brackets > 0
	for {
		k := p.argument()
		if k == 0 {
			break
		}
		p.append(n, k)
		if p.lispFollows() || p.language == program.Perl && p.tok.kind == textToken && p.tok.gap { // print $f "…"
			continue
		}
		if !p.tok.is(comma) && !(p.tok.is(fatArrow) && p.language == program.Perl) {
			break
		}
		p.advance()
	}
	p.arguments, p.brackets, p.inLisp = was, brackets, lisp
	return n
}

// lispFollows reports whether another argument stands behind one with blanks
// between, as in Lisp.
func (p *parser) lispFollows() bool {
	if !p.inLisp || !p.tok.gap {
		return false
	}
	k := p.tok.kind
	return k == textToken || k == numberToken || k == nameToken && !p.tok.in(binaryWords) || p.tok.is(parenthesis)
}

// argument reads one of them, which a word such as or ends.
func (p *parser) argument() int32 {
	k := p.join()
	switch {
	case k == 0:
		return 0
	case p.language == program.Perl && p.tok.is(fatArrow):
		return k
	case p.tok.is(colon) || p.tok.is(fatArrow):
		at := p.tok.at
		p.advance()
		return p.add(pairNode, "", at, k, p.join())
	case p.tok.is(doubleBar) || p.tok.is(question):
		return p.operation(k)
	}
	return k
}
