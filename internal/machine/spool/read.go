package spool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A Place is how far somebody has read a spool; the zero value is its beginning.
type Place struct{ at position }

// A Piece is what a segment of a spool holds.
type Piece struct {
	// Events are in the order in which they were added.
	Events [][]byte
	// Broken says which lines are no events, and where they are.
	Broken []string
	// End is behind the last whole line.
	End Place
}

// Pieces yields what waits in a spool behind a place, the newest segment first. It takes
// nothing out and locks nobody out. What is being added is left for the next time, and
// what a collector takes out meanwhile is not there; the error says what cannot be read.
func (s *Spool) Pieces(from Place) iter.Seq2[Piece, error] {
	return func(yield func(Piece, error) bool) {
		all, err := s.segments()
		if err != nil {
			yield(Piece{}, err)
			return
		}
		if s.isBehind(from.at, all) {
			from = Place{} // the files are those of another spool
		}
		if taken := s.position(); from.at.before(taken) {
			from.at = taken
		}
		for i, n := range slices.Backward(all) {
			if n < from.at.segment {
				return
			}
			at := position{segment: n}
			if n == from.at.segment {
				at = from.at
			}
			p, err := s.piece(at, i == len(all)-1)
			if errors.Is(err, fs.ErrNotExist) {
				return // it was sent, and so was all before it
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// isBehind reports whether a position lies behind all that is there, where something is.
func (s *Spool) isBehind(at position, all []uint32) bool {
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	info, err := os.Stat(s.segment(last))
	return err == nil && (position{last, info.Size()}).before(at) && s.position().before(at)
}

func (p position) before(q position) bool {
	return p.segment < q.segment || p.segment == q.segment && p.offset < q.offset
}

// piece reads a segment from a position on. Nothing is added to one that is not the last,
// so that a line without an end there was cut.
func (s *Spool) piece(at position, last bool) (p Piece, err error) {
	name := s.segment(at.segment)
	data, err := tail(name, at.offset)
	if err != nil {
		return p, err
	}
	broken := func(what string) {
		p.Broken = append(p.Broken, fmt.Sprintf("%s: byte %d: %s", name, at.offset+1, what))
	}
	for {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		switch {
		case !whole && len(line) > 0 && !last:
			broken("a decision that was cut off")
		case whole && len(line) == 0, !whole:
		case line[0] == '{' && json.Valid(line):
			p.Events = append(p.Events, line)
		default:
			broken("a line that is no decision")
		}
		if !whole {
			p.End = Place{at}
			return p, nil
		}
		data = rest
		at.offset += int64(len(line)) + 1
	}
}

// Taken returns when a collector last took events out of the spool; ok is false where
// none ever did.
func (s *Spool) Taken() (when time.Time, ok bool) {
	info, err := os.Lstat(filepath.Join(s.dir, cursorFile))
	if err != nil || s.position() == (position{}) {
		return when, false
	}
	return info.ModTime(), true
}
