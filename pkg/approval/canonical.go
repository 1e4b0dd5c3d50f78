package approval

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
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
		return appendText(b, v), nil
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
	slices.SortFunc(keys, compareUnits)
	b = append(b, '{')
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendCanonical(append(appendText(b, key), ':'), m[key]); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// compareUnits orders keys by their UTF-16 units (RFC 8785, section 3.2.3),
// which is the order of bytes but for what lies beside surrogates.
func compareUnits(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		if a[i] < utf8.RuneSelf || b[i] < utf8.RuneSelf {
			return cmp.Compare(a[i], b[i])
		}
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	}
	return cmp.Compare(len(a), len(b))
}

// appendText writes a string of UTF-8 (RFC 8785, section 3.2.2.2).
func appendText(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b, from = append(b, s[from:i]...), i+1
		if short := shortEscapes[c]; short != 0 {
			b = append(b, '\\', short)
		} else {
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(b, s[from:]...), '"')
}

// shortEscapes are the letters of escapes that have one.
var shortEscapes = [128]byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '"': '"', '\\': '\\'}
