// Package backtrack finds regular expressions for which an engine that goes back and
// tries again may take time without bound: a repeated group that can match a text in
// many ways, such as (a+)+ and (a|a)*.
//
// It is a rule of thumb over the syntax that such engines share, and no proof: it runs
// nothing, and knows no text that is searched.
package backtrack

import "strings"

// Explodes reports whether a pattern has a repeated group that can match one text in
// many ways.
func Explodes(pattern string) bool {
	p := parser{text: pattern}
	for p.at < len(p.text) {
		p.alternatives(0)
		p.at++ // a parenthesis that closes nothing
	}
	return p.found
}

// maxDepth bounds how deep groups nest that are told apart; deeper ones count as found.
const maxDepth = 64

type parser struct {
	text  string
	at    int
	found bool
}

// alternatives reads what is in a group, and reports whether to repeat it can match a
// text in many ways.
func (p *parser) alternatives(depth int) (loose bool) {
	if depth > maxDepth {
		p.found, p.at = true, len(p.text)
		return true
	}
	var firsts []string
	for {
		from := p.at
		branch := p.branch(depth)
		loose = loose || branch
		first := firstOf(p.text[from:p.at])
		for _, other := range firsts {
			loose = loose || overlap(first, other)
		}
		firsts = append(firsts, first)
		if p.at >= len(p.text) || p.text[p.at] != '|' {
			return loose
		}
		p.at++
	}
}

// branch reads a sequence, and reports whether all that it must match may be of any length.
func (p *parser) branch(depth int) bool {
	loops, solid := 0, 0
	for p.at < len(p.text) && p.text[p.at] != '|' && p.text[p.at] != ')' {
		isLoose := p.atom(depth)
		unbounded, optional, possessive := p.quantifier()
		p.found = p.found || isLoose && unbounded && !possessive
		switch {
		case unbounded || isLoose:
			loops++
		case !optional:
			solid++
		}
	}
	return loops > 0 && solid == 0
}

// atom reads what a quantifier may stand behind, and reports whether it is a group that can
// match a text in many ways.
func (p *parser) atom(depth int) (loose bool) {
	switch p.text[p.at] {
	case '\\':
		p.at = min(p.at+2, len(p.text))
	case '[':
		p.class()
	case '(':
		if p.at++; strings.HasPrefix(p.text[p.at:], "?") {
			p.at += strings.IndexAny(p.text[p.at:]+":", ":=!>)")
			p.at = min(p.at+1, len(p.text))
		}
		loose = p.alternatives(depth + 1)
		if p.at < len(p.text) {
			p.at++
		}
	default:
		p.at++
	}
	return loose
}

// class passes a class in brackets.
func (p *parser) class() {
	p.at++
	for first := p.at; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\\':
			p.at++
		case c == ']' && p.at > first && p.text[first:p.at] != "^":
			p.at++
			return
		}
	}
	p.at = min(p.at, len(p.text))
}

// quantifier reads how often something is repeated.
func (p *parser) quantifier() (unbounded, optional, possessive bool) {
	if p.at >= len(p.text) {
		return false, false, false
	}
	switch p.text[p.at] {
	case '*':
		unbounded, optional = true, true
	case '+':
		unbounded = true
	case '?':
		optional = true
	case '{':
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			return false, false, false
		}
		inner := p.text[p.at+1 : p.at+end]
		unbounded, optional = strings.HasSuffix(inner, ",") || len(inner) > 2, strings.HasPrefix(inner, "0") || strings.HasPrefix(inner, ",")
		p.at += end
	default:
		return false, false, false
	}
	if p.at++; p.at < len(p.text) && (p.text[p.at] == '?' || p.text[p.at] == '+') {
		possessive = p.text[p.at] == '+'
		p.at++
	}
	return unbounded, optional, possessive
}

// firstOf returns what a branch begins with: a sign, a class, or an escape.
func firstOf(branch string) string {
	switch {
	case branch == "":
		return ""
	case branch[0] == '\\':
		return branch[:min(2, len(branch))]
	case branch[0] == '[':
		p := parser{text: branch}
		p.class()
		return branch[:p.at]
	}
	return branch[:1]
}

// overlap reports whether two beginnings may match the same character.
func overlap(a, b string) bool {
	return a != "" && a == b && a != "(" || a == "." && b != "" || b == "." && a != ""
}
