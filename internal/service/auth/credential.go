package auth

import (
	"crypto/rand"
	"hash/crc32"
	"math/big"
	"strings"
)

// A kind is the beginning of a credential. It tells people and scanners of
// secrets what they found: pol[cs]?_[0-9A-Za-z]{11}_[0-9A-Za-z]{49}, and a code
// polo_[0-9A-Za-z]{11}_[0-9A-Za-z]{20}.
type kind string

const (
	tokenKind  kind = "pol_"
	loginKind  kind = "pols_" // the session of a login, in a header
	cookieKind kind = "polc_" // the session of a login, in a cookie
	codeKind   kind = "polo_" // a code for one login
)

// How many digits of base 62 the parts have: those of 8 and 4 bytes.
const (
	idDigits    = 11
	checkDigits = 6
)

// size returns how many random bytes the secret of a kind has, and how many
// digits of base 62 write them. A code is short, since people copy it: it is
// good once, for two minutes, and five wrong tries void it.
func (k kind) size() (bytes, width int) {
	if k == codeKind {
		return 10, 14
	}
	return 32, 43
}

// mintID returns a random id.
func mintID() string { return digits(random(8), idDigits) }

// mint returns a credential with an id and a random secret.
func mint(k kind, id string) string {
	bytes, width := k.size()
	text := string(k) + id + "_" + digits(random(bytes), width)
	return text + checksum(text)
}

// parse returns the id of a credential. A text of another form, or one of
// which a part is lost, is none.
func parse(k kind, text string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(text, string(k))
	if _, width := k.size(); !ok || len(rest) != idDigits+1+width+checkDigits || rest[idDigits] != '_' {
		return "", false
	}
	body := text[:len(text)-checkDigits]
	return rest[:idDigits], checksum(body) == text[len(body):] && alphanumeric(rest[:idDigits]+rest[idDigits+1:])
}

// anyCredential reports whether a text is a credential of some kind.
func anyCredential(text string) bool {
	for _, k := range []kind{tokenKind, loginKind, cookieKind, codeKind} {
		if _, ok := parse(k, text); ok {
			return true
		}
	}
	return false
}

func checksum(text string) string {
	sum := crc32.ChecksumIEEE([]byte(text))
	return digits([]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}, checkDigits)
}

// digits writes a number in base 62 with leading zeros.
func digits(number []byte, width int) string {
	text := new(big.Int).SetBytes(number).Text(62)
	return strings.Repeat("0", width-len(text)) + text
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // ends the program where there is no randomness
	return b
}

func alphanumeric(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}
