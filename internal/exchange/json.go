package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// maxDepth bounds how deep JSON nests.
const maxDepth = 64

// A jsonReader reads JSON strictly: no key twice, nothing behind the value.
type jsonReader struct {
	name string
	data []byte
	d    *json.Decoder
	// at is the latest offset whose place was asked for, which is in the
	// line after line others, behind column characters.
	at, line, column int
}

// readJSON returns the value of a text with its places.
func readJSON(name string, data []byte) (pattern.Node, error) {
	r := newJSONReader(name, data)
	n, err := r.value(0)
	if err != nil {
		return n, err
	}
	if end := r.skip(); end < len(data) {
		return n, r.fail(end, "something follows the JSON: remove it")
	}
	return n, nil
}

func newJSONReader(name string, data []byte) *jsonReader {
	r := &jsonReader{name: name, data: data, d: json.NewDecoder(bytes.NewReader(data))}
	r.d.UseNumber()
	return r
}

func (r *jsonReader) fail(at int, format string, args ...any) error {
	line, column := r.place(at)
	return fmt.Errorf("%s:%d:%d: %s", r.name, line, column, fmt.Sprintf(format, args...))
}

// place returns the line and the column, in characters, of an offset. It goes
// on from the latest one, because files may be large.
func (r *jsonReader) place(at int) (line, column int) {
	at = min(at, len(r.data))
	if at < r.at {
		r.at, r.line, r.column = 0, 0, 0
	}
	passed := r.data[r.at:at]
	if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
		r.line += bytes.Count(passed, []byte("\n"))
		r.column, passed = 0, passed[i+1:]
	}
	r.at = at
	r.column += utf8.RuneCount(passed)
	return r.line + 1, r.column + 1
}

// skip returns the offset of the next value: what stands between are blanks,
// commas and colons.
func (r *jsonReader) skip() int {
	at := int(r.d.InputOffset())
	for at < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[at]) >= 0 {
		at++
	}
	return at
}

func (r *jsonReader) value(depth int) (pattern.Node, error) {
	at := r.skip()
	n := pattern.Node{}
	n.Line, n.Column = r.place(at)
	if depth > maxDepth {
		return n, r.fail(at, "the JSON nests deeper than %d levels", maxDepth)
	}
	token, err := r.d.Token()
	if err != nil {
		return n, r.broken(err)
	}
	switch v := token.(type) {
	case json.Delim:
		err = r.inside(&n, v, depth)
	case string:
		n.Kind, n.Text = pattern.TextNode, v
	case json.Number:
		n.Kind, n.Text = pattern.NumberNode, v.String()
	case bool:
		n.Kind, n.Text = pattern.BoolNode, fmt.Sprint(v)
	default:
		n.Kind, n.Text = pattern.NullNode, "null"
	}
	return n, err
}

// inside reads what stands between a delimiter and its counterpart.
func (r *jsonReader) inside(n *pattern.Node, open json.Delim, depth int) error {
	n.Kind = pattern.ListNode
	if open == '{' {
		n.Kind = pattern.MapNode
	}
	seen := make(map[string]bool)
	for r.d.More() {
		if open == '{' {
			at := r.skip()
			key, err := r.value(depth + 1)
			if err != nil {
				return err
			}
			if seen[key.Text] {
				return r.fail(at, "the key %q stands twice: remove one", key.Text)
			}
			seen[key.Text] = true
			n.Keys = append(n.Keys, key)
		}
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, item)
	}
	_, err := r.d.Token()
	return r.broken(err)
}

// broken returns the error for text that is no JSON.
func (r *jsonReader) broken(err error) error {
	if err == nil {
		return nil
	}
	at := r.skip()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && int(syntax.Offset) > at {
		at = int(syntax.Offset) - 1
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.fail(len(r.data), "the JSON ends too early")
	}
	return r.fail(at, "not JSON: %v", err)
}

// jsonString returns a text in quotes, without the escapes that HTML needs.
func jsonString(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // a string always has a form
	}
	return strings.TrimSuffix(b.String(), "\n")
}
