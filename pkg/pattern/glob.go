package pattern

import (
	"strings"
	"unicode/utf8"
)

// A wildcard is a compiled glob or globPath: what must follow each other in
// the whole text.
type wildcard []piece

// A piece is a part of a wildcard.
type piece struct {
	kind pieceKind
	text string // of a literal, never empty
}

type pieceKind uint8

const (
	literal pieceKind = iota
	one               // any one character; in a globPath not a slash
	many              // any characters, none too; in a globPath no slash
	deep              // ** of a globPath: any characters
	dirs              // **/ at the start of a path element: none, or any that end with a slash
)

// compileGlob reads a text in which * stands for any characters and ? for one.
func compileGlob(text string) wildcard {
	var out wildcard
	for text != "" {
		i := strings.IndexAny(text, "*?")
		if i < 0 {
			return append(out, piece{literal, text})
		}
		if i > 0 {
			out = append(out, piece{literal, text[:i]})
		}
		switch {
		case text[i] == '?':
			out = append(out, piece{kind: one})
		case len(out) == 0 || out[len(out)-1].kind != many:
			out = append(out, piece{kind: many})
		}
		text = text[i+1:]
	}
	return out
}

// compileGlobPath reads a text in which * and ? stay within an element of a
// path, and ** crosses elements. "a/**/b" is met by "a/b" too.
func compileGlobPath(text string) wildcard {
	var out wildcard
	atStart := true // of an element
	for text != "" {
		stars := len(text) - len(strings.TrimLeft(text, "*"))
		switch {
		case stars >= 2 && atStart && strings.HasPrefix(text[stars:], "/"):
			out, text = append(out, piece{kind: dirs}), text[stars+1:]
			continue
		case stars >= 2:
			out, text = append(out, piece{kind: deep}), text[stars:]
		case stars == 1:
			out, text = append(out, piece{kind: many}), text[1:]
		case text[0] == '?':
			out, text = append(out, piece{kind: one}), text[1:]
		default:
			i := strings.IndexAny(text+"*", "*?")
			out, atStart = append(out, piece{literal, text[:i]}), text[i-1] == '/'
			text = text[i:]
			continue
		}
		atStart = false
	}
	return out
}

// match reports whether a whole text meets the wildcard. Where path is true, one
// and many stop at a slash.
func (w wildcard) match(text string, path bool) bool {
	s := search{wildcard: w, text: text, path: path}
	for s.piece < len(w) || s.at < len(text) {
		if !s.forward() && !s.back() {
			return false
		}
	}
	return true
}

// A search goes through a wildcard and a text at once. It goes back to the last
// many, and where that is of no use, to the last deep or dirs: what stands
// before has been met as early as it can be.
type search struct {
	wildcard  wildcard
	text      string
	path      bool
	piece, at int
	near, far mark
}

// A mark is a piece that may take more of the text, with the end of what it
// takes.
type mark struct {
	piece, at int
	set       bool
}

// forward meets the next piece, if it can be met.
func (s *search) forward() bool {
	if s.piece == len(s.wildcard) {
		return false
	}
	p := &s.wildcard[s.piece]
	switch p.kind {
	case many:
		s.near = mark{s.piece, s.at, true}
	case deep, dirs:
		s.near, s.far = mark{}, mark{s.piece, s.at, true}
	default:
		n := p.length(s.text[s.at:], s.path)
		if n == 0 {
			return false
		}
		s.at += n
	}
	s.piece++
	return true
}

// back lets a piece take more, if one can.
func (s *search) back() bool {
	if m := &s.near; m.set && m.at < len(s.text) && !(s.path && s.text[m.at] == '/') {
		m.at += step(s.text[m.at:])
		s.piece, s.at = m.piece+1, m.at
		return true
	}
	if !s.far.set {
		return false
	}
	n := s.wildcard[s.far.piece].skip(s.text[s.far.at:])
	s.far.at += n
	s.near = mark{}
	s.piece, s.at = s.far.piece+1, s.far.at
	return n > 0
}

// length returns how much of a text a literal or a single character takes, 0
// where it is not met.
func (p piece) length(text string, path bool) int {
	if p.kind == literal {
		if strings.HasPrefix(text, p.text) {
			return len(p.text)
		}
		return 0
	}
	if text == "" || path && text[0] == '/' {
		return 0
	}
	return step(text)
}

// skip returns how much more a deep or dirs takes at least, 0 where there is
// no more.
func (p piece) skip(text string) int {
	switch {
	case text == "":
		return 0
	case p.kind == dirs:
		return strings.IndexByte(text, '/') + 1
	}
	return step(text)
}

func step(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	return n
}
