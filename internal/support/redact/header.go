package redact

import "strings"

// header looks for the secret of an Authorization or Cookie header whose value
// begins at i.
func (c *scan) header(kind string, i int) bool {
	v := literal{from: i, to: headerEnd(c.s, i, headerLimit)}
	if q := readLiteral(c.s, i); q.quoted {
		v = q
	}
	if kind == "cookie" {
		if text := v.of(c.s); !strings.Contains(text, "=") || isPlaceholder(text) {
			return false
		}
		if !v.quoted {
			v.to = headerEnd(c.s, v.to, len(c.s))
		}
		c.add(kind, v.from, v.to)
		return true
	}
	from, to := credentials(c.s, v)
	if from == to {
		return false
	}
	if to == v.to && !v.quoted { // longer than the limit
		to = max(to, base64ish.run(c.s, to))
	}
	c.add(kind, from, to)
	return true
}

// headerLimit bounds how much of a header is read to judge it.
const headerLimit = 2048

// headerEnd returns the end of a header without quotes of its own: that of the
// line or of the quote in which the header stands.
func headerEnd(s string, i, limit int) int {
	end := min(len(s), i+limit)
	for i < end && s[i] != '\n' && s[i] != '\r' && !isQuote(s[i]) && s[i] != '\\' && (s[i] != '[' || markAt(s, i) == 0) {
		i++
	}
	return i
}

// credentials returns what stands behind the scheme of an Authorization
// header (RFC 9110, 11.4): one word, or a list for the schemes that have
// parameters. Without a scheme, the value is the secret if it is one word.
func credentials(s string, v literal) (from, to int) {
	text := v.of(s)
	scheme, rest, ok := strings.Cut(text, " ")
	if !ok || !isScheme(scheme) {
		if ok || len(text) < 8 || !hasDigit(text) || isPlaceholder(text) {
			return 0, 0
		}
		return v.from, v.to
	}
	from, to = v.to-len(strings.TrimLeft(rest, " ")), v.to
	if !has(listSchemes, scheme) {
		if at := strings.IndexAny(s[from:to], " \t,;"); at >= 0 {
			to = from + at
		}
	}
	secret := s[from:to]
	if len(secret) < 4 || isPlaceholder(secret) || has(harmlessValues, secret) {
		return 0, 0
	}
	if to < v.to && strings.Trim(secret, upper+lower) == "" || !hasLower(secret) && !hasDigit(secret) {
		return 0, 0 // "Bearer token is missing", "Bearer TOKEN"
	}
	return from, to
}

func isScheme(s string) bool { return has(schemes, s) || has(listSchemes, s) }

var (
	schemes = words(`bearer basic token negotiate ntlm apikey api-key key bot jwt splunk sso-key geniekey private-token access_token
		pveapitoken ghtoken discogs`)
	// listSchemes have parameters behind them.
	listSchemes = words("aws4-hmac-sha256 digest oauth signature hawk hmac sharedkey sharedaccesssignature mac")
)
