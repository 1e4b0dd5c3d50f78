package script

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// join reads values that are joined.
func (p *parser) join() int32 {
	left := p.unary()
	for left != 0 && !p.stops() {
		t := p.tok
		kind := unknownNode
		switch {
		case t.kind == operatorToken && p.joins != "" && strings.Contains(p.joins, " "+t.text+" "):
			kind = joinNode
		case t.is("+"):
			kind = joinNode
		case t.is("/"):
			kind = pathNode
		case t.is("%") && (p.nodes[left].kind == textNode || p.nodes[left].kind == joinNode):
			kind = formatNode
		case t.is("*") || p.language == program.Perl && t.kind == nameToken && t.text == "x":
			kind = repeatNode
		case p.adjacent && p.tok.kind == textToken && p.isText(left), p.language == program.AWK && p.beginsValue() && !p.prints(left) && p.isValue(left):
			right := p.unary()
			if right == 0 {
				return left
			}
			left = p.joined(left, right, t.at)
			continue
		default:
			return left
		}
		p.advance()
		right := p.unary()
		switch {
		case right == 0:
			return left
		case kind == joinNode:
			left = p.joined(left, right, t.at)
		case kind == formatNode || kind == repeatNode || kind == pathNode:
			left = p.add(kind, "", t.at, left, right)
		}
	}
	return left
}

// joined adds a part to a text.
func (p *parser) joined(left, right, at int32) int32 {
	if p.nodes[left].kind == joinNode {
		p.append(left, right)
		return left
	}
	return p.add(joinNode, "", at, left, right)
}

func (p *parser) isText(n int32) bool {
	k := p.nodes[n].kind
	return k == textNode || k == joinNode
}

// unary reads a value with what stands before it.
func (p *parser) unary() int32 {
	for {
		t := p.tok
		switch {
		case t.kind == nameToken && (t.text == "new" || t.text == "await" || t.text == "yield" || t.text == "return" || t.text == "typeof" || t.text == "my" || t.text == "local" || t.text == "do" && p.operators || t.text == "lambda" && p.indents):
			p.advance()
			switch {
			case t.text == "lambda":
				return p.lambda(t.at)
			case t.text == "do" && p.tok.kind == textToken: // do FILE of Perl
				return p.invoke("do", t.at, p.join())
			}
			continue
		case t.is("-") || t.is("!") || t.kind == nameToken && t.text == "not":
			p.advance()
			n := p.unary()
			if n != 0 && t.is("-") && p.nodes[n].kind == textNode {
				p.nodes[n].text = "-" + p.nodes[n].text
				return n
			}
			return p.add(notNode, t.text, t.at, n)
		case t.is("\\") || t.is("&") || t.is("*") || t.is("**") || t.is("...") || t.is("++") || t.is("--") || t.is("+") || t.is("@") || t.is("~") || t.is("$") && p.language != program.AWK:
			p.advance()
			if p.tok.kind == endToken {
				return 0
			}
			continue
		}
		return p.postfix(p.primary())
	}
}

// lambda reads a function of Python that is an expression.
func (p *parser) lambda(at int32) int32 {
	params := p.targets()
	p.take(":")
	f := p.add(functionNode, "", at, params)
	p.expression()
	p.bodies[f] = p.here()
	return f
}
