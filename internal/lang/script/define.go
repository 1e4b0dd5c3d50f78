package script

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// defines reports whether a word begins a function in the language.
func (p *parser) defines(t *token) bool {
	if !t.in(definers) {
		return false
	}
	switch t.mark {
	case fnWord:
		return p.language == program.PHP || p.language == program.NoLanguage
	case subWord:
		return p.language == program.Perl
	case defWord:
		return p.language != program.JavaScript && p.language != program.PHP
	}
	return true
}

// define reads a function that has a name, or not.
func (p *parser) define() int32 {
	at, indent, from := p.tok.at, p.tok.indent, p.here()
	p.advance()
	name := ""
	p.take(star)
	for p.tok.kind == nameToken && !p.tok.line {
		name = p.tok.text
		p.advance()
		if !p.take(dot) && !p.take(colon) {
			break
		}
	}
	params := p.add(listNode, "", at)
	if p.tok.is(parenthesis) {
		p.parameters(params)
	}
	if p.take(arrow) { // of Python
		p.expression()
	}
	f := p.add(functionNode, name, at, params)
	outer := p.function
	p.function = f
	if p.take(fatArrow) || p.language == program.Ruby && p.take(equals) { // fn() => x of PHP, def f = x
		p.returns(p.expression())
	} else {
		p.take(semicolon)
		p.body(indent)
	}
	if p.language == program.Ruby && p.latest > f {
		p.returns(p.latest)
	}
	p.function = outer
	p.bodies[f] = p.here()
	p.entitle(name, function{f, from, p.here()})
	return f
}

// entitle notes the function that a name stands for; a constructor stands for its
// class too.
func (p *parser) entitle(name string, f function) {
	if name == "" {
		return
	}
	m := p.means(name)
	m.function, m.defined = f, true
	switch name {
	case "__init__", "initialize", "constructor", "__construct":
		if p.class != "" {
			p.means(p.class).function = f
		}
	}
}

// returns notes that the function which is read returns a value.
func (p *parser) returns(value int32) {
	if p.function == 0 || value == 0 {
		return
	}
	f := &p.nodes[p.function]
	if f.last == f.first {
		p.append(p.function, p.add(eitherNode, "", f.at))
	}
	p.append(p.nodes[p.function].last, p.same(value))
}

func (p *parser) parameters(into int32) {
	p.brackets++
	p.advance()
	for p.tok.kind != endToken && !p.tok.is(closeParenthesis) && !p.tok.is(brace) {
		if p.tok.kind == nameToken {
			p.append(into, p.parameter(closeParenthesis))
			continue
		}
		p.advance()
	}
	p.brackets--
	p.take(closeParenthesis)
}

// parameter reads a parameter up to a comma or what ends the list: its name, or a
// pair of that and what it is where a call gives none.
func (p *parser) parameter(end mark) int32 {
	at, n := p.tok.at, p.pass(nameNode)
	for p.tok.kind != endToken && !p.tok.is(comma) && !p.tok.is(end) && !p.tok.is(brace) {
		if p.take(equals) || p.language == program.Ruby && p.take(colon) {
			if value := p.join(); value != 0 && p.nodes[n].kind == nameNode {
				n = p.add(pairNode, "", at, n, value)
			}
			continue
		}
		p.advance() // its type
	}
	return n
}

// An importStatement is a statement that names modules and what is taken of them.
type importStatement struct {
	module int32  // 0 where several are named
	all    string // the name of the module as a whole
	taken  int    // where what is taken begins, of all that imports take
}

type rename struct{ name, as string }

// imports reads such a statement; false is a call of import.
func (p *parser) imports() bool {
	at := p.tok.at
	before, tok := p.lexer, p.tok
	p.advance()
	if p.tok.is(parenthesis) || p.tok.is(equals) || p.tok.is(dot) {
		p.lexer, p.tok = before, tok
		return false
	}
	in := importStatement{taken: len(p.taken)}
	if tok.is(fromWord) {
		in.module = p.module()
		p.take(importWord)
	}
	p.importList(&in, tok.is(fromWord))
	taken := p.taken[in.taken:min(len(p.taken), in.taken+64)]
	for _, t := range taken {
		switch {
		case in.module != 0:
			p.set(t.as, p.add(memberNode, t.name, at, p.same(in.module)))
		case t.as != t.name:
			p.set(t.as, p.add(nameNode, t.name, at))
		}
	}
	if p.language == program.Python {
		p.loadsModules(&in, taken)
	}
	if in.all != "" && in.module != 0 {
		p.set(in.all, p.same(in.module))
	}
	p.taken = p.taken[:in.taken]
	return true
}

// loadsModules notes the modules that an import of Python loads, which may be
// files.
func (p *parser) loadsModules(in *importStatement, taken []rename) {
	if in.module != 0 {
		p.modules = append(p.modules, p.nodes[in.module].text)
		return
	}
	for _, t := range taken {
		p.modules = append(p.modules, t.name)
	}
}

// importList reads up to the end of an import. In Python's from the module comes
// first.
func (p *parser) importList(in *importStatement, first bool) {
	depth := 0
	for p.tok.kind != endToken && !p.tok.is(semicolon) && (!p.tok.line || depth > 0) {
		switch {
		case p.tok.is(brace) || p.tok.is(parenthesis):
			depth++
			p.advance()
		case p.tok.is(closeBrace) || p.tok.is(closeParenthesis):
			depth--
			p.advance()
		case p.tok.is(comma):
			p.advance()
		case p.take(fromWord):
			in.module = p.module()
		case p.tok.kind == nameToken:
			p.taken = append(p.taken, p.rename(!first))
		case p.take(star):
			if p.take(asWord) {
				in.all = p.tok.text
				p.advance()
			}
		default:
			p.expression()
			return
		}
	}
}

// rename reads NAME as OTHER, where the name may have dots.
func (p *parser) rename(dotted bool) rename {
	r := rename{name: p.tok.text}
	p.advance()
	for dotted && p.take(dot) {
		r.name = p.tok.text
		p.advance()
	}
	if r.as = r.name; p.take(asWord) {
		r.as = p.tok.text
		p.advance()
	}
	return r
}

// module reads the name of a module: a literal, or names with dots.
func (p *parser) module() int32 {
	n := p.add(nameNode, strings.TrimPrefix(p.tok.text, "node:"), p.tok.at)
	p.advance()
	for p.take(dot) {
		p.nodes[n].text, p.nodes[n].word = p.tok.text, p.words.find(p.tok.text)
		p.advance()
	}
	return n
}

func (p *parser) setMember(name string, value int32) {
	if v := p.members[name]; len(v) < maxValues {
		p.members[name] = append(v, value)
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
	case memberNode:
		p.setMember(p.nameOf(t.first)+"."+t.text, value)
	case indexNode:
		if key := p.nodes[t.first].next; key != 0 && (p.nodes[key].kind == textNode || p.language == program.Perl && p.nodes[key].kind == nameNode) {
			p.setMember(p.nameOf(t.first)+"."+p.nodes[key].text, value)
		}
	case listNode, blockNode, callNode:
		v := p.nodes[value]
		part, k := v.first, t.first
		if t.kind == callNode { // list($a, $b) of PHP
			if p.nameOf(t.first) != "list" {
				return
			}
			k = p.nodes[t.first].next
		}
		for ; k != 0; k = p.nodes[k].next {
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
			case v.kind == indexNode || v.kind == nameNode || v.kind == memberNode || v.kind == callNode: // my ($x) = @_
				p.assign(k, p.each(value))
			}
		}
	}
}
