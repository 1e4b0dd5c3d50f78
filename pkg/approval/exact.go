package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// numberKey is the key under which a number stands that JSON canonical form
// cannot hold. Keys of a value that begin like it get one more "$".
const numberKey = "$number"

// exact returns a value of which the canonical JSON form keeps all: RFC 8785
// writes numbers as IEEE 754 doubles, under which 9007199254740993 is
// 9007199254740992, and says (appendix D) to write such numbers in another
// way. Here they become an object with their text.
func exact(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		if !utf8.ValidString(v) {
			return nil, errors.New("a string is not valid UTF-8")
		}
		return v, nil
	case float64:
		return exactFloat(v)
	case json.Number:
		return exactNumber(v)
	case []any:
		return exactList(v)
	case map[string]any:
		return exactObject(v)
	}
	plain, err := strictjson.Plain(v)
	if err != nil {
		return nil, err
	}
	return exact(plain)
}

func exactList(list []any) (any, error) {
	out := make([]any, len(list))
	for i, item := range list {
		var err error
		if out[i], err = exact(item); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return out, nil
}

func exactObject(m map[string]any) (any, error) {
	out := make(map[string]any, len(m))
	for key, item := range m {
		if !utf8.ValidString(key) {
			return nil, errors.New("a key is not valid UTF-8")
		}
		e, err := exact(item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if strings.HasPrefix(key, "$") {
			key = "$" + key
		}
		out[key] = e
	}
	return out, nil
}

func exactFloat(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%v is not a JSON number", f)
	}
	if f == 0 && math.Signbit(f) {
		return map[string]any{numberKey: "-0"}, nil
	}
	return f, nil
}

func exactNumber(n json.Number) (any, error) {
	if f, exact := strictjson.Double(n); exact {
		return exactFloat(f)
	}
	if !json.Valid([]byte(n)) {
		return nil, fmt.Errorf("%q is not a JSON number", string(n))
	}
	return map[string]any{numberKey: string(n)}, nil
}
