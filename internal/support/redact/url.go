package redact

import "strings"

// userOfURL looks for a password behind the "://" at which the scan stands
// (RFC 3986, 3.2.1).
func (c *scan) userOfURL() bool {
	s := c.s
	if !strings.HasPrefix(s[c.i:], "://") {
		return false
	}
	from := c.i + len("://")
	at := userEnd(s, from)
	if at == 0 {
		return false
	}
	user, password, ok := strings.Cut(s[from:at], ":")
	start := at - len(password)
	if !ok || password == "" || password == "x-oauth-basic" {
		if !isTokenUser(user) {
			return false
		}
		start, at = from, from+len(user)
	}
	if isPlaceholder(s[start:at]) {
		return false
	}
	c.add("url-password", start, at)
	return true
}

// userEnd returns the place of the "@" that ends the user of a URL, 0 if there
// is none. A password may hold "/", "?" and "#" where a browser would not let
// it: what then follows the colon is no port. The blank of a mark ends it too.
func userEnd(s string, from int) int {
	const reach = 256 // for passwords with signs that end an authority
	at, sign := 0, 0
	for i := from; i < len(s); i++ {
		switch b := s[i]; {
		case space[b] || isQuote(b) || b == '<' || b == '>' || b == '\\' || b == 0:
			return at
		case b == '@':
			at = i
		case b == '/' || b == '?' || b == '#':
			if at != 0 || !hasPassword(s[from:i]) {
				return at
			}
			if sign == 0 {
				sign = i
			}
		}
		if at == 0 && sign != 0 && i-sign > reach {
			return 0
		}
	}
	return at
}

// hasPassword reports whether a colon stands in the text with something behind it
// that is no port and no variable.
func hasPassword(s string) bool {
	_, port, ok := strings.Cut(s, ":")
	return ok && port != "" && !isNumber(port) && !strings.ContainsAny(port, "${}[]:")
}

// isTokenUser reports whether the user of a URL is a token by its looks.
func isTokenUser(s string) bool {
	return len(s) >= 20 && word.run(s, 0) == len(s) && hasDigit(s) && strings.ContainsAny(s, upper+lower)
}
