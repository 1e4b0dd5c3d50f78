package audit

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/policyctl/policyctl/pkg/jsontext"
)

// maxDepth bounds how deep JSON nests. It is less than internal/redact looks into.
const maxDepth = 250

// decode reads one JSON value that every reader understands in the same way:
// [jsontext.Check] finds nothing, and no key stands twice. Numbers keep their
// spelling.
func decode(data []byte) (any, error) {
	if err := jsontext.Check(data); err != nil {
		return nil, err
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return decodeValue(d, 0)
}

func decodeValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the JSON nests deeper than %d levels", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	switch token {
	case json.Delim('{'):
		return decodeObject(d, depth)
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}

func decodeObject(d *json.Decoder, depth int) (any, error) {
	m := map[string]any{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("not JSON: %w", err)
		}
		key := token.(string)
		if _, twice := m[key]; twice {
			return nil, fmt.Errorf("the key %q stands twice", key)
		}
		if m[key], err = decodeValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return m, err
}

// encode writes a value as JSON in one line, with sorted keys and without HTML
// escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
