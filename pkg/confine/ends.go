package confine

import (
	"github.com/policyctl/policyctl/pkg/program"
)

// Ends reports whether a script that [Read] has confined waits for nothing and has
// no loop but those that go through something, or that compare at each turn.
func Ends(text string, language program.Language) bool {
	if language == program.Python {
		l := pythonLexer{src: text}
		return l.read() == nil && pythonEnds(spread(l.tokens))
	}
	l := javascriptLexer{src: text}
	return l.read(false) == nil && javascriptEnds(spreadTemplates(l.tokens))
}

// pythonEnds takes count, cycle and repeat for those of itertools where a script
// has that module.
func pythonEnds(tokens []token) bool {
	iterates, endless := false, false
	for i := range tokens {
		if tokens[i].kind != nameToken {
			continue
		}
		switch tokens[i].text {
		case "while", "sleep", "iter":
			return false
		case "itertools":
			iterates = true
		case "count", "cycle", "repeat":
			endless = true
		}
	}
	return !iterates || !endless
}

// javascriptEnds refuses the for of three parts where the second compares nothing.
func javascriptEnds(tokens []token) bool {
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.kind != nameToken:
		case t.text == "while" || t.text == "do":
			return false
		case t.text == "for" && !comparesOrGoesThrough(tokens[i+1:]):
			return false
		}
	}
	return true
}

// comparesOrGoesThrough reports so of the head of a for, which the tokens begin
// with.
func comparesOrGoesThrough(tokens []token) bool {
	depth, part := 0, 0
	for i := range tokens {
		t := &tokens[i]
		switch {
		case isOpening(t):
			depth++
		case isClosing(t):
			if depth--; depth == 0 {
				return part == 0
			}
		case depth == 1 && t.is(";"):
			part++
		case depth == 1 && part == 1 && (t.is("<") || t.is(">") || t.is("<=") || t.is(">=")):
			return true
		}
	}
	return false
}
