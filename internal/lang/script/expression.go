package script

import (
	"github.com/policyctl/policyctl/internal/program"
)

// expression reads an expression; 0 is none.
func (p *parser) expression() int32 {
	if p.depth++; p.depth > maxDepth {
		p.depth--
		p.skipDeep()
		return 0
	}
	n := p.operation(p.join())
	p.depth--
	return n
}

// operation reads what follows the first value of an expression.
func (p *parser) operation(left int32) int32 {
	for more := true; more && left != 0 && !p.stops(); {
		if p.tok.kind == nameToken {
			left, more = p.wordOperation(left)
		} else {
			left, more = p.signOperation(left)
		}
	}
	return left
}

func (p *parser) signOperation(left int32) (n int32, more bool) {
	at, sign := p.tok.at, p.tok.mark
	if p.tok.in(assigns) {
		return p.assignment(left), true
	}
	switch sign {
	case fatArrow:
		p.advance()
		return p.arrow(left, at), true
	case colon:
		if p.isKey(left) {
			p.advance()
			return p.add(pairNode, "", at, left, p.expression()), false
		}
	case question:
		if !p.indents {
			return p.choice(left), false
		}
	case barAnd, bar:
		if sign == barAnd || p.language == program.AWK {
			p.advance()
			return p.pipe(left, at), true
		}
	case doubleBar, doubleQuestion, doubleAnd, doubleSlash:
		return p.either(left), true
	}
	switch {
	case p.tok.in(redirects) && p.prints(left):
		p.advance()
		p.nodes[left].text = redirected
		return p.invoke("print>", at, p.join(), p.same(left)), true
	case !p.tok.in(binarySigns):
		return left, false
	case p.language == program.Ruby && p.tok.text == "<<": // f << "…"
		p.advance()
		n := p.add(callNode, "", at, p.add(memberNode, "<<", at, left))
		p.append(n, p.join())
		p.called = append(p.called, n)
		return n, true
	}
	p.advance()
	return p.add(unknownNode, "", at, left, p.join()), true
}

// choice reads the two values behind a condition.
func (p *parser) choice(cond int32) int32 {
	at := p.tok.at
	p.unlessKind(func() int32 { return cond })
	p.advance()
	p.ternary++
	yes := p.expression()
	p.ternary--
	p.take(colon)
	return p.add(eitherNode, "", at, yes, p.expression())
}

func (p *parser) wordOperation(left int32) (n int32, more bool) {
	at := p.tok.at
	switch {
	case p.tok.is(ifWord) && p.language == program.Python && p.brackets > 0 && !p.inLoop:
		p.chooses()
		p.advance()
		p.join()
		if p.take(elseWord) {
			left = p.add(eitherNode, "", at, left, p.expression())
		}
		return left, true
	case p.tok.is(orWord), p.tok.is(andWord):
		return p.either(left), true
	case !p.tok.in(binaryWords), p.tok.is(inWord) && p.inHead && (p.language == program.JavaScript || p.language == program.NoLanguage): // for (k in o)
		return left, false
	}
	p.advance()
	return p.add(unknownNode, "", at, left, p.join()), true
}

// either reads another value that may stand in the place of one.
func (p *parser) either(left int32) int32 {
	at := p.tok.at
	p.unlessKind(func() int32 { return left })
	p.advance()
	return p.add(eitherNode, "", at, left, p.join())
}

// isKey reports whether a colon behind a value makes it a key.
func (p *parser) isKey(n int32) bool {
	k := p.nodes[n].kind
	return p.ternary == 0 && p.brackets > 0 && (k == nameNode || k == textNode)
}

// stops reports whether a statement ends before the token.
func (p *parser) stops() bool {
	if p.tok.kind == endToken {
		return true
	}
	if p.brackets > 0 || !p.tok.line {
		return false
	}
	return p.lines || p.tok.kind == nameToken
}

// skipDeep passes what is nested too deep to be read.
func (p *parser) skipDeep() {
	depth := 0
	for p.tok.kind != endToken {
		switch {
		case p.tok.is(parenthesis) || p.tok.is(bracket) || p.tok.is(brace):
			depth++
		case p.tok.in(closing):
			if depth--; depth < 0 {
				return
			}
		}
		p.advance()
	}
}

// assignment reads what a target is given.
func (p *parser) assignment(target int32) int32 {
	at, sign, kind := p.tok.at, p.tok.mark, p.tok.traits
	p.advance()
	value := p.expression()
	if value == 0 {
		return target
	}
	if p.nodes[target].kind == nameNode && p.arguments && p.brackets > 0 && sign == equals {
		return p.add(pairNode, "", at, target, value)
	}
	switch {
	case kind&growing != 0:
		if name := &p.nodes[target]; name.kind == nameNode {
			if before := p.vars(name.text); len(before) > 0 && before[len(before)-1] != 0 {
				value = p.add(joinNode, "", at, p.same(before[len(before)-1]), value)
			}
		}
	case kind&changing != 0:
		return target
	}
	p.assign(target, value)
	return value
}

// arrow reads what stands behind =>: the body of a function, or a value.
func (p *parser) arrow(left, at int32) int32 {
	if p.language != program.JavaScript {
		return p.add(pairNode, "", at, left, p.expression())
	}
	params := left
	if p.nodes[left].kind != listNode {
		params = p.add(listNode, "", at, left)
	}
	if !p.tok.is(brace) {
		return p.expressed(params, at)
	}
	f, outer := p.add(functionNode, "", at, params), p.function
	p.function = f
	p.braces()
	p.function, p.bodies[f] = outer, p.here()
	return f
}
