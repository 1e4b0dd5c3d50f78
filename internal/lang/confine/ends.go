package confine

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// Ends reports whether a script that [Read] has confined waits for nothing and has
// no loop but those that go through something, or that compare at each turn. A large
// number that counts or multiplies is taken for a loop that goes on.
func Ends(text string, language program.Language) bool {
	if language == program.Python {
		l := pythonLexer{src: text}
		if l.read() != nil {
			return false
		}
		tokens := spread(l.tokens)
		return pythonEnds(tokens) && modest(text, tokens)
	}
	l := javascriptLexer{src: text}
	if l.read(false) != nil {
		return false
	}
	tokens := spreadTemplates(l.tokens)
	return javascriptEnds(tokens) && modest(text, tokens)
}

// modest reports whether a script neither counts far, nor multiplies or raises to what
// fills the memory, nor adds to the list that it goes through.
func modest(text string, tokens []token) bool {
	large, counts := false, false
	through := gone(tokens)
	if recurses(text, tokens) || doubles(tokens) || slices.ContainsFunc(tokens, isVast) {
		return false
	}
	for i := range tokens {
		t := &tokens[i]
		if t.kind == numberToken {
			large = large || isLarge(t.text)
			continue
		}
		switch t.text {
		case "*", "*=", "range", "repeat", "zfill", "ljust", "rjust", "center", "padStart", "padEnd", "Array", "fill", "bytes", "bytearray", "length", "factorial", "comb", "perm", "alloc":
			counts = true
		case "append", "appendleft", "extend", "extendleft", "insert", "push", "unshift", "splice", "add", "set":
			if i > 1 && tokens[i-1].is(".") && through[tokens[i-2].text] {
				return false
			}
		case "+=":
			if i > 0 && through[tokens[i-1].text] {
				return false
			}
		case "permutations", "combinations", "product":
			counts, large = true, large || hasOver(tokens, maxChosen)
		case "pow", "**=", "<<=":
			return false
		case "**", "<<":
			if i+2 >= len(tokens) || tokens[i+1].kind != numberToken || len(tokens[i+1].text) > 2 || tokens[i+2].is("**") || t.is("<<") && (tokens[i+2].is("<<") || tokens[i+2].is("*")) {
				return false
			}
			base, _ := strconv.ParseFloat(tokens[max(i-1, 0)].text, 64)
			exponent, _ := strconv.ParseFloat(tokens[i+1].text, 64)
			large = large || math.Pow(base, exponent) > maxCount
		}
	}
	return !large || !counts
}

// maxChosen is of how many things all orders are still made.
const maxChosen = 9

// hasOver reports whether a script has a number over a limit.
func hasOver(tokens []token, limit float64) bool {
	return slices.ContainsFunc(tokens, func(t token) bool {
		n, err := strconv.ParseFloat(t.text, 64)
		return t.kind == numberToken && (err != nil || n > limit)
	})
}

// gone returns the names of what the loops of a script go through as it is, rather
// than through a copy or a part of it.
func gone(tokens []token) words {
	names, head := words{}, false
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.is("for"):
			head = true
		case head && (t.is("in") || t.is("of")):
			head = false
			names.gather(tokens[i+1:])
		}
	}
	return names
}

// gather adds the names of what one loop goes through, with which the tokens begin.
func (w words) gather(tokens []token) {
	for i, depth := 0, 0; i+1 < len(tokens); i++ {
		t, next := &tokens[i], &tokens[i+1]
		switch {
		case t.is("[") || t.is("{"):
			i += closing(tokens[i:])
		case isOpening(t):
			depth++
		case isClosing(t):
			if depth--; depth < 0 {
				return
			}
		case t.kind == lineToken || depth == 0 && (t.is(":") || t.is("if") || t.is("for")):
			return
		case t.kind != nameToken:
		case next.is("("):
			if !isLazy(t.text) {
				i += 1 + closing(tokens[i+1:])
			}
		case next.is("."):
			if i+3 < len(tokens) && isView(tokens[i+2].text) && tokens[i+3].is("(") {
				w[t.text] = true
			}
		case !next.is("["):
			w[t.text] = true
		}
	}
}

// closing returns the index of the bracket that closes the first token, or of the
// last one.
func closing(tokens []token) int {
	depth := 0
	for i := range tokens {
		if isOpening(&tokens[i]) {
			depth++
		} else if isClosing(&tokens[i]) {
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return len(tokens) - 1
}

// isLazy reports whether a function goes through its arguments only as a loop does.
func isLazy(name string) bool {
	switch name {
	case "enumerate", "zip", "map", "filter":
		return true
	}
	return false
}

// isView reports whether a method returns what changes with its value.
func isView(name string) bool {
	switch name {
	case "keys", "values", "entries", "items":
		return true
	}
	return false
}

// isLarge reports whether a number is more than a script counts to in a second.
func isLarge(number string) bool {
	number = strings.TrimSuffix(strings.ReplaceAll(number, "_", ""), "n")
	if n, err := strconv.ParseUint(number, 0, 64); err == nil {
		return n > maxCount
	}
	f, err := strconv.ParseFloat(number, 64)
	return err != nil || f > maxCount
}

const maxCount = 10_000_000

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
	depth, part, compares, less := 0, 0, false, false
	for i := range tokens {
		t := &tokens[i]
		switch {
		case isOpening(t):
			depth++
		case isClosing(t):
			if depth--; depth == 0 {
				return part == 0 || compares && part == 2 && !tokens[i-1].is(";")
			}
		case depth == 1 && t.is(";"):
			part++
		case depth == 1 && part == 1 && (t.is("<") || t.is(">") || t.is("<=") || t.is(">=")):
			compares, less = true, t.is("<") || t.is("<=")
		case depth == 1 && part == 2 && (less && (t.is("--") || t.is("-=")) || !less && (t.is("++") || t.is("+="))):
			return false // away from its bound
		}
	}
	return false
}
