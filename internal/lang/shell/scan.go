package shell

import (
	"strings"
)

// The bounds of a text. What lies beyond is unreadable, never cut off.
const (
	MaxSource  = 128 << 10 // bytes of a line
	MaxNesting = 200       // syntax within syntax
	maxFrames  = 3000      // call frames of the parser
)

// A mark says what begins or ends at a byte of a text; a set of flags.
type mark uint16

const (
	wordStart  mark = 1 << iota
	wordEnd         // the byte behind a word
	first           // with it begins a command
	redirects       // a redirection's operator, without the descriptor
	descriptor      // beside redirects: a descriptor stands before it
	operator        // a control operator
	doubled         // beside operator: it is && or ||, or |&
	opening         // a quotation or an expansion
	closing         // the last delimiter of one
	bodyStart       // the body of a here-document
	bodyEnd         // the byte behind its delimiter
)

// A scanner divides a text into comments, words, operators, redirections,
// quotations, expansions and here-documents. It shares no code with the parser
// and knows nothing of what the parser made of the text: a line counts as read
// only where the two agree. What it does not follow, such as a backquote that
// needs a backslash, it gives up on.
//
// It divides as bash does. Aliases, and words that an expansion yields, are
// not its business.
type scanner struct {
	src   string
	at    int
	end   int // of the part of src that is scanned
	depth int
	marks []mark
	// continued are the backslashes at the ends of comments.
	continued []int
	docs      []document // whose bodies have not begun
	levels    []level
	tally     tally
	commands  int // places where a command begins, at least
	lastAt    int // of these, the last
}

// A tally counts what a text is made of.
type tally struct{ words, redirects, openings, bodies, backgrounds int }

// A document is a here-document that waits for its body.
type document struct {
	delimiter    string
	quoted, tabs bool
}

// scan scans a text. It reports whether it could follow it to the end.
func (s *scanner) scan(src string) bool {
	s.src, s.at, s.end, s.depth, s.tally, s.commands, s.lastAt = src, 0, len(src), 0, tally{}, 0, 0
	s.docs, s.levels, s.continued = s.docs[:0], s.levels[:0], s.continued[:0]
	if cap(s.marks) <= len(src) {
		s.marks = make([]mark, max(256, 2*len(src)))
	}
	s.marks = s.marks[:len(src)+1]
	clear(s.marks)
	return s.list(0)
}

// What a byte may be the beginning of, for the scanner of words.
const (
	inWord   uint8 = iota
	endsWord       // ends a word wherever it stands
	special        // has a meaning of its own within a word
)

var classes = func() (c [256]uint8) {
	for _, b := range " \t\n;&|)" {
		c[b] = endsWord
	}
	for _, b := range "\\'\"`$<>(" {
		c[b] = special
	}
	return c
}()

// blanks passes blanks and continued lines.
func (s *scanner) blanks() {
	for s.at < s.end {
		switch c := s.src[s.at]; {
		case c == ' ' || c == '\t':
			s.at++
		case c == '\\' && s.peek(1) == '\n':
			s.at += 2
		default:
			return
		}
	}
}

// peek returns a byte ahead, 0 behind the end.
func (s *scanner) peek(n int) byte {
	if s.at+n < s.end {
		return s.src[s.at+n]
	}
	return 0
}

// comment passes a comment. A backslash at its end continues nothing, which the
// parser has to be told; see plain.
func (s *scanner) comment() {
	n := strings.IndexByte(s.src[s.at:s.end], '\n')
	if n < 0 {
		s.at = s.end
		return
	}
	if s.at += n; s.src[s.at-1] == '\\' {
		s.continued = append(s.continued, s.at-1)
	}
}

// IsPlain returns the text for the parser, which takes a backslash at the end of
// a comment for a continued line: for it, the comment ends with another byte.
func (s *scanner) plain() string {
	if len(s.continued) == 0 {
		return s.src
	}
	src := []byte(s.src)
	for _, at := range s.continued {
		src[at] = '#'
	}
	return string(src)
}

// quotation passes text up to a delimiter, which a backslash can quote where
// escapes is true.
func (s *scanner) quotation(start, from int, delimiter byte, escapes bool) bool {
	s.open(start)
	for s.at = from; s.at < s.end; s.at++ {
		switch c := s.src[s.at]; {
		case c == delimiter:
			s.close()
			return true
		case c == '\\' && escapes:
			s.at++
		}
	}
	return false
}

func (s *scanner) open(at int) {
	s.marks[at] |= opening
	s.tally.openings++
}

// close marks and passes the last delimiter.
func (s *scanner) close() {
	s.marks[s.at] |= closing
	s.at++
}

// double passes the text of double quotes, from behind the first.
func (s *scanner) double(start int) bool {
	s.open(start)
	for s.at < s.end {
		switch s.src[s.at] {
		case '"':
			s.close()
			return true
		case '\\':
			s.at += 2
		case '$':
			if !s.dollar(true) {
				return false
			}
		case '`':
			if !s.backquote(true) {
				return false
			}
		default:
			s.at++
		}
	}
	return false
}

// dollar passes an expansion, or the dollar where there is none.
func (s *scanner) dollar(quoted bool) bool {
	start := s.at
	switch next := s.peek(1); {
	case next == '(' && s.peek(2) == '(':
		return s.arithmetic(start, 3)
	case next == '(':
		return s.substitution(start)
	case next == '{':
		return s.parameter(quoted)
	case next == '[':
		return s.brackets()
	case next == '\'' && !quoted:
		return s.quotation(start, start+2, '\'', true)
	case next == '"' && !quoted:
		s.at += 2
		return s.double(start)
	case next == '\\' && s.peek(2) == '\n':
		return false // what the dollar begins stands on the next line
	}
	s.at++
	return true
}

// substitution passes $(…), <(…) or >(…).
func (s *scanner) substitution(start int) bool {
	s.open(start)
	s.at = start + 2
	if !s.list(')') {
		return false
	}
	s.close()
	return true
}

// backquote passes `…`. Where backslashes would have to be taken out of it
// first, or it holds double quotes within double quotes, shells differ.
func (s *scanner) backquote(quoted bool) bool {
	start := s.at
	stop := -1
	for i := start + 1; i < s.end && stop < 0; i++ {
		switch s.src[i] {
		case '`':
			stop = i
		case '\\':
			if i++; i < s.end && (strings.IndexByte("$`\\\n", s.src[i]) >= 0 || quoted && s.src[i] == '"') {
				return false
			}
		case '"':
			if quoted {
				return false
			}
		}
	}
	if stop < 0 {
		return false
	}
	s.open(start)
	end := s.end
	s.at, s.end = start+1, stop
	ok := s.list('`')
	s.end = end
	if !ok {
		return false
	}
	s.close()
	return true
}

// arithmetic passes what ends with )) from behind the two parentheses that
// begin it.
func (s *scanner) arithmetic(start, delimiter int) bool {
	s.open(start)
	s.at = start + delimiter
	for depth := 0; s.at < s.end; {
		switch s.src[s.at] {
		case '(':
			depth++
			s.at++
		case ')':
			if depth == 0 {
				if s.peek(1) != ')' {
					return false
				}
				s.close()
				s.at++
				return true
			}
			depth--
			s.at++
		case '\'':
			return false
		case '\\':
			if s.peek(1) != '\n' {
				return false
			}
			s.at++
		default:
			if !s.expansion() {
				return false
			}
		}
	}
	return false
}

// expansion passes one byte, or the quotation or expansion that begins there,
// where double quotes are around it or might as well be.
func (s *scanner) expansion() bool {
	switch s.src[s.at] {
	case '"':
		s.at++
		return s.double(s.at - 1)
	case '$':
		return s.dollar(true)
	case '`':
		return s.backquote(true)
	}
	s.at++
	return true
}

// brackets passes the arithmetic of $[…].
func (s *scanner) brackets() bool {
	s.open(s.at)
	s.at += 2
	for depth := 0; s.at < s.end; {
		switch c := s.src[s.at]; {
		case c == '[':
			depth++
			s.at++
		case c == ']' && depth == 0:
			s.close()
			return true
		case c == ']':
			depth--
			s.at++
		case c == '\'' || c == '\\':
			return false
		default:
			if !s.expansion() {
				return false
			}
		}
	}
	return false
}

// parameter passes ${…}. Single quotes within double quotes only quote where
// the word is a pattern.
func (s *scanner) parameter(quoted bool) bool {
	s.open(s.at)
	s.at += 2
	if strings.IndexByte(" \t\n|", s.peek(0)) >= 0 {
		return false // the commands of mksh's and ksh93's ${ …; }
	}
	for s.at < s.end && strings.IndexByte("!#", s.src[s.at]) >= 0 && s.peek(1) != '}' {
		s.at++
	}
	for s.at < s.end && IsIdent(s.src[s.at]) {
		s.at++
	}
	pattern := strings.IndexByte("#%/^,", s.peek(0)) >= 0
	for s.at < s.end {
		switch s.src[s.at] {
		case '}':
			s.close()
			return true
		case '\\':
			s.at += 2
		case '\'':
			if quoted && !pattern {
				s.at++
				continue
			}
			if !s.quotation(s.at, s.at+1, '\'', false) {
				return false
			}
		case '$':
			if !s.dollar(quoted) {
				return false
			}
		case '<', '>':
			if s.peek(1) == '(' {
				return false // bash runs it, and the parser takes it for text
			}
			s.at++
		default:
			if !s.expansion() {
				return false
			}
		}
	}
	return false
}

// IsIdent reports whether a byte can stand in the name of a variable.
func IsIdent(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
