package script

import (
	"github.com/policyctl/policyctl/pkg/program"
)

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

func (p *parser) statement() {
	for p.tok.in(skipped) && !p.tok.nameEnds && !(p.tok.text == "do" && (p.language == program.AppleScript || p.language == program.Perl)) {
		p.advance()
	}
	from := p.here()
	switch {
	case p.tok.kind == nameToken && (p.tok.text == "while" || p.tok.text == "until"):
		p.while(from)
	case p.tok.kind == nameToken && (p.tok.text == "for" || p.tok.text == "foreach"):
		p.forLoop(from)
	case p.defines(&p.tok):
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
		case p.tok.text == "as" && p.language == program.Python && n != 0: // with open(…) as f
			p.advance()
			p.assign(p.join(), p.same(n))
		case p.tok.text == "redo":
			p.loop(p.block, p.block, true, 0)
			p.advance()
		default:
			return n
		}
	}
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

// nameOf returns the last name of what a node calls or names.
func (p *reading) nameOf(n int32) string {
	for range maxChain {
		if d := &p.nodes[n]; d.kind != callNode && d.kind != sameNode && (d.kind != listNode || d.first != d.last || d.first == 0) {
			break
		}
		n = p.nodes[n].first
	}
	if k := p.nodes[n].kind; k == nameNode || k == memberNode {
		return p.nodes[n].text
	}
	return ""
}
