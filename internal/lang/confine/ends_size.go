package confine

import (
	"strings"

	"github.com/policyctl/policyctl/internal/support/backtrack"
)

// isVast reports whether a literal is a format that fills the memory, or a regular
// expression that may be tried without end.
func isVast(t token) bool {
	return (t.kind == stringToken || t.kind == patternToken) && (isWide(t.text) || backtrack.Explodes(strings.Trim(t.text, "\"'`/rub")))
}

// doubles reports whether a script adds a text or a list to itself.
func doubles(tokens []token) bool {
	for i := 0; i+2 < len(tokens); i++ {
		name := &tokens[i]
		same := func(at int) bool {
			return at < len(tokens) && tokens[at].kind == nameToken && tokens[at].text == name.text
		}
		if name.kind != nameToken || !same(i+2) {
			continue
		}
		if tokens[i+1].is("+=") || tokens[i+1].is("=") && i+3 < len(tokens) && tokens[i+3].is("+") && same(i+4) {
			return true
		}
	}
	return false
}

// isWide reports whether a format holds a width of so many digits that what is as wide
// fills the memory: %1000000000d, {x:1000000000}.
func isWide(text string) bool {
	for at := range len(text) {
		if c := text[at]; c != '%' && (c != ':' || !inField(text[:at])) {
			continue
		}
		width := strings.TrimLeft(text[at+1:], "-+ #0<>^=.*")
		if len(width)-len(strings.TrimLeft(width, "0123456789")) > maxDigits {
			return true
		}
	}
	return false
}

// inField reports whether a text ends in a field of a format, and not in an object.
func inField(text string) bool {
	field := text[strings.LastIndexByte(text, '{')+1:]
	return len(field) < len(text) && !strings.ContainsAny(field, "\"'} ")
}

// maxDigits is how many digits a width has at most.
const maxDigits = 6

// recurses reports whether a function of a script calls itself more than once, so that each
// call makes several others.
func recurses(text string, tokens []token) bool {
	for i := 0; i+2 < len(tokens); i++ {
		t := &tokens[i]
		defined := i > 0 && (tokens[i-1].is("def") || tokens[i-1].is("function"))
		assigned := tokens[i+1].is("=") && (tokens[i+2].is("lambda") || tokens[i+2].is("function") || arrowFollows(tokens[i+2:]))
		if t.kind != nameToken || !defined && !assigned {
			continue
		}
		body := tokens[i+1:]
		if defined && tokens[i-1].is("def") {
			body = indented(text, body, column(text, &tokens[i-1]))
		} else {
			body = stated(body)
		}
		if calls(body, t.text) > 1 {
			return true
		}
	}
	return false
}

// column returns how far a token is from the beginning of its line.
func column(text string, t *token) int {
	return t.at - 1 - strings.LastIndexByte(text[:min(t.at, len(text))], '\n')
}

// indented returns the tokens up to a line that is no further to the right than a column.
func indented(text string, tokens []token, than int) []token {
	for i := 1; i < len(tokens); i++ {
		if tokens[i-1].kind == lineToken && tokens[i].kind != lineToken && column(text, &tokens[i]) <= than {
			return tokens[:i]
		}
	}
	return tokens
}

// stated returns the tokens of one statement: up to where its first block ends, or the
// statement itself.
func stated(tokens []token) []token {
	depth, block := 0, false
	for i := range tokens {
		switch t := &tokens[i]; {
		case isOpening(t):
			block = block || depth == 0 && t.is("{")
			depth++
		case isClosing(t):
			if depth--; depth < 0 || depth == 0 && block {
				return tokens[:i]
			}
		case depth == 0 && !block && i > 0 && (t.is(";") || t.kind == lineToken || t.line && !tokens[i-1].is("=>")):
			return tokens[:i]
		}
	}
	return tokens
}

// arrowFollows reports whether a function of JavaScript that is an expression begins.
func arrowFollows(tokens []token) bool {
	for i := range tokens[:min(len(tokens), maxParameters)] {
		switch {
		case tokens[i].is("=>"):
			return true
		case tokens[i].is(";"), tokens[i].is("{"), tokens[i].kind == lineToken:
			return false
		}
	}
	return false
}

// maxParameters is how many tokens the parameters of such a function have at most.
const maxParameters = 32

// calls returns how often a function is called.
func calls(tokens []token, name string) (n int) {
	for i := 1; i+1 < len(tokens); i++ {
		if t := &tokens[i]; t.kind == nameToken && t.text == name && tokens[i+1].is("(") && !tokens[i-1].is(".") {
			n++
		}
	}
	return n
}
