package install

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/support/jsonc"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A document is JSON text with the places of its values.
type document struct {
	text string
	root *strictjson.Node
	// plain is the text with blanks in the place of what JSON (RFC 8259) does
	// not have: comments, and commas before brackets. The errors are about the
	// first of each.
	plain          string
	comment, comma error
}

// A placeError is an error with its line and column.
type placeError struct {
	line, column int
	what         string
}

func (e *placeError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.column, e.what) }

// errorAt returns an error about the text at a position.
func errorAt(text string, at int, format string, args ...any) error {
	before := text[:min(at, len(text))]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return &placeError{strings.Count(before, "\n") + 1, utf8.RuneCountInString(line) + 1, fmt.Sprintf(format, args...)}
}

// parse reads JSON text, in which comments and commas before brackets may
// stand. Text without any value is an empty object.
func parse(text string) (*document, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}\n"
	}
	if strings.HasPrefix(text, "\uFEFF") {
		return nil, errorAt(text, 0, "there is a byte order mark here: save the file without it")
	}
	d := &document{text: text}
	plain := jsonc.Plain([]byte(text))[:len(text)]
	root, err := strictjson.Read(plain, strictjson.Options{Depth: maxDepth})
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return nil, &placeError{e.Line, e.Column, e.Problem}
	}
	d.root = &root
	d.plain = string(plain)
	for at := 0; at < len(plain); at++ {
		switch {
		case plain[at] == text[at]:
		case text[at] == ',':
			d.comma = cmp.Or(d.comma, errorAt(text, at, "a comma before a closing bracket, which JSON does not allow"))
		default:
			d.comment = cmp.Or(d.comment, errorAt(text, at, "this is a comment, which JSON does not have"))
			at += commentEnd(text[at:]) - 1
		}
	}
	if d.root.Kind != '{' {
		return nil, errorAt(text, d.root.From, "the settings must be an object, {…}")
	}
	return d, nil
}

// commentEnd returns where the comment ends with which a text begins.
func commentEnd(text string) int {
	end := "\n"
	if strings.HasPrefix(text, "/*") {
		end = "*/"
	}
	if i := strings.Index(text[2:], end); i >= 0 {
		return 2 + i + len(end)
	}
	return len(text)
}

// maxDepth bounds how deep values may nest.
const maxDepth = 100

// extra returns what of the settings the agent does not read.
func (a *Agent) extra(d *document) error {
	if a.comments || d.comment == nil {
		return d.comma
	}
	return d.comment
}

// strict parses settings that are to be edited.
func (a *Agent) strict(text string) (*document, error) {
	d, err := parse(text)
	if err == nil && a.extra(d) != nil {
		return nil, fmt.Errorf("%w; %w", a.extra(d), errExtra)
	}
	return d, err
}

// raw returns the text of a value.
func (d *document) raw(n *strictjson.Node) string { return d.text[n.From:n.To] }
