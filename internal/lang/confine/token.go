package confine

import "strings"

// A kind is what a token is.
type kind uint8

const (
	endToken kind = iota
	nameToken
	numberToken
	stringToken
	operatorToken
	lineToken    // the end of a statement's line
	patternToken // a regular expression
)

// A token is one of a script. The text of a string is its source.
type token struct {
	kind kind
	text string
	at   int
	// value is that of a string, if plain.
	value string
	plain bool
	// parts are those of a string with values in it.
	parts []part
	// match is the index of the bracket that belongs to this one.
	match int
	// line says that a line begins before it.
	line bool
}

// A part of a string is text, or a value.
type part struct {
	text   string
	tokens []token // nil for text
	// bare says that the value is put in as it is.
	bare bool
}

func (t *token) is(text string) bool {
	return t.text == text && (t.kind == operatorToken || t.kind == nameToken)
}

func isNameStart(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNamePart(c byte) bool { return isNameStart(c) || isDigit(c) }

// words is a set of words.
type words map[string]bool

func wordsOf(text string) words {
	w := words{}
	for f := range strings.FieldsSeq(text) {
		w[f] = true
	}
	return w
}

// brackets sets which brackets belong together.
func brackets(tokens []token) *Refusal {
	var open []int
	for i := range tokens {
		t := &tokens[i]
		if t.kind != operatorToken {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if len(open) == 0 || tokens[open[len(open)-1]].text != map[string]string{")": "(", "]": "[", "}": "{"}[t.text] {
				return refuse(t, "its brackets do not match")
			}
			from := open[len(open)-1]
			t.match, tokens[from].match = from, i
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return refuse(&tokens[open[0]], "its brackets do not match")
	}
	return nil
}

func refuse(t *token, why string) *Refusal {
	return &Refusal{Why: why, From: t.at, To: t.at + len(t.text)}
}

// maxShown bounds what a refusal quotes.
const maxShown = 40

func shown(text string) string {
	if len(text) > maxShown {
		return text[:maxShown] + "…"
	}
	return text
}
