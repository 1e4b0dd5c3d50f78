package script

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
	replaceToken            // a program that makes what stands in the place of one
	operatorToken           // anything else
)

// A token is a word or a sign of a program.
type token struct {
	kind tokenKind
	// gap and line say that blanks, or the end of a line, are before it.
	gap, line bool
	nameEnds  bool // it is a name with a colon directly behind it
	// mark, word and traits are what is known of its name or its sign.
	mark   mark
	word   uint16
	traits traits
	// indent is how many columns its line is indented.
	indent int32
	at     int32
	text   string
	// from and to bound the pieces of a literal that has some.
	from, to int32
}

// A piece is a part of a literal: text, or an expression between two offsets.
type piece struct {
	text     string
	from, to int32
}

// is reports whether a token is the word or the sign that has a mark.
func (t *token) is(m mark) bool { return t.mark == m }

// in reports whether a token is one of a set of words or signs.
func (t *token) in(set traits) bool { return t.traits&set != 0 }
