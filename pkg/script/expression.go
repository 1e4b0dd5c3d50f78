package script

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// assigns are the operators that give a name a value.
var assigns = &wordSet{list: "= := += .= ||= &&= ??= <<= *= -= /= |="}

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
	t := p.tok
	switch {
	case t.kind != operatorToken:
		return left, false
	case assigns.has(t.text):
		p.advance()
		return p.assignment(left, t), true
	case t.text == "=>":
		p.advance()
		return p.arrow(left, t.at), true
	case t.text == ":" && p.isKey(left):
		p.advance()
		return p.add(pairNode, "", t.at, left, p.expression()), false
	case t.text == "?" && !p.indents:
		p.chooses()
		p.advance()
		p.ternary++
		yes := p.expression()
		p.ternary--
		p.take(":")
		return p.add(eitherNode, "", t.at, yes, p.expression()), false
	case t.text == "|" && p.language == program.AWK, t.text == "|&":
		p.advance()
		return p.pipe(left, t.at), true
	case t.text == "||" || t.text == "??":
		return p.either(left), true
	case t.text == "&&":
		return p.either(left), true
	case strings.IndexByte("<>", t.text[0]) >= 0 && len(t.text) < 3 && p.prints(left):
		p.advance()
		return p.invoke("print>", t.at, p.join()), true
	case strings.IndexByte("<>=!&|^~-*/%", t.text[0]) < 0:
		return left, false
	}
	p.advance()
	return p.add(unknownNode, "", t.at, left, p.join()), true
}

func (p *parser) wordOperation(left int32) (n int32, more bool) {
	t := p.tok
	switch {
	case t.text == "if" && p.language == program.Python && p.brackets > 0 && !p.inLoop:
		p.chooses()
		p.advance()
		p.join()
		if p.takeName("else") {
			left = p.add(eitherNode, "", t.at, left, p.expression())
		}
		return left, true
	case t.text == "or", t.text == "and":
		return p.either(left), true
	case !binaryWords.has(t.text):
		return left, false
	}
	p.advance()
	return p.add(unknownNode, "", t.at, left, p.join()), true
}

// either reads another value that may stand in the place of one.
func (p *parser) either(left int32) int32 {
	at := p.tok.at
	p.chooses()
	p.advance()
	return p.add(eitherNode, "", at, left, p.join())
}

// isKey reports whether a colon behind a value makes it a key.
func (p *parser) isKey(n int32) bool {
	k := p.nodes[n].kind
	return p.ternary == 0 && p.brackets > 0 && (k == nameNode || k == textNode)
}

// binaryWords are words between two values.
var binaryWords = &wordSet{list: "in is not eq ne lt gt le ge cmp x isa instanceof xor ishl"}

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
		case p.tok.is("(") || p.tok.is("[") || p.tok.is("{"):
			depth++
		case p.tok.is(")") || p.tok.is("]") || p.tok.is("}"):
			if depth--; depth < 0 {
				return
			}
		}
		p.advance()
	}
}

func (p *parser) assignment(target int32, t token) int32 {
	value := p.expression()
	if value == 0 {
		return target
	}
	if p.nodes[target].kind == nameNode && p.arguments && p.brackets > 0 && t.text == "=" {
		return p.add(pairNode, "", t.at, target, value)
	}
	switch t.text {
	case "+=", ".=", "<<=":
		if name := p.nodes[target]; name.kind == nameNode {
			if before := p.vars[name.text]; len(before) > 0 && before[len(before)-1] != 0 {
				value = p.add(joinNode, "", t.at, p.same(before[len(before)-1]), value)
			}
		}
	case "*=", "-=", "/=", "|=":
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
	if p.nodes[left].kind == nameNode {
		params = p.add(listNode, "", at, left)
	}
	f := p.add(functionNode, "", at, params)
	if p.tok.is("{") {
		p.braces()
	} else {
		p.expression()
	}
	p.bodies[f] = p.here()
	return f
}
