package shell

import "mvdan.cc/sh/v3/syntax"

// An agreement compares what the parser made of a text with the marks of the
// scanner: each of the parser's words, operators, redirections, quotations,
// expansions and here-documents must stand where the scanner has one, no
// command may hold the beginning of another, and at the end nothing that the
// scanner found may be left over.
//
// On the way it notes the first construct that the shells which may run the
// text read differently.
type agreement struct {
	src   string
	marks []mark
	tally tally
	fails bool
	at    int // where it fails first

	shells    Shells
	diverges  bool
	construct ConstructID
	from, to  syntax.Pos
	contents  bool // the substitution is $(<f)
	quoted    bool // within double quotes, or a here-document
	assigning bool // the word is the value of an assignment
}

func (a *agreement) fail(at syntax.Pos) {
	if !a.fails {
		a.fails, a.at = true, int(at.Offset())
	}
}

// has checks that all of m is marked at a place.
func (a *agreement) has(at syntax.Pos, m mark) {
	if n := int(at.Offset()); !at.IsValid() || n >= len(a.marks) || a.marks[n]&m != m {
		a.fail(at)
	}
}

// lacks checks that none of m is marked at a place.
func (a *agreement) lacks(at syntax.Pos, m mark) {
	if n := int(at.Offset()); n >= len(a.marks) || a.marks[n]&m != 0 {
		a.fail(at)
	}
}

// span checks that a word stands from one place to another.
func (a *agreement) span(from, to syntax.Pos) {
	a.has(from, wordStart)
	a.has(to, wordEnd)
	a.tally.words++
}

// keyword checks that a word of n bytes begins at a place.
func (a *agreement) keyword(at syntax.Pos, n int) {
	a.has(at, wordStart)
	if end := int(at.Offset()) + n; end >= len(a.marks) || a.marks[end]&wordEnd == 0 {
		a.fail(at)
	}
	a.tally.words++
}

// pair checks the delimiters of a quotation or an expansion.
func (a *agreement) pair(left, right syntax.Pos) {
	a.has(left, opening)
	a.has(right, closing)
	a.tally.openings++
}

// uses notes a construct.
func (a *agreement) uses(c ConstructID, from, to syntax.Pos) {
	if a.shells.Differ(c) && !a.diverges {
		a.diverges, a.construct, a.from, a.to = true, c, from, to
	}
}
