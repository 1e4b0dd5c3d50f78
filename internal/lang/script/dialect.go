package script

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// pipe reads what AWK prints to, or gets from, a program.
func (p *parser) pipe(left, at int32) int32 {
	if p.take(getlineWord) {
		var holder int32 // of the line
		if p.tok.kind == nameToken && !p.stops() {
			holder = p.join()
		}
		n := p.invoke("getline", at, left)
		p.assign(holder, p.same(n))
		return n
	}
	p.nodes[left].text = redirected
	return p.invoke("print|", at, p.join(), p.same(left))
}

// getline reads AWK's getline, behind which a variable and a file may stand.
func (p *parser) getline() int32 {
	at := p.tok.at
	p.advance()
	if p.tok.kind == nameToken && !p.stops() || p.tok.is(dollar) {
		p.unary() // where the line goes
	}
	if !p.take(less) {
		return p.add(unknownNode, "", at)
	}
	return p.invoke("getline<", at, p.unary())
}

// prints reports whether a node is a call of AWK that prints, which > leads to a
// file.
func (p *parser) prints(n int32) bool {
	if p.language != program.AWK {
		return false
	}
	name := p.nameOf(n)
	return name == "print" || name == "printf"
}

// isValue reports whether a node is no word of AWK's own.
func (p *parser) isValue(n int32) bool {
	switch k := p.nodes[n].kind; k {
	case nameNode:
		return !p.nodeIn(n, actions)
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
		return !p.tok.in(loopers|choosers|binaryWords) && !p.tok.is(getlineWord)
	}
	return p.tok.is(parenthesis) || p.tok.is(dollar)
}

// tells reads the commands of AppleScript that run a line: do shell script, do
// script.
func (p *parser) tells() int32 {
	at := p.tok.at
	p.advance()
	p.take(shellWord)
	if !p.take(scriptWord) {
		return p.add(nameNode, "do", at)
	}
	return p.invoke("do script", at, p.join())
}

// readsHandle reads <STDIN> of Perl, or a pattern for files: </tmp/*>. or a pattern for files: </tmp/*>.
func (p *parser) readsHandle() int32 {
	at := p.tok.at
	rest := p.src[p.at:p.end]
	if end := strings.IndexAny(rest, ">\n \t"); end > 0 && rest[end] == '>' && strings.ContainsAny(rest[:end], "/*~") {
		p.at += end + 1
		p.operand = true
		p.advance()
		return p.invoke("glob", at, p.add(textNode, rest[:end], at))
	}
	p.advance()
	if p.tok.kind == nameToken {
		p.advance()
	}
	p.take(greater)
	return p.add(nameNode, "STDIN", at)
}
