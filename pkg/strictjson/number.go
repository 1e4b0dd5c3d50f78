package strictjson

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// maxDigits bounds a number whose value is computed.
const maxDigits = 400

// Double returns the IEEE 754 double that a number is, and whether it is
// exactly that one: as it is written, or as its shortest text says.
func Double(n json.Number) (f float64, exact bool) {
	text := string(n)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	return f, f == 0 && isZero(text) || f != 0 && len(text) <= maxDigits && equalNumbers(text, f)
}

// equalNumbers reports whether the shortest text of a double is the number as
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

// isZero reports whether a number is zero and not a very small one.
func isZero(text string) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	return !slices.ContainsFunc([]byte(mantissa), func(c byte) bool { return c >= '1' && c <= '9' })
}
