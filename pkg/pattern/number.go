package pattern

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// A number is a decimal number. Two numbers are equal as Go values if they are
// the same number.
type number struct {
	// near is the number if digits is "": the one that the float64 is printed
	// as.
	near float64
	// Else it is 0.DIGITS × 10^exp, less if it is negative. The digits neither
	// begin nor end with 0.
	digits   string
	exp      int
	negative bool
}

// compare returns -1, 0 or 1.
func (n number) compare(m number) int {
	if n.digits == "" && m.digits == "" {
		return cmp.Compare(n.near, m.near)
	}
	n, m = n.spelled(), m.spelled()
	if c := cmp.Compare(n.sign(), m.sign()); c != 0 {
		return c
	}
	c := cmp.Or(cmp.Compare(n.exp, m.exp), strings.Compare(n.digits, m.digits))
	return n.sign() * c
}

func (n number) sign() int {
	switch {
	case n.digits == "":
		return 0
	case n.negative:
		return -1
	}
	return 1
}

// spelled returns the number with its digits, which only 0 has none of.
func (n number) spelled() number {
	if n.digits != "" || n.near == 0 {
		return n
	}
	return spell(strconv.FormatFloat(n.near, 'e', -1, 64))
}

// numberOf returns the number that a value of a record is.
func numberOf(v any) (number, bool) {
	switch v := v.(type) {
	case float64:
		return number{near: v + 0}, !math.IsNaN(v) && !math.IsInf(v, 0)
	case json.Number:
		return parseNumber(string(v))
	case number:
		return v, true
	case int:
		return integer(int64(v)), true
	case int64:
		return integer(v), true
	}
	return number{}, false
}

func integer(i int64) number {
	if f := float64(i); -1<<53 < i && i < 1<<53 {
		return number{near: f}
	}
	n, _ := parseNumber(strconv.FormatInt(i, 10))
	return n
}

// exactDigits is how many digits of every decimal number a float64 keeps, if
// it is neither huge nor tiny.
const exactDigits = 15

// parseNumber reads a decimal number such as "-1.50e3".
func parseNumber(text string) (number, bool) {
	digits, ok := countDigits(text)
	if !ok {
		return number{}, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if size := math.Abs(f); err == nil && digits <= exactDigits && 1e-290 < size && size < 1e290 {
		return number{near: f}, true
	}
	n := spell(text)
	if err == nil && f != 0 && n == spell(strconv.FormatFloat(f, 'e', -1, 64)) {
		return number{near: f}, true
	}
	return n, true
}

// countDigits checks the form of a decimal number and counts the digits of its
// mantissa.
func countDigits(text string) (digits int, ok bool) {
	rest := strings.TrimLeft(text, "+-")
	if len(text)-len(rest) > 1 {
		return 0, false
	}
	mantissa, exponent, hasExponent := cutExponent(rest)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if !allDigits(whole) || !allDigits(fraction) || whole+fraction == "" {
		return 0, false
	}
	if hasExponent {
		unsigned := strings.TrimLeft(exponent, "+-")
		if len(exponent)-len(unsigned) > 1 || unsigned == "" || !allDigits(unsigned) {
			return 0, false
		}
	}
	return len(whole) + len(fraction), true
}

func cutExponent(text string) (mantissa, exponent string, ok bool) {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, "", false
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// maxExponent bounds exponents, so that sums of them fit; numbers beyond keep
// their order to all others.
const maxExponent = 1 << 30

// spell reads a decimal number of the right form digit by digit.
func spell(text string) number {
	unsigned := strings.TrimLeft(text, "+-")
	mantissa, exponent, _ := cutExponent(unsigned)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	// Of an exponent that does not fit Atoi returns the nearest that does.
	exp, _ := strconv.Atoi(exponent)
	exp = min(max(exp, -maxExponent), maxExponent)
	significant := strings.TrimLeft(whole+fraction, "0")
	exp += len(whole) - (len(whole) + len(fraction) - len(significant))
	significant = strings.TrimRight(significant, "0")
	if significant == "" {
		return number{}
	}
	return number{digits: significant, exp: exp, negative: text[0] == '-'}
}
