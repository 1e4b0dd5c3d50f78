// Package place tells the line and the column of an offset in a text. It reads
// no grammar.
package place

import (
	"bytes"
	"unicode/utf8"
)

// A Finder finds places in a text. It goes on from the latest one, because texts
// may be large: whoever asks from front to back has the text passed once.
type Finder struct {
	text []byte
	// at is the latest offset, which is in the line after line others, behind
	// column characters.
	at, line, column int
}

// In returns a finder for a text.
func In(text []byte) Finder { return Finder{text: text} }

// Of returns the line and the column of an offset, both from 1, the column in
// characters.
func (f *Finder) Of(at int) (line, column int) {
	at = min(at, len(f.text))
	if at < f.at {
		*f = In(f.text)
	}
	passed := f.text[f.at:at]
	if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
		f.line += bytes.Count(passed, []byte("\n"))
		f.column, passed = 0, passed[i+1:]
	}
	f.at = at
	f.column += utf8.RuneCount(passed)
	return f.line + 1, f.column + 1
}
