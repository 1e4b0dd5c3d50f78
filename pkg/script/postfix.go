package script

import "github.com/policyctl/policyctl/pkg/program"

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
		case p.commands && p.beginsArgument(n):
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

// beginsArgument reports whether the token begins the first argument of a call
// without parentheses.
func (p *parser) beginsArgument(n int32) bool {
	k, text := p.nodes[n].kind, p.nodes[n].text
	if p.inLisp || k != nameNode && k != memberNode || text == "" || text[0] == '$' || binaryWords.has(text) || text == "BEGIN" || text == "END" {
		return false
	}
	if p.language == program.AWK && text != "print" && text != "printf" {
		return false
	}
	switch t := p.tok; t.kind {
	case textToken, commandToken, wordsToken, numberToken:
		return t.gap || p.language == program.Lua || t.kind != numberToken
	case patternToken:
		return t.gap
	case nameToken:
		return t.gap && !binaryWords.has(t.text) && !t.in(loopers) && !t.in(closers) && !trailing.has(t.text) && p.language != program.Lua
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

// trailing are words that go on with a statement.
var trailing = &wordSet{list: "if unless and or do then else end rescue"}

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
		if p.lispFollows() {
			continue
		}
		if !p.tok.is(",") && !(p.tok.is("=>") && p.language == program.Perl) {
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
	return k == textToken || k == numberToken || k == nameToken && !binaryWords.has(p.tok.text) || p.tok.is("(")
}

// argument reads one of them, which a word such as or ends.
func (p *parser) argument() int32 {
	k := p.join()
	switch {
	case k == 0:
		return 0
	case p.language == program.Perl && p.tok.is("=>"):
		return k
	case p.tok.is(":") || p.tok.is("=>"):
		at := p.tok.at
		p.advance()
		return p.add(pairNode, "", at, k, p.join())
	case p.tok.is("||") || p.tok.is("?"):
		return p.operation(k)
	}
	return k
}
