package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds how deep JSON nests. It is less than pkg/redact looks into.
const maxDepth = 250

// decode reads one JSON value that every reader understands in the same way:
// no key stands twice, and no half of a surrogate pair stands alone, which
// encoding/json would turn into U+FFFD. Numbers keep their spelling.
func decode(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("the JSON is not UTF-8")
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if hasLoneSurrogate(data) {
		return nil, errors.New("the JSON has half of a surrogate pair: \\ud800 to \\udfff come in pairs")
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

// hasLoneSurrogate looks through JSON that is sound. A backslash stands only
// in strings there.
func hasLoneSurrogate(data []byte) bool {
	for i := 0; i+1 < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		first := unitAt(data, i)
		switch {
		case !utf16.IsSurrogate(first):
			i++
		case utf16.DecodeRune(first, unitAt(data, i+6)) == utf8.RuneError:
			return true
		default:
			i += 11
		}
	}
	return false
}

// unitAt returns the UTF-16 unit that is spelled \uNNNN at i, 0 if none is.
func unitAt(data []byte, i int) rune {
	if i+6 > len(data) || data[i] != '\\' || data[i+1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(data[i+2:i+6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
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
