package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Fault is a kind of error.
type Fault string

// The faults that a text can have.
const (
	Syntax    Fault = "syntax"
	Truncated Fault = "truncated"
	Encoding  Fault = "encoding"
	Surrogate Fault = "surrogate"
	Duplicate Fault = "duplicate"
	Depth     Fault = "depth"
	Values    Fault = "values"
	Trailing  Fault = "trailing"
)

// An Error is a fault with its place, both from 1, the column in characters,
// and the path to where reading was.
type Error struct {
	Fault        Fault
	Line, Column int
	Path         Path
	Problem      string
	lines        bool // the text has several
}

// Error returns the problem behind its place. That a text of one line is wrong
// in that line says nothing.
func (e *Error) Error() string {
	if !e.lines {
		return fmt.Sprintf("column %d: %s", e.Column, e.Problem)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// In returns the error as one of a file: name:line:column: problem.
func (e *Error) In(name string) error {
	return fmt.Errorf("%s:%d:%d: %s", name, e.Line, e.Column, e.Problem)
}

// fail returns an error about an offset.
func (r *reader) fail(fault Fault, at int, format string, args ...any) *Error {
	line, column := r.places.Of(at)
	lines := line > 1 || bytes.IndexByte(bytes.TrimSpace(r.data), '\n') >= 0
	e := &Error{Fault: fault, Line: line, Column: column, Problem: fmt.Sprintf(format, args...), lines: lines}
	if r.decoder != nil {
		e.Path = r.path(r.decoder.StackPointer())
	}
	return e
}

// broken returns the error for what the decoder does not read.
func (r *reader) broken(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.fail(Truncated, len(r.data), "the JSON ends too early")
	case !errors.As(err, &syntax):
		return err
	}
	at, why := int(syntax.ByteOffset), syntax.Err.Error()
	e := r.fail(Syntax, at, "not JSON: %s", why)
	switch {
	case strings.HasPrefix(why, "invalid character '/'"):
		e.Problem = "JSON has no comments: remove it"
	case strings.Contains(why, "surrogate"):
		e = r.fail(Surrogate, at, `half of a surrogate pair, %s: \ud800 to \udfff come in pairs`, r.data[at:min(at+6, len(r.data))])
	}
	e.Path = r.path(syntax.JSONPointer)
	return e
}
