package rego

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxDepth bounds the nesting of what a policy is shown: OPA walks values
	// by recursion.
	maxDepth = 64
	// maxDigits bounds the length of a number, and maxExponent its size: OPA
	// computes with exact numbers, which grow with both.
	maxDigits   = 1000
	maxExponent = 1000
)

// jsonValue returns a copy of a value as JSON has it: nil, bool, string,
// json.Number, []any and map[string]any. The error follows the name of the
// value: it begins with the place in it and a colon.
func jsonValue(v any) (any, error) { return copyValue(v, 0) }

func copyValue(v any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf(": nested more than %d levels deep", maxDepth)
	}
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		return validText(v), nil
	case json.Number:
		return v, checkNumber(string(v))
	case float64:
		return finiteNumber(v)
	case int:
		return json.Number(strconv.Itoa(v)), nil
	case int64:
		return json.Number(strconv.FormatInt(v, 10)), nil
	case []string:
		return validTexts(v), nil
	case []any:
		return copyList(v, depth)
	case map[string]any:
		return copyMap(v, depth)
	}
	return nil, fmt.Errorf(": a value of the type %T is not JSON", v)
}

func copyList(list []any, depth int) (any, error) {
	out := make([]any, len(list))
	for i, v := range list {
		var err error
		if out[i], err = copyValue(v, depth+1); err != nil {
			return nil, fmt.Errorf("[%d]%w", i, err)
		}
	}
	return out, nil
}

// copyMap refuses keys that become equal once they are texts of JSON. Of
// several errors it returns always the same.
func copyMap(m map[string]any, depth int) (any, error) {
	out := make(map[string]any, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		name := validText(key)
		if _, ok := out[name]; ok {
			return nil, fmt.Errorf(": two keys are the same text %q", name)
		}
		v, err := copyValue(m[key], depth+1)
		if err != nil {
			return nil, fmt.Errorf("[%q]%w", name, err)
		}
		out[name] = v
	}
	return out, nil
}

// validText returns a text as JSON can carry it: bytes that are no UTF-8
// become the replacement character.
func validText(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

func validTexts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = validText(s)
	}
	return out
}

func finiteNumber(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf(": %v is not a JSON number", f)
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), nil
}

// checkNumber says what is wrong with a number.
func checkNumber(s string) error {
	switch {
	case len(s) > maxDigits:
		return fmt.Errorf(": a number of more than %d digits", maxDigits)
	case s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') || !json.Valid([]byte(s)):
		return fmt.Errorf(": %q is not a JSON number", s)
	}
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return nil
	}
	if e, err := strconv.Atoi(s[i+1:]); err != nil || e < -maxExponent || e > maxExponent {
		return fmt.Errorf(": the exponent of %s does not lie between -%d and %d", s, maxExponent, maxExponent)
	}
	return nil
}
