package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// ends reports whether a word ends here, before the end of the text.
func (p *plainParser) ends() bool {
	c := p.src[p.at]
	return classes[c] == endsWord || c == '<' || c == '>'
}

// word reads a word, nil if there is none or it is not plain.
func (p *plainParser) word() *syntax.Word {
	first := len(p.parts)
	for p.at < len(p.src) && !p.ends() {
		var part syntax.WordPart
		switch p.src[p.at] {
		case '\'':
			part = p.single()
		case '"':
			part = p.double()
		case '$':
			part = p.dollar()
		default:
			part = p.bare()
		}
		if part == nil {
			return nil
		}
		p.parts = append(p.parts, part)
	}
	if len(p.parts) == first {
		return nil
	}
	w := p.wordOf(p.parts[first:]...)
	p.parts = p.parts[:first]
	return w
}

// bare reads the part of a word up to a quote or an expansion.
func (p *plainParser) bare() syntax.WordPart {
	from := p.at
	for p.at < len(p.src) {
		c := p.src[p.at]
		switch {
		case c == '[' && p.at > from, c == '#' && p.at == from, c == '(', c == '`':
			return nil
		case c == '\\':
			if next := p.peek(1); next == 0 || next == '\n' {
				return nil
			}
			p.at++
		case classes[c] != inWord:
			return p.literal(from, p.at)
		}
		p.at++
	}
	return p.literal(from, p.at)
}

// single reads '…'.
func (p *plainParser) single() syntax.WordPart {
	from := p.at + 1
	n := strings.IndexByte(p.src[from:], '\'')
	if n < 0 {
		return nil
	}
	q := p.nodes.single.new(syntax.SglQuoted{Left: p.pos(p.at), Right: p.pos(from + n), Value: p.src[from : from+n]})
	p.at = from + n + 1
	return q
}

// double reads "…".
func (p *plainParser) double() syntax.WordPart {
	first := len(p.parts)
	q := p.nodes.double.new(syntax.DblQuoted{Left: p.pos(p.at)})
	p.at++
	for from := p.at; p.at < len(p.src); {
		switch p.src[p.at] {
		case '\\':
			if p.peek(1) == '\n' {
				return nil
			}
			p.at += 2
		case '`':
			return nil
		case '$':
			if p.at > from {
				p.parts = append(p.parts, p.literal(from, p.at))
			}
			part := p.dollar()
			if part == nil {
				return nil
			}
			p.parts = append(p.parts, part)
			from = p.at
		case '"':
			if p.at > from {
				p.parts = append(p.parts, p.literal(from, p.at))
			}
			q.Right = p.pos(p.at)
			q.Parts = p.nodes.parts.copy(p.parts[first:])
			p.parts = p.parts[:first]
			p.at++
			return q
		default:
			p.at++
		}
	}
	return nil
}

// dollar reads $NAME, ${NAME} or $(…).
func (p *plainParser) dollar() syntax.WordPart {
	start := p.at
	switch c := p.peek(1); {
	case c == '(':
		return p.substitution()
	case c == '{':
		from := start + 2
		p.at = from
		for IsIdent(p.peek(0)) {
			p.at++
		}
		if p.at == from || p.src[from] <= '9' || p.peek(0) != '}' {
			return nil
		}
		x := p.nodes.parameter.new(syntax.ParamExp{Dollar: p.pos(start), Rbrace: p.pos(p.at), Param: p.literal(from, p.at)})
		p.at++
		return x
	case IsIdent(c) && c > '9':
		p.at++
		for IsIdent(p.peek(0)) {
			p.at++
		}
	case c >= '0' && c <= '9', c == '?', c == '@', c == '#', c == '*', c == '$', c == '!', c == '-':
		p.at += 2
	default:
		return nil
	}
	return p.nodes.parameter.new(syntax.ParamExp{Dollar: p.pos(start), Short: true, Param: p.literal(start+1, p.at)})
}

// substitution reads $(…).
func (p *plainParser) substitution() syntax.WordPart {
	if p.depth++; p.depth > maxPlain || len(p.docs) > 0 || p.peek(2) == '(' {
		return nil
	}
	x := p.nodes.subst.new(syntax.CmdSubst{Left: p.pos(p.at)})
	p.at += 2
	list, ok := p.list()
	if !ok || p.peek(0) != ')' {
		return nil
	}
	x.Stmts, x.Right = list, p.pos(p.at)
	p.at++
	p.depth--
	return x
}
