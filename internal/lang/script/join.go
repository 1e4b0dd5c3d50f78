package script

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// join reads values that are joined.
func (p *parser) join() int32 {
	left := p.unary()
	for left != 0 && !p.stops() {
		at, kind, ranges := p.tok.at, p.joint(left), p.countsFar()
		if kind != unknownNode {
			p.advance()
		} else if !p.adjoins(left) {
			return left
		}
		right := p.unary()
		switch {
		case right == 0:
			return left
		case kind == joinNode && ranges:
			left = p.invoke("range", at, left, right)
		case kind == joinNode && p.isNumber(left) && p.isNumber(right):
			left = p.add(unknownNode, "", at, left, right)
		case kind == unknownNode || kind == joinNode:
			left = p.joined(left, right, at)
		default:
			left = p.add(kind, "", at, left, right)
		}
	}
	return left
}

// joint returns what the sign behind a value makes of it and the next;
// unknownNode where it does not join them.
func (p *parser) joint(left int32) nodeKind {
	switch {
	case !p.tok.in(joints):
		if p.tok.is(xWord) && p.language == program.Perl {
			return repeatNode
		}
	case slices.Contains(p.joins, p.tok.mark), p.tok.is(plus), p.countsFar():
		return joinNode
	case p.tok.is(slash):
		return pathNode
	case p.tok.is(percent) && p.isText(left):
		return formatNode
	case p.tok.is(star):
		return repeatNode
	}
	return unknownNode
}

// countsFar reports whether the token is the sign of a range that ends with a number which
// counts many: 1..65535.
func (p *parser) countsFar() bool {
	if !p.tok.is(dots) || p.language == program.Lua {
		return false
	}
	number := strings.TrimLeft(p.src[p.at:p.end], ". ")
	end := strings.IndexFunc(number, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(number)
	}
	v, ok := integer(number[:end])
	return ok && v >= wide
}

// adjoins reports whether a value begins at the token that is joined to the one
// before it.
func (p *parser) adjoins(left int32) bool {
	if !p.adjacent {
		return false
	}
	return p.tok.kind == textToken && p.isText(left) || p.language == program.AWK && p.beginsValue() && !p.prints(left) && p.isValue(left)
}

// joined adds a part to a text.
func (p *parser) joined(left, right, at int32) int32 {
	if p.nodes[left].kind == joinNode {
		p.append(left, right)
		return left
	}
	return p.add(joinNode, "", at, left, right)
}

// isNumber reports whether a node is a number as it is written.
func (p *parser) isNumber(n int32) bool {
	d := &p.nodes[n]
	return d.kind == textNode && int(d.at) < len(p.src) && isDigit(p.src[d.at])
}

func (p *parser) isText(n int32) bool {
	k := p.nodes[n].kind
	return k == textNode || k == joinNode
}

// unary reads a value with what stands before it.
func (p *parser) unary() int32 {
	for p.tok.in(prefixes) {
		at, before := p.tok.at, p.tok.mark
		switch {
		case before == lambdaWord && p.indents:
			p.advance()
			return p.lambda(at)
		case before == doWord && p.operators:
			if p.advance(); p.tok.kind == textToken { // do FILE of Perl
				return p.invoke("do", at, p.join())
			}
		case before == minus || before == bang || before == notWord:
			return p.opposite()
		case p.tok.in(passed), before == dollar && p.language != program.AWK:
			sign := p.tok.kind == operatorToken
			if p.advance(); sign && p.tok.kind == endToken {
				return 0
			}
		default:
			return p.postfix(p.primary())
		}
	}
	return p.postfix(p.primary())
}

// opposite reads the value behind a word or a sign that turns it around.
func (p *parser) opposite() int32 {
	at, sign, text := p.tok.at, p.tok.mark, p.tok.text
	p.advance()
	if sign == minus && p.language == program.Perl && p.tok.kind == nameToken && len(p.tok.text) == 1 && !p.tok.gap { // -f $path
		n := p.add(notNode, text, at, p.pass(nameNode))
		if p.tok.kind == nameToken && p.tok.text[0] == '$' {
			p.append(n, p.postfix(p.primary()))
		}
		return n
	}
	n := p.unary()
	if n != 0 && sign == minus && p.nodes[n].kind == textNode {
		p.nodes[n].text = "-" + p.nodes[n].text
		return n
	}
	return p.add(notNode, text, at, n)
}

// lambda reads a function of Python that is an expression.
func (p *parser) lambda(at int32) int32 {
	params := p.add(listNode, "", at)
	for p.tok.kind != endToken && !p.tok.is(colon) && !p.stops() {
		if p.tok.kind == nameToken {
			p.append(params, p.parameter(colon))
			continue
		}
		p.advance()
	}
	p.take(colon)
	return p.expressed(params, at)
}

// expressed reads a function that is an expression.
func (p *parser) expressed(params, at int32) int32 {
	f, outer := p.add(functionNode, "", at, params), p.function
	p.function = f
	p.returns(p.expression())
	p.function, p.bodies[f] = outer, p.here()
	return f
}
