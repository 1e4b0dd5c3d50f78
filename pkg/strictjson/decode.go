package strictjson

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Decode reads a text into a Go value, of which it must have the members and no
// others. Keys of maps may differ in case alone, so those of structs are not
// held against each other.
func Decode(data []byte, into any) error {
	return decode(data, into, true)
}

// DecodeOpen is [Decode] for texts of a form that grows: it passes over members
// that the Go value does not have.
func DecodeOpen(data []byte, into any) error {
	return decode(data, into, false)
}

func decode(data []byte, into any, closed bool) error {
	if _, err := Count(data, Options{Depth: Deepest}); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if closed {
		d.DisallowUnknownFields()
	}
	return d.Decode(into)
}

// Deepest is how deep a text may nest that its form bounds, or that is kept and
// not walked through.
const Deepest = 1000

// Marshal writes a value as encoding/json does, in one line and without the
// escapes that HTML needs.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Members returns the values of the members of an object that have a name,
// read as far as the text can be read: one that is broken further down, or
// is no strict JSON, may still say who sent it.
func Members(data []byte, name string) (found []jsontext.Value) {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if open, err := d.ReadToken(); err != nil || open.Kind() != '{' {
		return nil
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken()
		if err != nil {
			break
		}
		named := key.String() == name
		value, err := d.ReadValue()
		if err != nil {
			break
		}
		if named {
			found = append(found, value.Clone())
		}
	}
	return found
}
