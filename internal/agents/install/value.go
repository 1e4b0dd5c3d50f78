package install

import (
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// An object is a JSON object with its keys in order.
type object []pair

// A pair is a key with its value: an object, or what encoding/json takes.
type pair struct {
	key   string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	members := make([]string, len(o))
	for i, p := range o {
		members[i] = compact(p.key) + ":" + compact(p.value)
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// compact returns the JSON of a value, without blanks.
func compact(v any) string {
	text, err := strictjson.Marshal(v)
	if err != nil {
		panic("install: " + err.Error()) // the tables hold nothing of the kind
	}
	return string(text)
}

// A layout says how the elements of a container are laid out.
type layout struct {
	oneLine       bool
	indent        string // before the lines of the elements
	unit, newline string
}

// write returns the text of a value that is one of the elements.
func (l layout) write(v any) string {
	style := []jsontext.Options{jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)}
	if !l.oneLine {
		style = []jsontext.Options{jsontext.WithIndentPrefix(l.indent), jsontext.WithIndent(l.unit)}
	}
	text, err := jsontext.AppendFormat(nil, []byte(compact(v)), style...)
	if err != nil {
		panic("install: " + err.Error()) // what Marshal returns is JSON
	}
	return strings.ReplaceAll(string(text), "\n", l.newline)
}

// between, open and close are the blanks between the elements and around them.
func (l layout) between() string {
	if l.oneLine {
		return ", "
	}
	return "," + l.open()
}

func (l layout) open() string {
	if l.oneLine {
		return ""
	}
	return l.newline + l.indent
}

func (l layout) close() string { return strings.TrimSuffix(l.open(), l.unit) }

// equals reports whether a value of a document is v, whatever its layout and the
// order of its keys.
func (d *document) equals(n *strictjson.Node, v any) bool {
	plain, err := strictjson.Plain(v)
	return err == nil && reflect.DeepEqual(n.Value(), plain)
}
