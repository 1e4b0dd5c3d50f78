package script

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// trailingFor reads the rest of a loop whose body comes first, of Python and of Perl.
func (p *parser) trailingFor(from int32) {
	if p.language == program.Python {
		names := p.targets()
		p.take(inWord)
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
	for p.tok.kind != endToken && !p.tok.is(colon) && !(p.tok.kind == nameToken && (p.tok.is(inWord) || p.tok.is(ofWord))) && p.nodes[list].last-list < 64 {
		if p.tok.kind == nameToken && !p.tok.in(skipped) {
			p.append(list, p.add(nameNode, p.tok.text, p.tok.at))
		} else if p.tok.is(parenthesis) && p.nodes[list].last != 0 {
			break // of Perl: for my $x (…)
		} else if p.tok.kind == operatorToken && !p.tok.is(comma) && !p.tok.is(parenthesis) && !p.tok.is(closeParenthesis) && !p.tok.is(star) && !p.tok.is(bracket) && !p.tok.is(closeBracket) {
			break
		}
		p.advance()
	}
	return list
}

func (p *parser) while(from int32) {
	until, indent := p.tok.is(untilWord), p.tok.indent
	p.advance()
	p.inHead = true
	cond := p.condition()
	endless := p.endless(cond, until)
	p.counts(cond)
	p.inHead = false
	for p.take(semicolon) {
	}
	body := p.here()
	p.body(indent)
	p.loop(from, body, endless, 0)
}

// counts notes that a name holds one number after another of very many, where the
// condition of a loop compares it with a large one, or it begins with one.
func (p *parser) counts(cond int32) {
	d := p.nodes[cond]
	if d.kind == listNode && d.first == d.last && d.first != 0 {
		d = p.nodes[d.first]
	}
	name := &p.nodes[d.first]
	if d.kind != unknownNode || d.first == 0 || d.first == d.last || name.kind != nameNode {
		return
	}
	if held := p.vars(name.text); p.isLarge(d.last) || len(held) > 0 && p.isLarge(held[0]) {
		p.set(name.text, p.add(textNode, Many, name.at))
	}
}

// isLarge reports whether a node is a number that counts many, as it is written.
func (p *parser) isLarge(n int32) bool {
	v, ok := integer(p.nodes[n].text)
	return p.nodes[n].kind == textNode && ok && v >= wide
}

// condition reads what a loop depends on, which stands in parentheses where a
// statement may follow in the same line.
func (p *parser) condition() int32 {
	if p.tok.is(parenthesis) && !p.indents && !p.ends {
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
	if p.tok.is(parenthesis) {
		names, list, endless = p.forHead(0)
		if p.take(inWord) { // for (root, dirs, files) in walkdir("/") of Julia
			names, list = list, p.expression()
		}
		p.foreach(list)
	} else {
		if names = p.targets(); p.take(inWord) || p.take(ofWord) {
			list = p.sequence(from)
		} else if p.tok.is(parenthesis) {
			names, list, endless = p.forHead(names)
		} else if p.take(equals) { // of Lua
			p.sequence(from)
		}
		endless = endless || p.endlessList(list)
	}
	p.inHead = false
	p.goThrough(names, list)
	for p.take(semicolon) {
	}
	body := p.here()
	p.body(indent)
	p.loop(from, body, endless, list)
}

// foreach notes the call foreach(f, list), which looks like the head of a loop.
func (p *parser) foreach(list int32) {
	d := p.nodes[list]
	if p.language != program.NoLanguage || d.kind != listNode || d.first == 0 || p.nodes[d.first].kind != nameNode || p.nodes[d.first].next != d.last {
		return
	}
	p.invoke("foreach", d.at, d.first, d.last)
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
	if !p.tok.is(semicolon) {
		first = p.sequence(p.here())
	}
	switch {
	case p.take(semicolon):
		if endless = p.tok.is(semicolon); !endless {
			cond := p.expression()
			endless = p.endless(cond, false)
			p.counts(cond)
		}
	case p.tok.kind == nameToken && (p.tok.is(inWord) || p.tok.is(ofWord)):
		p.advance()
		names, list = first, p.expression()
		endless = p.endlessList(list)
	case p.take(asWord):
		names, list = p.sequence(p.here()), first
	default:
		if list = first; names == 0 {
			names = p.add(nameNode, "$_", p.tok.at)
		}
	}
	for p.tok.kind != endToken && !p.tok.is(closeParenthesis) && !p.tok.is(brace) {
		at := p.tok.at
		if p.sequence(p.here()); p.tok.at == at {
			p.advance()
		}
	}
	p.brackets--
	p.take(closeParenthesis)
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
