package claude

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A node is a JSON value with its place.
type node struct {
	at    int64 // offset of its first byte, or shortly before
	value any   // nil, bool, json.Number, string, []node, or *object
}

type object struct {
	keys   []string
	places map[string]int64
	nodes  map[string]node
}

// A reader reads a settings file.
type reader struct {
	source Source
	d      *json.Decoder
}

// fail returns an error with a place.
func (r *reader) fail(at int64, format string, args ...any) error {
	line, column := place(r.source.Data, at)
	return fmt.Errorf("%s:%d:%d: %s", r.source.Name, line, column, fmt.Sprintf(format, args...))
}

// place returns the line and the column, in characters, of an offset.
func place(data []byte, at int64) (line, column int) {
	before := data[:min(at, int64(len(data)))]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}

// read reads a settings file strictly: no key twice, no comments.
func read(s Source) (*settings, error) {
	s.Data = bytes.TrimPrefix(s.Data, []byte("\ufeff"))
	r := &reader{source: s}
	switch {
	case !utf8.Valid(s.Data):
		return nil, fmt.Errorf("%s: is no text in UTF-8: name a settings.json", s.Name)
	case len(bytes.TrimSpace(s.Data)) == 0:
		return nil, fmt.Errorf("%s: is empty: name a settings.json with permissions", s.Name)
	}
	r.d = json.NewDecoder(bytes.NewReader(s.Data))
	r.d.UseNumber()
	top, err := r.value(0)
	if err != nil {
		return nil, err
	}
	end := r.skip(r.d.InputOffset())
	if _, err := r.d.Token(); err != io.EOF {
		return nil, r.fail(end, "something follows the settings: remove it")
	}
	o, ok := top.value.(*object)
	if !ok {
		return nil, r.fail(top.at, "the settings are no JSON object")
	}
	return r.permissions(o)
}

// maxDepth bounds how deep settings nest.
const maxDepth = 64

func (r *reader) value(depth int) (node, error) {
	at := r.skip(r.d.InputOffset())
	if depth > maxDepth {
		return node{}, r.fail(at, "the settings nest deeper than %d levels", maxDepth)
	}
	token, err := r.d.Token()
	if err != nil {
		return node{}, r.broken(err)
	}
	switch token {
	case json.Delim('{'):
		o, err := r.object(depth)
		return node{at, o}, err
	case json.Delim('['):
		items := []node{}
		for r.d.More() {
			n, err := r.value(depth + 1)
			if err != nil {
				return node{}, err
			}
			items = append(items, n)
		}
		_, err := r.d.Token()
		return node{at, items}, r.broken(err)
	}
	return node{at, token}, nil
}

func (r *reader) object(depth int) (*object, error) {
	o := &object{places: make(map[string]int64), nodes: make(map[string]node)}
	for r.d.More() {
		at := r.skip(r.d.InputOffset())
		token, err := r.d.Token()
		if err != nil {
			return nil, r.broken(err)
		}
		key, _ := token.(string)
		if _, twice := o.nodes[key]; twice {
			return nil, r.fail(at, "the key %q stands twice: remove one", key)
		}
		if o.nodes[key], err = r.value(depth + 1); err != nil {
			return nil, err
		}
		o.keys, o.places[key] = append(o.keys, key), at
	}
	_, err := r.d.Token()
	return o, r.broken(err)
}

// skip returns the offset of the next value: what stands between are blanks,
// commas and colons.
func (r *reader) skip(at int64) int64 {
	for at < int64(len(r.source.Data)) && strings.IndexByte(" \t\r\n,:", r.source.Data[at]) >= 0 {
		at++
	}
	return at
}

// broken returns the error for text that is no JSON, with advice for comments.
func (r *reader) broken(err error) error {
	if err == nil {
		return nil
	}
	at := r.skip(r.d.InputOffset())
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > at {
		at = max(at, syntax.Offset-1)
	}
	rest := r.source.Data[min(at, int64(len(r.source.Data))):]
	switch {
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")):
		return r.fail(at, "JSON has no comments, and Claude Code takes none: remove it")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.fail(at, "the JSON ends too early")
	}
	return r.fail(at, "not JSON: %v", err)
}
