package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
			return nil, errors.New("a text is no valid UTF-8")
		}
		return v, nil
	case float64:
		return exactFloat(v)
	case json.Number:
		return exactNumber(v.String())
	case []any:
		return exactList(v)
	case map[string]any:
		return exactObject(v)
	}
	return exactOther(v)
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
			return nil, errors.New("a key is no valid UTF-8")
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

// exactOther reads a value of another type as its JSON.
func exactOther(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	var plain any
	if err := dec.Decode(&plain); err != nil {
		return nil, err
	}
	return exact(plain)
}

func exactFloat(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%v is no number of JSON", f)
	}
	if f == 0 && math.Signbit(f) {
		return map[string]any{numberKey: "-0"}, nil
	}
	return f, nil
}

// maxDigits bounds a number whose value is computed.
const maxDigits = 400

func exactNumber(text string) (any, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err == nil && len(text) <= maxDigits && f != 0 && equalNumbers(text, f) || err == nil && isZero(text) {
		return exactFloat(f)
	}
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("%q is no number of JSON", text)
	}
	return map[string]any{numberKey: text}, nil
}

// equalNumbers says whether the shortest text of a double is the number as
// it was written. It compares digits, so that no exponent costs anything.
func equalNumbers(text string, f float64) bool {
	written, ok := decimalOf(text)
	shortest, _ := decimalOf(strconv.FormatFloat(f, 'e', -1, 64))
	return ok && written == shortest
}

// A decimal is 0.DIGITS × 10^exponent, where the digits neither begin nor end
// with a zero.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// decimalOf reads a number of JSON that is not zero. One whose exponent is no
// int is none.
func decimalOf(text string) (d decimal, ok bool) {
	text, d.negative = strings.CutPrefix(text, "-")
	mantissa, exponent, has := strings.Cut(strings.ToLower(text), "e")
	if has {
		var err error
		if d.exponent, err = strconv.Atoi(exponent); err != nil {
			return d, false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	d.exponent += len(all) - len(fraction)
	d.digits = strings.TrimRight(all, "0")
	return d, true
}

// isZero says whether a number is zero and not a very small one.
func isZero(text string) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	return !slices.ContainsFunc([]byte(mantissa), func(c byte) bool { return c >= '1' && c <= '9' })
}
