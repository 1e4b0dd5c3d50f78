package script

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// A parser makes nodes of tokens. It takes what it does not understand for the
// beginning of something else, and passes each token once.
type parser struct {
	*Program
	lexer
	tok   token
	depth int
	// brackets counts those around the token, in which lines do not end
	// statements; ternary, the conditions that wait for their colon; arguments
	// says that NAME = VALUE is an argument.
	brackets, ternary int
	arguments         bool
	// block is the first node of the innermost block.
	block int32
	// nested counts the literals around the token; inLoop says that a loop in
	// brackets has begun, inHead that the word do begins no block of a call, inLisp
	// that arguments have no commas between them.
	nested                 int
	inLoop, inHead, inLisp bool
	called                 []int32 // all calls
	// calleesOf and objectsOf are what names are known to stand for.
	calleesOf map[string][]callee
	// seen are the texts that the program evaluates and that were read.
	seen      map[string]bool
	objectsOf map[string][]string
}

const (
	// maxDepth bounds how deep expressions and blocks are nested.
	maxDepth = 400
	// maxNodes bounds how much of a program is read. It is more than any has that a
	// line can hold.
	maxNodes = 200_000
	// maxNested bounds how deep texts in literals are nested.
	maxNested = 3
	// maxInner bounds how many texts that a program evaluates are read.
	maxInner = 256
	// maxChain bounds how far a chain of members and calls is followed.
	maxChain = 32
)

func (p *parser) advance() {
	if len(p.nodes) > maxNodes {
		p.at = p.end
	}
	p.tok = p.next()
	if p.tok.kind == nameToken {
		p.Waits = p.Waits || strings.Contains(p.tok.text, "wait")
		p.Pauses = p.Pauses || p.Waits || pauses.has(p.tok.text)
	}
}

// pauses are names that say that a program waits for something, or stops.
var pauses = &wordSet{list: "sleep usleep nanosleep poll communicate accept input gets readline readlines break last get recv"}

// take passes an operator if it is next.
func (p *parser) take(operator string) bool {
	if !p.tok.is(operator) {
		return false
	}
	p.advance()
	return true
}

// takeName passes a name if it is next.
func (p *parser) takeName(name string) bool {
	if p.tok.kind != nameToken || p.tok.text != name {
		return false
	}
	p.advance()
	return true
}

func (p *parser) here() int32 { return int32(len(p.nodes)) }

// statements reads statements up to where they end.
func (p *parser) statements(ends func() bool) {
	if p.depth++; p.depth > maxDepth {
		p.depth--
		p.skipDeep()
		return
	}
	brackets, ternary, arguments, block := p.brackets, p.ternary, p.arguments, p.block
	p.brackets, p.ternary, p.arguments, p.block = 0, 0, false, p.here()
	for p.tok.kind != endToken && !ends() {
		at := p.tok.at
		p.statement()
		if p.tok.at == at && p.tok.kind != endToken && !ends() {
			p.advance()
		}
	}
	p.brackets, p.ternary, p.arguments, p.block = brackets, ternary, arguments, block
	p.depth--
}

var (
	// skipped are words that say something of what follows, and change nothing
	// here.
	skipped = &wordSet{list: "const let var my local our global nonlocal static export default public private async await return yield then do begin BEGIN END throw raise new else try finally ensure echo pass"}
	// choosers are words by which a program leaves some of what it finds alone.
	choosers = &wordSet{list: "if elif elsif unless when case filter grep select reject endswith startswith match stat lstat input next continue break last exit"}
	loopers  = &wordSet{list: "while until for foreach"}
	definers = &wordSet{list: "def function sub fn func defp"}
	closers  = &wordSet{list: "end fi done"}
)

func (p *parser) statement() {
	for p.tok.in(skipped) && !p.tok.nameEnds && !(p.language == program.AppleScript && p.tok.text == "do") {
		p.advance()
	}
	from := p.here()
	switch {
	case p.tok.kind == nameToken && (p.tok.text == "while" || p.tok.text == "until"):
		p.while(from)
	case p.tok.kind == nameToken && (p.tok.text == "for" || p.tok.text == "foreach"):
		p.forLoop(from)
	case p.tok.in(definers):
		p.define()
	case p.takeName("redo"):
		p.loop(p.block, p.block, true, 0)
	case p.tok.kind == nameToken && (p.tok.text == "import" || p.tok.text == "from") && p.imports():
	case p.tok.in(choosers):
		p.chooses()
		p.advance()
		p.sequence(from)
	case p.tok.is(";") || p.tok.is(")") || p.tok.is("]") || p.tok.is("}") || p.tok.in(closers):
		p.advance()
	default:
		p.sequence(from)
	}
}

// chooses notes that what is done here depends on a condition.
func (p *parser) chooses() { p.choices = append(p.choices, p.here()) }

// sequence reads expressions with commas between them, and what follows in the
// same statement.
func (p *parser) sequence(from int32) int32 { return p.sequel(p.expression(), from) }

// sequel reads what follows the first expression of a statement.
func (p *parser) sequel(n, from int32) int32 {
	if p.tok.is(",") && !p.tok.line && n != 0 {
		list := p.add(listNode, "", p.nodes[n].at, n)
		for p.take(",") {
			p.append(list, p.expression())
		}
		if n = list; p.take("=") {
			p.assign(n, p.sequence(from))
		}
	}
	for {
		switch {
		case p.tok.line && p.lines || p.tok.kind != nameToken:
			return n
		case p.tok.text == "if" || p.tok.text == "unless":
			p.chooses()
			p.advance()
			p.expression()
			p.chooses()
		case p.tok.text == "while" || p.tok.text == "until":
			until := p.tok.text == "until"
			p.advance()
			p.loop(from, from, p.endless(p.expression(), until), 0)
		case p.tok.text == "for" || p.tok.text == "foreach":
			p.advance()
			p.trailingFor(from)
		case p.tok.text == "redo":
			p.loop(p.block, p.block, true, 0)
			p.advance()
		default:
			return n
		}
	}
}

// trailingFor reads the rest of a loop whose body comes first, of Python and of Perl.
func (p *parser) trailingFor(from int32) {
	if p.language == program.Python {
		names := p.targets()
		p.takeName("in")
		list := p.join()
		p.goThrough(names, list)
		p.loop(from, from, p.endlessList(list), list)
		return
	}
	list := p.expression()
	p.goThrough(p.add(nameNode, "$_", p.tok.at), list)
	p.loop(from, from, false, list)
}

// targets reads the names that a loop goes through a list with.
func (p *parser) targets() int32 {
	list := p.add(listNode, "", p.tok.at)
	for p.tok.kind != endToken && !p.tok.is(":") && !(p.tok.kind == nameToken && (p.tok.text == "in" || p.tok.text == "of")) && p.nodes[list].last-list < 64 {
		if p.tok.kind == nameToken && !p.tok.in(skipped) {
			p.append(list, p.add(nameNode, p.tok.text, p.tok.at))
		} else if p.tok.is("(") && p.nodes[list].last != 0 {
			break // of Perl: for my $x (…)
		} else if p.tok.kind == operatorToken && !p.tok.is(",") && !p.tok.is("(") && !p.tok.is(")") && !p.tok.is("*") && !p.tok.is("[") && !p.tok.is("]") {
			break
		}
		p.advance()
	}
	return list
}

// body reads what a loop or a definition holds.
func (p *parser) body(indent int32) {
	switch {
	case p.tok.is("{"):
		p.braces()
	case p.indents:
		p.take(":")
		if !p.tok.line {
			p.statements(func() bool { return p.tok.line })
			return
		}
		p.statements(func() bool { return p.tok.line && p.tok.indent <= indent })
	case p.ends:
		if !p.takeName("do") {
			p.takeName("then")
		}
		p.statements(func() bool { return p.tok.in(closers) })
		p.takeName("end")
	default:
		p.take(":")
		p.statement()
	}
}

func (p *parser) while(from int32) {
	until, indent := p.tok.text == "until", p.tok.indent
	p.advance()
	p.inHead = true
	endless := p.endless(p.condition(), until)
	p.inHead = false
	for p.take(";") {
	}
	body := p.here()
	p.body(indent)
	p.loop(from, body, endless, 0)
}

// condition reads what a loop depends on, which stands in parentheses where a
// statement may follow in the same line.
func (p *parser) condition() int32 {
	if p.tok.is("(") && !p.indents && !p.ends {
		return p.bracket()
	}
	return p.expression()
}

// forLoop reads a loop through a list, or one that counts.
func (p *parser) forLoop(from int32) {
	indent := p.tok.indent
	p.advance()
	for p.tok.in(skipped) {
		p.advance()
	}
	var names, list int32
	endless := false
	p.inHead = true
	if p.tok.is("(") {
		names, list, endless = p.forHead(0)
	} else {
		if names = p.targets(); p.takeName("in") || p.takeName("of") {
			list = p.sequence(from)
		} else if p.tok.is("(") {
			names, list, endless = p.forHead(names)
		} else if p.take("=") { // of Lua
			p.sequence(from)
		}
		endless = endless || p.endlessList(list)
	}
	p.inHead = false
	p.goThrough(names, list)
	for p.take(";") {
	}
	body := p.here()
	p.body(indent)
	p.loop(from, body, endless, list)
}

// forHead reads the parentheses of a loop: what it goes through, with the names
// that hold each, or what begins, ends and continues it.
func (p *parser) forHead(names int32) (_, list int32, endless bool) {
	p.brackets++
	p.advance()
	for p.tok.in(skipped) {
		p.advance()
	}
	var first int32
	if !p.tok.is(";") {
		first = p.sequence(p.here())
	}
	switch {
	case p.take(";"):
		endless = p.tok.is(";") || p.endless(p.expression(), false)
	case p.tok.kind == nameToken && (p.tok.text == "in" || p.tok.text == "of"):
		p.advance()
		names, list = first, p.expression()
		endless = p.endlessList(list)
	case p.takeName("as"):
		names, list = p.sequence(p.here()), first
	default:
		if list = first; names == 0 {
			names = p.add(nameNode, "$_", p.tok.at)
		}
	}
	for p.tok.kind != endToken && !p.tok.is(")") && !p.tok.is("{") {
		at := p.tok.at
		if p.sequence(p.here()); p.tok.at == at {
			p.advance()
		}
	}
	p.brackets--
	p.take(")")
	return names, list, endless
}

// goThrough notes that names hold the elements of a list.
func (p *parser) goThrough(names, list int32) {
	if list == 0 || names == 0 {
		return
	}
	p.assign(names, p.each(list))
}

func (p *parser) each(list int32) int32 {
	n := p.add(eachNode, "", p.nodes[list].at)
	p.nodes[n].first = list // which has its place in the loop
	return n
}

// loop notes a loop over the nodes from one on, of which its body begins with
// another.
func (p *parser) loop(from, body int32, endless bool, list int32) {
	p.loops = append(p.loops, loop{from: from, to: p.here(), body: body, endless: endless, list: list})
}

// endless reports whether a condition always holds.
func (p *parser) endless(cond int32, until bool) bool {
	n := p.nodes[cond]
	for n.kind == listNode && n.first != 0 && n.first == n.last {
		n = p.nodes[n.first]
	}
	text := n.text
	if n.kind == notNode && n.first != 0 {
		until, text = !until, p.nodes[n.first].text
		n = p.nodes[n.first]
	}
	switch n.kind {
	case callNode, memberNode:
		return !until && p.nameOf(cond) == "fork"
	case textNode, nameNode:
		if text == "fork" {
			return true
		}
		falsehood := text == "0" || strings.EqualFold(text, "false") || text == "nil" || text == "null" || text == ""
		if n.kind == nameNode && !falsehood && !strings.EqualFold(text, "true") {
			return false
		}
		return falsehood == until
	}
	return false
}

// endlessList reports whether a list has no end.
func (p *parser) endlessList(list int32) bool {
	if list == 0 || p.nodes[list].kind != callNode {
		return false
	}
	switch p.nameOf(list) {
	case "count", "cycle":
		return true
	case "repeat", "iter":
		args := p.nodes[p.nodes[list].first].next
		return args != 0
	}
	return false
}

// nameOf returns the last name of what a node calls or names.
func (p *Program) nameOf(n int32) string {
	for range maxChain {
		if d := &p.nodes[n]; d.kind != callNode && (d.kind != listNode || d.first != d.last || d.first == 0) {
			break
		}
		n = p.nodes[n].first
	}
	if k := p.nodes[n].kind; k == nameNode || k == memberNode {
		return p.nodes[n].text
	}
	return ""
}

// define reads a function that has a name, or not.
func (p *parser) define() int32 {
	at, indent, from := p.tok.at, p.tok.indent, p.here()
	p.advance()
	name := ""
	p.take("*")
	for p.tok.kind == nameToken && !p.tok.line {
		name = p.tok.text
		p.advance()
		if !p.take(".") && !p.take(":") {
			break
		}
	}
	params := p.add(listNode, "", at)
	if p.tok.is("(") {
		p.parameters(params)
	}
	if p.take("->") { // of Python
		p.expression()
	}
	p.take(";")
	f := p.add(functionNode, name, at, params)
	p.body(indent)
	p.bodies[f] = p.here()
	if name != "" {
		p.functions[name] = function{params, from, p.here()}
	}
	return f
}

func (p *parser) parameters(into int32) {
	p.brackets++
	p.advance()
	for p.tok.kind != endToken && !p.tok.is(")") && !p.tok.is("{") {
		if p.tok.kind == nameToken {
			p.append(into, p.add(nameNode, p.tok.text, p.tok.at))
			for p.tok.kind != endToken && !p.tok.is(",") && !p.tok.is(")") && !p.tok.is("{") {
				p.advance() // its type, its default
			}
			continue
		}
		p.advance()
	}
	p.brackets--
	p.take(")")
}

// imports reads a statement that names modules and what is taken of them.
func (p *parser) imports() bool {
	fromFirst := p.tok.text == "from"
	at := p.tok.at
	before, tok := p.lexer, p.tok
	p.advance()
	if p.tok.is("(") || p.tok.is("=") || p.tok.is(".") {
		p.lexer, p.tok = before, tok // a call
		return false
	}
	var module, all int32
	type taken struct{ name, as string }
	var list []taken
	if fromFirst {
		module = p.module()
		p.takeName("import")
	}
	for p.tok.kind != endToken && !p.tok.is(";") && (!p.tok.line || p.brackets > 0) {
		switch {
		case p.tok.is("{") || p.tok.is("("):
			p.brackets++
			p.advance()
		case p.tok.is("}") || p.tok.is(")"):
			p.brackets--
			p.advance()
		case p.tok.kind == nameToken && p.tok.text == "from":
			p.advance()
			module = p.module()
		case p.tok.kind == nameToken:
			t := taken{name: p.tok.text}
			if p.advance(); !fromFirst && p.tok.is(".") { // import a.b
				for p.take(".") {
					t.name = p.tok.text
					p.advance()
				}
			}
			if t.as = t.name; p.takeName("as") {
				t.as = p.tok.text
				p.advance()
			}
			list = append(list, t)
		case p.tok.is("*"):
			p.advance()
			if p.takeName("as") {
				all = p.add(nameNode, p.tok.text, p.tok.at)
				p.advance()
			}
		case p.tok.is(","):
			p.advance()
		default:
			p.brackets = 0
			p.expression()
			return true
		}
	}
	p.brackets = 0
	for _, t := range list[:min(len(list), 64)] {
		switch {
		case module != 0:
			p.set(t.as, p.add(memberNode, t.name, at, p.same(module)))
		case t.as != t.name:
			p.set(t.as, p.add(nameNode, t.name, at))
		}
	}
	if all != 0 && module != 0 {
		p.set(p.nodes[all].text, p.same(module))
	}
	return true
}

// module reads the name of a module: a literal, or names with dots.
func (p *parser) module() int32 {
	n := p.add(nameNode, strings.TrimPrefix(p.tok.text, "node:"), p.tok.at)
	p.advance()
	for p.take(".") {
		p.nodes[n].text = p.tok.text
		p.advance()
	}
	return n
}

// set notes that a name holds a value.
func (p *parser) set(name string, value int32) {
	if v := p.vars[name]; len(v) < maxValues {
		p.vars[name] = append(v, value)
	} else {
		p.vars[name] = append(v[:maxValues-1], 0) // which is not known
	}
}

// assign notes that a target holds a value: a name, or several of a list or an
// object.
func (p *parser) assign(target, value int32) {
	if target == 0 || value == 0 {
		return
	}
	switch t := &p.nodes[target]; t.kind {
	case nameNode:
		p.set(t.text, value)
	case listNode, blockNode:
		v := p.nodes[value]
		part := v.first
		for k := p.nodes[target].first; k != 0; k = p.nodes[k].next {
			switch kid := p.nodes[k]; {
			case kid.kind == pairNode: // {execSync: x}
				if kid.first != 0 && kid.last != kid.first {
					p.assign(kid.last, p.add(memberNode, p.nodes[kid.first].text, kid.at, p.same(value)))
				}
			case t.kind == blockNode && kid.kind == nameNode:
				p.set(kid.text, p.add(memberNode, kid.text, kid.at, p.same(value)))
			case v.kind == eachNode:
				p.assign(k, value)
			case v.kind == listNode && part != 0:
				p.assign(k, part)
				part = p.nodes[part].next
			case v.kind == indexNode || v.kind == nameNode: // my ($x) = @_
				p.assign(k, p.each(value))
			}
		}
	}
}
