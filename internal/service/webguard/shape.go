package webguard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

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
	data   []byte
	path   strictjson.Path
	values int
}

// checkShape finds what [encoding/json] would let pass: it takes keys in any
// case, the last of two alike, half a surrogate pair for U+FFFD.
func checkShape(data []byte, t reflect.Type) error {
	n, err := strictjson.Read(data, strictjson.Options{Values: 2 * maxValues}) // a value may have a key
	if err != nil {
		return unsound(data, err)
	}
	s := &shape{data: data}
	t = t.Elem()
	if _, object := fieldsOf(t); object && n.Kind != '{' {
		return s.wrong("wrong-type", "this is not an object", "write an object")
	}
	return s.value(&n, t)
}

// faults are the codes of the errors of JSON, with what is wrong and the next
// step.
var faults = map[strictjson.Fault][3]string{
	strictjson.Encoding:  {"not-utf-8", "the JSON is not valid UTF-8", "encode it as UTF-8"},
	strictjson.Surrogate: {"lone-surrogate", `a \u escape is half of a character`, "write both halves, or the character itself"},
	strictjson.Duplicate: {"duplicate-key", "this key appears twice", "keep one"},
	strictjson.Depth:     {"too-deep", "", "flatten it"},
	strictjson.Values:    {"too-many-values", fmt.Sprintf("the JSON holds more than %d values", maxValues), "send fewer, or join them in one text"},
	strictjson.Trailing:  {"trailing-data", "something follows the JSON value", "send one value alone"},
	strictjson.Syntax:    {"not-json", "", "correct the JSON"},
	strictjson.Truncated: {"not-json", "", "correct the JSON"},
}

// unsound returns the error for a body that is no strict JSON.
func unsound(data []byte, err error) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return wrongBody("", "empty-body", "the body is empty", "send a JSON value")
	}
	e, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		return err
	}
	f := faults[e.Fault]
	detail := f[1]
	if detail == "" {
		detail = e.Error()
	}
	return (&shape{path: e.Path}).wrong(f[0], detail, f[2])
}

// value walks through a value. A nil type is one of any form.
func (s *shape) value(n *strictjson.Node, t reflect.Type) error {
	s.values++
	if n.Kind == '0' {
		s.values += len(n.Text) / numberBytes
	}
	if s.values > maxValues {
		f := faults[strictjson.Values]
		return s.wrong(f[0], f[1], f[2])
	}
	fields, closed := fieldsOf(t)
	elem := elemOf(t)
	s.path = append(s.path, strictjson.Step{})
	at := len(s.path) - 1
	for i := range n.Items {
		s.path[at] = strictjson.Step{Index: i + 1}
		of := elem
		if n.Kind == '{' {
			key := n.Keys[i].Text
			s.path[at] = strictjson.Step{Key: key}
			s.values += len(key) / keyBytes
			known := true
			if closed {
				of, known = fields[key]
			}
			if !known {
				return s.unknown(key, fields)
			}
		}
		if err := s.value(&n.Items[i], of); err != nil {
			return err
		}
	}
	s.path = s.path[:at]
	return s.itself(n, t)
}

// itself reads once what reads itself, because the place of an error is known
// here alone.
func (s *shape) itself(n *strictjson.Node, t reflect.Type) error {
	if t == nil || !readsItself(t) {
		return nil
	}
	if err := json.Unmarshal(s.data[n.From:n.To], reflect.New(t).Interface()); err != nil {
		return s.wrong("wrong-value", strings.TrimPrefix(err.Error(), "json: "), "correct the value")
	}
	return nil
}

func (s *shape) unknown(key string, fields map[string]reflect.Type) error {
	names := sorted(fields)
	hint := "leave it out"
	if len(names) > 0 {
		hint += "; the keys are " + strings.Join(names, ", ")
	}
	if near := spelling.Nearest(key, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return s.wrong("unknown-key", "this key is unknown", hint)
}

// wrong returns an error about the place where the walk is.
func (s *shape) wrong(code, detail, hint string) error {
	return wrongBody(s.path.String(), code, detail, hint)
}
