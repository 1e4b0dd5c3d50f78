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
		p.chooses()
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
	case t.text == "or":
		return p.either(left), true
	case t.text == "and":
		p.chooses()
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

// invoke makes the node of a call that is written without one.
func (p *parser) invoke(name string, at int32, args ...int32) int32 {
	n := p.add(callNode, "", at, p.add(nameNode, name, at))
	for _, a := range args {
		p.append(n, a)
	}
	p.called = append(p.called, n)
	return n
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

// pipe reads what AWK prints to, or gets from, a program.
func (p *parser) pipe(left, at int32) int32 {
	if p.takeName("getline") {
		if p.tok.kind == nameToken && !p.stops() {
			p.join() // the variable that holds the line
		}
		return p.invoke("getline", at, left)
	}
	return p.invoke("print|", at, p.join(), p.same(left))
}

// prints reports whether a node is a call of AWK that prints, which > leads to a
// file.
func (p *parser) prints(n int32) bool {
	name := p.nameOf(n)
	return p.language == program.AWK && (name == "print" || name == "printf")
}

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

// isValue reports whether a node is no word of AWK's own.
func (p *parser) isValue(n int32) bool {
	switch k := p.nodes[n].kind; k {
	case nameNode:
		return p.nodes[n].text != "BEGIN" && p.nodes[n].text != "END"
	case textNode, joinNode, callNode, indexNode, listNode:
		return true
	}
	return false
}

// beginsValue reports whether a value of AWK may begin at the token.
func (p *parser) beginsValue() bool {
	switch p.tok.kind {
	case textToken, numberToken:
		return true
	case nameToken:
		return !p.tok.in(loopers) && !p.tok.in(choosers) && !binaryWords.has(p.tok.text) && p.tok.text != "getline"
	}
	return p.tok.is("(") || p.tok.is("$")
}

// unary reads a value with what stands before it.
func (p *parser) unary() int32 {
	for {
		t := p.tok
		switch {
		case t.kind == nameToken && (t.text == "new" || t.text == "await" || t.text == "yield" || t.text == "return" || t.text == "typeof" || t.text == "my" || t.text == "local" || t.text == "do" && p.operators || t.text == "lambda" && p.indents):
			p.advance()
			if t.text == "lambda" {
				p.targets()
				p.take(":")
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
	case t.in(definers) && !t.nameEnds:
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

// tells reads the commands of AppleScript that run a line: do shell script, do
// script.
func (p *parser) tells() int32 {
	at := p.tok.at
	p.advance()
	p.takeName("shell")
	if !p.takeName("script") {
		return p.add(nameNode, "do", at)
	}
	return p.invoke("do script", at, p.join())
}

// readsHandle reads <STDIN> of Perl.
func (p *parser) readsHandle() int32 {
	at := p.tok.at
	p.advance()
	if p.tok.kind == nameToken {
		p.advance()
	}
	p.take(">")
	return p.add(nameNode, "STDIN", at)
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

// bracket reads a list in parentheses or brackets.
func (p *parser) bracket() int32 {
	square := p.tok.is("[")
	n := p.list(p.add(listNode, "", p.tok.at), false)
	if !square && p.nodes[n].first == p.nodes[n].last && p.nodes[n].first != 0 && p.nodes[p.nodes[n].first].kind != pairNode && p.language != program.Perl {
		return p.nodes[n].first // (x)
	}
	return n
}

// list reads what is in brackets, at whose opening the token is, into a node.
func (p *parser) list(n int32, arguments bool) int32 {
	closing := closer(p.tok.text[0])
	from := p.here()
	ternary, was, looped, lisp := p.ternary, p.arguments, p.inLoop, p.inLisp
	p.ternary, p.arguments, p.inLoop, p.inLisp = 0, arguments, false, false
	p.brackets++
	p.advance()
	for p.tok.kind != endToken && !p.tok.is(closing) {
		at := p.tok.at
		switch {
		case p.tok.is(","), p.tok.is(";"):
			p.advance()
			continue
		case p.tok.kind == nameToken && p.tok.text == "for" && p.indents:
			p.advance()
			p.inLoop = true
			p.trailingFor(from)
			continue
		case p.tok.in(choosers) && p.inLoop:
			p.chooses()
			p.advance()
			p.join()
			continue
		case p.tok.is(")") || p.tok.is("]") || p.tok.is("}"):
			p.advance()
			continue
		}
		if k := p.expression(); k != 0 {
			p.append(n, k)
		}
		if p.tok.at == at {
			if p.tok.is("::") || p.tok.is(":") {
				p.append(n, p.add(nameNode, p.tok.text, p.tok.at))
			}
			p.advance()
		}
	}
	p.brackets--
	p.ternary, p.arguments, p.inLoop, p.inLisp = ternary, was, looped, lisp
	p.take(closing)
	return n
}

// braces reads a block, or the members of an object.
func (p *parser) braces() int32 {
	n := p.add(blockNode, "", p.tok.at)
	if p.depth++; p.depth > maxDepth {
		p.depth--
		p.advance()
		p.skipDeep()
		p.take("}")
		return n
	}
	brackets, ternary, arguments, block := p.brackets, p.ternary, p.arguments, p.block
	p.brackets, p.ternary, p.arguments, p.block = 0, 0, false, p.here()
	p.advance()
	for p.tok.kind != endToken && !p.tok.is("}") {
		at := p.tok.at
		if key, ok := p.member(); ok {
			p.append(n, key)
		} else {
			p.statement()
		}
		if p.tok.at == at && !p.tok.is("}") {
			p.advance()
		}
	}
	p.brackets, p.ternary, p.arguments, p.block = brackets, ternary, arguments, block
	p.take("}")
	p.depth--
	return n
}

// member reads KEY: VALUE of an object, a name alone, or a statement that begins
// with a value, which is no member; ok is false for other statements.
func (p *parser) member() (n int32, ok bool) {
	t := p.tok
	if t.kind != textToken && t.kind != nameToken || t.in(loopers) || t.in(definers) || t.text == "import" || t.text == "from" || t.text == "redo" || (t.in(choosers) || t.in(skipped)) && !t.nameEnds {
		return 0, false
	}
	from := p.here()
	left := p.join()
	switch {
	case left == 0:
		return 0, false
	case p.take(":") || p.take("=>"):
		return p.add(pairNode, "", t.at, left, p.expression()), true
	case p.tok.is(",") || p.tok.is("}"):
		return left, true
	}
	p.sequel(p.operation(left), from)
	return 0, true
}
