package install

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A document is JSON text with the places of its values.
type document struct {
	text string
	root *node
	// extra is the first thing that JSON (RFC 8259) does not have: a comment
	// or a comma before a bracket. Some agents accept them.
	extra error
}

// A node is a value of a document.
type node struct {
	kind     byte // one of { [ " t f n, or 0 for a number
	from, to int
	members  []member // of an object
	items    []*node  // of an array
}

// A member is a key of an object with its value.
type member struct {
	key   string
	from  int
	value *node
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

// parse reads JSON text. Text without any value is an empty object.
func parse(text string) (*document, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}\n"
	}
	if !utf8.ValidString(text) {
		return nil, errorAt(text, invalidAt(text), "this is no UTF-8: save the file as UTF-8")
	}
	if strings.HasPrefix(text, "\uFEFF") {
		return nil, errorAt(text, 0, "a byte order mark stands here: save the file without it")
	}
	p := &parser{document: &document{text: text}}
	err := p.space()
	if err == nil {
		p.root, err = p.value(0)
	}
	if err == nil {
		err = p.space()
	}
	switch {
	case err != nil:
		return nil, err
	case p.at < len(text):
		return nil, p.errorf("something follows the value: remove it")
	case p.root.kind != '{':
		return nil, errorAt(text, p.root.from, "the settings must be an object, {…}")
	}
	return p.document, nil
}

func invalidAt(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i
		}
	}
	return 0
}

// strict parses text that is to be edited.
func strict(text string) (*document, error) {
	d, err := parse(text)
	if err == nil && d.extra != nil {
		return nil, fmt.Errorf("%w; %w", d.extra, errComments)
	}
	return d, err
}

// get returns the value under a path of keys, or nil.
func (n *node) get(keys ...string) *node {
	for _, key := range keys {
		next := n.member(key)
		if next == nil {
			return nil
		}
		n = next.value
	}
	return n
}

// member returns the member of an object with a key, or nil.
func (n *node) member(key string) *member {
	for i := range n.members {
		if n.members[i].key == key {
			return &n.members[i]
		}
	}
	return nil
}

// raw returns the text of a value.
func (d *document) raw(n *node) string { return d.text[n.from:n.to] }

// value returns a value as Go knows it; numbers stay as they are written.
func (d *document) value(n *node) any {
	switch n.kind {
	case '{':
		out := map[string]any{}
		for _, m := range n.members {
			out[m.key] = d.value(m.value)
		}
		return out
	case '[':
		out := []any{}
		for _, item := range n.items {
			out = append(out, d.value(item))
		}
		return out
	case '"':
		var s string
		if err := json.Unmarshal([]byte(d.raw(n)), &s); err != nil {
			return nil
		}
		return s
	case 't', 'f':
		return n.kind == 't'
	case 'n':
		return nil
	}
	return json.Number(d.raw(n))
}

// str returns a string value, or "".
func (d *document) str(n *node) string {
	if n == nil {
		return ""
	}
	s, _ := d.value(n).(string)
	return s
}
