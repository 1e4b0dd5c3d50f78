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

// A script is what is read of one, whatever its language.
type script struct {
	tokens []token
	out    []Access
}

// at returns a token; before the first and behind the last it is the end.
func (s *script) at(i int) *token {
	if i < 0 || i >= len(s.tokens) {
		return &token{}
	}
	return &s.tokens[i]
}

// beyond returns the index of the bracket that closes the one at i, or i.
func (s *script) beyond(i int) int {
	if t := s.at(i); isOpening(t) {
		return t.match
	}
	return i
}

// split splits what lies between two brackets at its commas.
func (s *script) split(from, to int) (out []span) {
	begin := from
	for i := from; i < to; i++ {
		if i = s.beyond(i); s.at(i).is(",") {
			out = append(out, span{begin, i})
			begin = i + 1
		}
	}
	if begin < to {
		out = append(out, span{begin, to})
	}
	return out
}

// opens notes that the script opens, at a token, the files that an expression may name.
// They must be known.
func (s *script) opens(t *token, places []place, known bool, act Act) *Refusal {
	if !known || len(places) == 0 {
		return refuse(t, "which file it opens is unknown")
	}
	for _, p := range places {
		if p.text == "" || p.joined && act != Reads {
			return refuse(t, "which file it opens is unknown")
		}
		s.out = append(s.out, Access{Path: p.text, Each: p.each, Act: act, At: t.at})
	}
	return nil
}

func isOpening(t *token) bool {
	return t.kind == operatorToken && (t.text == "(" || t.text == "[" || t.text == "{")
}

func isClosing(t *token) bool {
	return t.kind == operatorToken && (t.text == ")" || t.text == "]" || t.text == "}")
}

// brackets sets which brackets belong together.
func brackets(tokens []token) *Refusal {
	var open []int
	for i := range tokens {
		switch t := &tokens[i]; {
		case isOpening(t):
			open = append(open, i)
		case isClosing(t):
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
