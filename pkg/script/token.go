package script

import (
	"strings"
	"sync"
)

// A tokenKind says what a token is.
type tokenKind uint8

const (
	endToken      tokenKind = iota
	nameToken               // a name, behind $ where that marks it as a variable
	numberToken             // a number
	textToken               // a literal
	commandToken            // a literal that is run as a line for a shell
	wordsToken              // a literal that is a list of words
	patternToken            // a regular expression
	operatorToken           // anything else
)

// A token is a word or a sign of a program.
type token struct {
	kind tokenKind
	// gap and line say that blanks, or the end of a line, are before it.
	gap, line bool
	// indent is how many columns its line is indented.
	indent   int32
	at, end  int32
	text     string
	pieces   []piece
	nameEnds bool // it is a name with a colon directly behind it
}

// A piece is a part of a literal: text, or an expression between two offsets.
type piece struct {
	text     string
	from, to int32
}

// is reports whether a token is an operator.
func (t *token) is(operator string) bool { return t.kind == operatorToken && t.text == operator }

// in reports whether a token is one of some names.
func (t *token) in(words *wordSet) bool { return t.kind == nameToken && words.has(t.text) }

// A wordSet is a set of names, which is made when it is first asked.
type wordSet struct {
	list string // blanks between
	once sync.Once
	set  map[string]bool
}

func (s *wordSet) has(name string) bool {
	s.once.Do(func() {
		s.set = map[string]bool{}
		for w := range strings.FieldsSeq(s.list) {
			s.set[w] = true
		}
	})
	return s.set[name]
}
