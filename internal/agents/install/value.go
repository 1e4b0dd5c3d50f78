package install

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// An object is a JSON object with its keys in order.
type object []pair

// A pair is a key with its value: an object, a list, or what encoding/json
// takes.
type pair struct {
	key   string
	value any
}

// A list is a JSON array.
type list []any

// A layout says how values are laid out.
type layout struct {
	compact       bool   // all on one line
	indent        string // before the lines of the container's elements
	unit, newline string
}

// deeper returns the layout of what stands inside an element.
func (l layout) deeper() layout {
	l.indent += l.unit
	return l
}

// open and close stand around the elements of a container, between separates
// them.
func (l layout) open() string {
	if l.compact {
		return ""
	}
	return l.newline + l.indent
}

func (l layout) between() string {
	if l.compact {
		return ", "
	}
	return "," + l.newline + l.indent
}

func (l layout) close() string {
	if l.compact {
		return ""
	}
	return l.newline + strings.TrimSuffix(l.indent, l.unit)
}

// write returns the text of a value whose elements have a layout.
func (l layout) write(v any) string {
	var elements []string
	brackets := "[]"
	switch v := v.(type) {
	case object:
		brackets = "{}"
		for _, p := range v {
			elements = append(elements, l.member(p))
		}
	case list:
		for _, item := range v {
			elements = append(elements, l.deeper().write(item))
		}
	default:
		return scalar(v)
	}
	if len(elements) == 0 {
		return brackets
	}
	return brackets[:1] + l.open() + strings.Join(elements, l.between()) + l.close() + brackets[1:]
}

// member returns the text of a member that stands in a container.
func (l layout) member(p pair) string {
	return scalar(p.key) + ": " + l.deeper().write(p.value)
}

// scalar returns the JSON of a value that is no container.
func scalar(v any) string {
	text, err := strictjson.Marshal(v)
	if err != nil {
		panic("install: " + err.Error()) // the tables hold nothing of the kind
	}
	return string(text)
}

// plain returns a value as a document returns it.
func plain(v any) any {
	switch v := v.(type) {
	case object:
		out := map[string]any{}
		for _, p := range v {
			out[p.key] = plain(p.value)
		}
		return out
	case list:
		out := []any{}
		for _, item := range v {
			out = append(out, plain(item))
		}
		return out
	case int:
		return json.Number(scalar(v))
	}
	return v
}

// equals reports whether a value of a document is v, whatever its layout and the
// order of its keys.
func (d *document) equals(n *strictjson.Node, v any) bool {
	return reflect.DeepEqual(n.Value(), plain(v))
}
