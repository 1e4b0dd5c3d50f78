// Package redact finds secrets in text and in JSON values, and puts the name
// of their kind in their place: "[redacted github-token]".
//
// A secret is known by its own form (a token with a prefix, a JSON Web Token, a
// private key) or by what stands before it (a header, a name such as
// DB_PASSWORD, the user of a URL). [Kinds] lists the kinds with examples. The
// work is linear in the length of the text.
//
// The package knows no entropy and no dictionary: a secret in words of its own
// ("my pin is …"), encrypted, split over two values or encoded is not found.
package redact

import (
	"slices"
	"strings"
)

// A Finding is one secret that was replaced.
type Finding struct {
	// Path is the JSON pointer (RFC 6901) to the string that held the secret,
	// "" for [Text]. Where the secret stood in a key, it is the pointer to the
	// member under its new key.
	Path string
	// Kind is the id of a [Kind].
	Kind string
	// Code reports that a shell might run or split what was replaced, so that who sees
	// the mark alone has not seen what runs.
	Code bool
}

const (
	markStart = "[redacted "
	markEnd   = "]"
	// markLimit bounds the length of a mark.
	markLimit = 40
)

// Text returns the text with each secret replaced by "[redacted KIND]", and
// what was replaced. A text without secrets comes back as it is, at no cost in
// memory. What Text returns holds no finding.
func Text(s string) (string, []Finding) {
	// What was redacted may bring to light a secret beside it. A few rounds
	// settle every text that is no attack on the bound.
	const rounds = 8
	var found []Finding
	for range rounds {
		c := scan{s: s, rules: index()}
		c.run()
		if len(c.spans) == 0 {
			break
		}
		c.beside()
		s, found = c.replaced(found)
	}
	return s, found
}

// replaced writes the marks and adds the findings. Of spans that overlap the
// first counts.
func (c *scan) replaced(found []Finding) (string, []Finding) {
	slices.SortStableFunc(c.spans, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	b.Grow(len(c.s))
	done := 0
	for _, p := range c.spans {
		if p.from < done {
			continue
		}
		b.WriteString(c.s[done:p.from])
		b.WriteString(p.quote + markStart + p.kind + markEnd + p.quote)
		found = append(found, Finding{Kind: p.kind, Code: c.hidesCode(p)})
		done = p.to
	}
	b.WriteString(c.s[done:])
	return b.String(), found
}

// hidesCode reports whether a shell might run or split the text of a span: it has a blank, a
// sign of the shell's, or stands behind a backtick.
func (c *scan) hidesCode(p span) bool {
	const signs = " \t\r\n`$;|&<>(){}"
	return strings.ContainsAny(c.s[p.from:p.to], signs) || p.from > 0 && c.s[p.from-1] == '`'
}

// markAt returns the end of the mark that begins at i, 0 if there is none.
func markAt(s string, i int) int {
	end := min(len(s), i+markLimit)
	rest, ok := strings.CutPrefix(s[i:end], markStart)
	kind, behind, closed := strings.Cut(rest, markEnd)
	if !ok || !closed || !isKind(kind) {
		return 0
	}
	return end - len(behind)
}
