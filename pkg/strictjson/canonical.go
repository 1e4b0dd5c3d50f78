package strictjson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Append appends the canonical form of a value (RFC 8785): no blanks, members
// in order, numbers as ECMAScript prints doubles. A [json.Number] that no
// double is keeps its digits: under the RFC, 9007199254740993 would be another
// number. What JSON cannot hold is written as the text that fmt prints.
func Append(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return AppendString(b, v)
	case json.Number:
		if f, exact := Double(v); exact {
			return appendDouble(b, f)
		}
		if json.Valid([]byte(v)) {
			return append(b, v...)
		}
		return AppendString(b, string(v))
	case float64:
		return appendDouble(b, v)
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = Append(b, item)
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for i, name := range slices.SortedFunc(maps.Keys(v), CompareNames) {
			if i > 0 {
				b = append(b, ',')
			}
			b = Append(append(AppendString(b, name), ':'), v[name])
		}
		return append(b, '}')
	}
	plain, err := Plain(v)
	if err != nil {
		return AppendString(b, fmt.Sprint(v))
	}
	return Append(b, plain)
}

// Plain returns a value of any type as [Value] reads its JSON.
func Plain(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Value(text, Options{Depth: Deepest})
}

func appendDouble(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return AppendString(b, fmt.Sprint(f))
	}
	return append(b, jsontext.Float(f+0).String()...) // -0 + 0 is 0
}

// AppendString appends the canonical form of a text. What is not UTF-8 becomes
// U+FFFD.
func AppendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) // the error says that U+FFFD was written
	return b
}

// CompareNames orders the names of members by their UTF-16 units (RFC 8785,
// section 3.2.3), which is the order of bytes but for what lies beside
// surrogates.
func CompareNames(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		if a[i] < utf8.RuneSelf || b[i] < utf8.RuneSelf {
			return cmp.Compare(a[i], b[i])
		}
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	}
	return strings.Compare(a, b)
}
