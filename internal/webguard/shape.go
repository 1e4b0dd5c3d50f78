package webguard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/spelling"
	"github.com/policyctl/policyctl/pkg/jsontext"
)

// maxDepth is how many objects and lists may lie in each other.
const maxDepth = 64

// maxValues is how many values a body may hold, at any depth: what is done with
// each costs more than its bytes tell. A key and a number count as one more for
// so many bytes.
const (
	maxValues   = 5_000
	keyBytes    = 64
	numberBytes = 32
)

// A shape is a walk through JSON beside the Go type that it is for.
type shape struct {
	data []byte
	*json.Decoder
	path   []step
	values int
}

// A step leads to a member by its key, or to an element by its index.
type step struct {
	key   string
	index int // from 1; 0 is a key
}

// checkShape finds what [encoding/json] would let pass: it takes keys in any
// case, the last of two alike, half a surrogate pair for U+FFFD.
func checkShape(data []byte, t reflect.Type) error {
	s := &shape{data: data, Decoder: json.NewDecoder(bytes.NewReader(data))}
	s.UseNumber()
	t = t.Elem()
	token, err := s.next()
	if err != nil {
		return err
	}
	if _, object := fieldsOf(t); object && token != json.Delim('{') {
		return s.wrong("wrong-type", "this is no object", "write an object")
	}
	if err := s.value(token, t); err != nil {
		return err
	}
	if _, err := s.Token(); !errors.Is(err, io.EOF) {
		return s.wrong("trailing-data", "something follows the JSON value", "send one value alone")
	}
	return nil
}

// value walks through the value that begins with a token. A nil type is one of
// any form.
func (s *shape) value(token json.Token, t reflect.Type) error {
	if n, ok := token.(json.Number); ok {
		s.values += len(n) / numberBytes
	}
	if s.values++; s.values > maxValues {
		return s.wrong("too-many-values", fmt.Sprintf("the JSON holds more than %d values", maxValues), "send fewer, or join them in one text")
	}
	if token != json.Delim('{') && token != json.Delim('[') {
		return nil
	}
	if len(s.path) == maxDepth {
		return s.wrong("too-deep", fmt.Sprintf("the JSON nests deeper than %d levels", maxDepth), "flatten it")
	}
	s.path = append(s.path, step{})
	each := s.member(t)
	if token == json.Delim('[') {
		each = s.element(t)
	}
	for s.More() {
		if err := each(&s.path[len(s.path)-1]); err != nil {
			return err
		}
	}
	s.path = s.path[:len(s.path)-1]
	_, err := s.next() // the closing bracket
	return err
}

// element returns the step to each next element of a list.
func (s *shape) element(t reflect.Type) func(*step) error {
	elem := elemOf(t)
	n := 0
	return func(here *step) error {
		n++
		here.index = n
		return s.follow(elem)
	}
}

// member returns the step to each next member of an object.
func (s *shape) member(t reflect.Type) func(*step) error {
	fields, closed := fieldsOf(t)
	elem := elemOf(t)
	seen := make(map[string]bool)
	return func(here *step) error {
		*here = step{}
		token, err := s.next()
		if err != nil {
			return err
		}
		key, ok := token.(string)
		if !ok {
			return s.syntax(errors.New("a key must be a string"))
		}
		*here = step{key: key}
		s.values += len(key) / keyBytes
		if seen[key] {
			return s.wrong("duplicate-key", "this key stands twice", "keep one")
		}
		seen[key] = true
		if !closed {
			return s.follow(elem)
		}
		field, known := fields[key]
		if !known {
			return s.unknown(key, fields)
		}
		return s.follow(field)
	}
}

// follow walks through the next value. What reads itself is read once here,
// because the place of an error is known here alone.
func (s *shape) follow(t reflect.Type) error {
	from := s.InputOffset()
	token, err := s.next()
	if err != nil {
		return err
	}
	if err := s.value(token, t); err != nil || t == nil || !readsItself(t) {
		return err
	}
	raw := bytes.TrimLeft(s.data[from:s.InputOffset()], " \t\r\n:,")
	if err := json.Unmarshal(raw, reflect.New(t).Interface()); err != nil {
		return s.wrong("wrong-value", strings.TrimPrefix(err.Error(), "json: "), "correct the value")
	}
	return nil
}

// next returns the next token, of which a string must be whole Unicode.
func (s *shape) next() (json.Token, error) {
	from := s.InputOffset()
	token, err := s.Token()
	if err != nil {
		return nil, s.syntax(err)
	}
	if jsontext.LoneSurrogate(s.data[from:s.InputOffset()]) >= 0 {
		return nil, s.wrong("lone-surrogate", "a \\u escape is half of a character", "write both halves, or the character itself")
	}
	return token, nil
}

func (s *shape) syntax(err error) error {
	if len(bytes.TrimSpace(s.data)) == 0 {
		return &BodyError{Code: "empty-body", Detail: "the body is empty", Hint: "send a JSON value"}
	}
	why := strings.TrimPrefix(err.Error(), "json: ")
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		why = "it ends too early"
	}
	before := s.data[:min(s.InputOffset(), int64(len(s.data)))]
	line, column := 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n')
	return s.wrong("not-json", fmt.Sprintf("line %d, column %d: not JSON: %s", line, column, why), "correct the JSON")
}

func (s *shape) unknown(key string, fields map[string]reflect.Type) error {
	names := sorted(fields)
	hint := "leave it out; the keys are " + strings.Join(names, ", ")
	if near := spelling.Nearest(key, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return s.wrong("unknown-key", "this key is not known", hint)
}

// wrong returns an error about the place where the walk is.
func (s *shape) wrong(code, detail, hint string) error {
	var path strings.Builder
	for _, step := range s.path {
		switch {
		case step.index > 0:
			fmt.Fprintf(&path, "[%d]", step.index-1)
		case step.key != "":
			path.WriteString(shownKey(step.key, path.Len() > 0))
		}
	}
	return &BodyError{Path: path.String(), Code: code, Detail: detail, Hint: hint}
}

// maxShown is how much of a key an error shows.
const maxShown = 64

func shownKey(key string, inside bool) string {
	if len(key) > maxShown {
		key = strings.ToValidUTF8(key[:maxShown], "") + "…"
	}
	if !plainKey(key) {
		return "[" + strconv.QuoteToASCII(key) + "]"
	}
	if inside {
		return "." + key
	}
	return key
}

func plainKey(key string) bool {
	return strings.IndexFunc(key, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_' && r != '-'
	}) < 0
}
