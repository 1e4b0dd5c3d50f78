package redact

import "strings"

// A token is a kind of secret that begins with a fixed prefix.
type token struct {
	prefixes string // as issuers document them, blanks between them
	body     *class // what follows the prefix
	// shortest and longest bound the length of the body; longest 0 is no bound.
	shortest, longest int
	// random, if set, tells a body from words that look like one.
	random func(body string) bool
}

// rules returns one rule for each prefix of a token of a kind.
func (t *token) rules(kind string) []rule {
	var list []rule
	for p := range strings.FieldsSeq(t.prefixes) {
		list = append(list, rule{kind, p, func(s string, i int) (int, int) { return t.find(s, i, len(p)) }})
	}
	return list
}

func (t *token) find(s string, i, prefix int) (int, int) {
	body := i + prefix
	end := t.body.run(s, body)
	end = body + len(strings.TrimRight(s[body:end], ".")) // of the sentence
	n := end - body
	if n < t.shortest || t.longest > 0 && n > t.longest || end < len(s) && alnum[s[end]] {
		return 0, 0
	}
	if t.random != nil && !t.random(s[body:end]) {
		return 0, 0
	}
	return i, end
}

func hasDigit(s string) bool { return strings.ContainsAny(s, digits) }

func lowerHex(s string) bool { return !strings.ContainsAny(s, "ABCDEF") && hasDigit(s) }

// longWord reports whether one of the parts between dashes is long and has a
// digit, as in sk-proj-… and not as in sk-fading-circle-2.
func longWord(s string) bool {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' }) {
		if len(part) >= 16 && hasDigit(part) {
			return true
		}
	}
	return mixed(s) && len(s) >= 40
}

func twoParts(s string) bool {
	a, b, ok := strings.Cut(s, ".")
	return ok && len(a) >= 16 && len(b) >= 20
}
