package install

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/strictjson"
	"github.com/tailscale/hujson"
)

// A document is JSON text with the places of its values.
type document struct {
	text string
	root *strictjson.Node
	// extra is the first thing that JSON (RFC 8259) does not have: a comment
	// or a comma before a bracket. Some agents accept them.
	extra error
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
		return nil, errorAt(text, 0, "a byte order mark stands here: save the file without it")
	}
	d := &document{text: text}
	plain, err := hujson.Standardize([]byte(text)) // which puts blanks in the place of each
	if err != nil {
		plain = []byte(text) // the reader says it better
	}
	root, err := strictjson.Read(plain, strictjson.Options{Depth: maxDepth})
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return nil, &placeError{e.Line, e.Column, e.Problem}
	}
	d.root = &root
	for at := range plain {
		if plain[at] != text[at] {
			d.extra = errorAt(text, at, "this is a comment, which JSON does not have")
			if text[at] == ',' {
				d.extra = errorAt(text, at, "a comma stands before a bracket, which JSON does not have")
			}
			break
		}
	}
	if d.root.Kind != '{' {
		return nil, errorAt(text, d.root.From, "the settings must be an object, {…}")
	}
	return d, nil
}

// maxDepth bounds how deep values may nest.
const maxDepth = 100

// strict parses text that is to be edited.
func strict(text string) (*document, error) {
	d, err := parse(text)
	if err == nil && d.extra != nil {
		return nil, fmt.Errorf("%w; %w", d.extra, errComments)
	}
	return d, err
}

// raw returns the text of a value.
func (d *document) raw(n *strictjson.Node) string { return d.text[n.From:n.To] }
