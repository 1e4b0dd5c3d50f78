package redact

import "strings"

// A class is a set of bytes.
type class [256]bool

func classOf(bytes string) *class {
	var c class
	for _, b := range []byte(bytes) {
		c[b] = true
	}
	return &c
}

const (
	digits = "0123456789"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower  = "abcdefghijklmnopqrstuvwxyz"
)

var (
	alnum       = classOf(digits + upper + lower)
	upperDigits = classOf(digits + upper)
	hexDigits   = classOf(digits + "abcdefABCDEF")
	word        = classOf(digits + upper + lower + "_")
	wordDash    = classOf(digits + upper + lower + "_-")
	wordDashDot = classOf(digits + upper + lower + "_-.")
	base64ish   = classOf(digits + upper + lower + "+/=_-")
	secretKey   = classOf(digits + upper + lower + "+/")
	blank       = classOf(" \t")
	space       = classOf(" \t\r\n")
	// nameBytes are what a name before "=" or ":" is made of.
	nameBytes = classOf(digits + upper + lower + "_-.")
)

// run returns the end of the run of bytes of a class that begins at i.
func (c *class) run(s string, i int) int {
	for i < len(s) && c[s[i]] {
		i++
	}
	return i
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }
func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

func hasLower(s string) bool {
	for i := range len(s) {
		if isLower(s[i]) {
			return true
		}
	}
	return false
}

// has reports whether a set of words in lower case holds a word, whatever its
// case. It allocates nothing.
func has(set func() map[string]bool, s string) bool {
	var buf [24]byte // longer than any word of a set
	low := buf[:copy(buf[:], s)]
	for i, b := range low {
		if isUpper(b) {
			low[i] += 'a' - 'A'
		}
	}
	return set()[string(low)]
}

// mixed reports whether a text has digits and letters of both cases, as random
// text of some length has.
func mixed(s string) bool {
	return strings.ContainsAny(s, digits) && strings.ContainsAny(s, upper) && strings.ContainsAny(s, lower)
}

// startsToken reports whether a token may begin at i: nothing stands before it
// that could belong to it. The letter of an escape (\n, \u0026, %3D, ESC[31m)
// does not.
func startsToken(s string, i int) bool {
	if i == 0 || !alnum[s[i-1]] {
		return true
	}
	return escapeEnds(s, i)
}

// escapeEnds reports whether an escape ends before i.
func escapeEnds(s string, i int) bool {
	if i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrt", s[i-1]) >= 0 {
		return true
	}
	if i >= 3 && s[i-3] == '%' && hexDigits[s[i-2]] && hexDigits[s[i-1]] {
		return true
	}
	if i >= 6 && s[i-6:i-2] == `\u00` {
		return true
	}
	if s[i-1] != 'm' {
		return false
	}
	const longest = 16 // of a color: "[38;5;123;48;1m"
	return strings.HasSuffix(strings.TrimRight(s[max(0, i-longest):i-1], digits+";"), "[")
}
