package approval

import (
	"fmt"
	"slices"

	"github.com/gowebpki/jcs"

	"github.com/policyctl/policyctl/pkg/jsontext"
)

// appendCanonical writes a value that [exact] has made as canonical JSON (RFC
// 8785). It makes no text to be read again, since bodies are large.
func appendCanonical(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return fmt.Append(b, v), nil
	case string:
		return jsontext.AppendString(b, v), nil
	case float64:
		text, err := jcs.NumberToJSON(v)
		return append(b, text...), err
	case []any:
		return appendList(b, v)
	case map[string]any:
		return appendObject(b, v)
	}
	return nil, fmt.Errorf("a %T has no canonical form", v)
}

func appendList(b []byte, list []any) (_ []byte, err error) {
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendCanonical(b, item); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendObject(b []byte, m map[string]any) (_ []byte, err error) {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, jsontext.CompareNames)
	b = append(b, '{')
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendCanonical(append(jsontext.AppendString(b, key), ':'), m[key]); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}
