package requests

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"
)

// A lineReader reads lines while other things happen. What a person types at a
// terminal before a question stands there answers nothing and is dropped; lines
// of a pipe wait for the next question.
type lineReader struct {
	from     io.Reader
	terminal bool

	in   chan typedLine
	held *typedLine
	err  error // why the lines ended; it is set before in is closed
}

// A typedLine is one with the time at which it was there.
type typedLine struct {
	text string
	at   time.Time
}

// maxTyped bounds a line, and typeahead how many are read before they are
// asked for.
const (
	maxTyped  = 64 << 10
	typeahead = 64
)

// begin starts to read. Without it there are no lines, and no end of them.
func (l *lineReader) begin(ctx context.Context) {
	l.in = make(chan typedLine, typeahead)
	go func() {
		defer close(l.in)
		lines := bufio.NewScanner(l.from)
		lines.Buffer(nil, maxTyped)
		for lines.Scan() {
			select {
			case l.in <- typedLine{lines.Text(), time.Now()}:
			case <-ctx.Done():
				return
			}
		}
		if l.err = lines.Err(); l.err != nil {
			l.err = errors.Join(errors.New("the answers cannot be read"), l.err)
		}
	}()
}

// lines returns the channel of the next line, nil while one is held.
func (l *lineReader) lines() <-chan typedLine {
	if l.held != nil {
		return nil
	}
	return l.in
}

// hold keeps a line until it is taken.
func (l *lineReader) hold(line typedLine) { l.held = &line }

// take returns the line that is held if somebody is asked. One that was typed
// before the question is dropped.
func (l *lineReader) take(asked bool, since time.Time) (string, bool) {
	if l.held == nil || !asked && !l.terminal {
		return "", false
	}
	line := *l.held
	l.held = nil
	return line.text, asked && !(l.terminal && line.at.Before(since))
}
