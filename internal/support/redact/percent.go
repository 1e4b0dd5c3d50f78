package redact

import "strings"

// escaped looks for a secret in a URL within a URL, whose signs are written in
// percents: "%3Ftoken%3Dx", "https%3A%2F%2Fann%3Ax%40host".
func (c *scan) escaped() bool {
	rest := c.s[c.i:]
	if len(rest) < 3 || rest[1] != '3' {
		return false
	}
	switch rest[2] {
	case 'D', 'd':
		return c.escapedValue()
	case 'A', 'a':
		return c.escapedUser()
	}
	return false
}

// escapedValue looks for a secret behind "NAME%3D".
func (c *scan) escapedValue() bool {
	s, k := c.s, c.i
	for k > c.from && c.i-k < maxName && nameBytes[s[k-1]] {
		k--
	}
	if k > 0 && s[k-1] == '%' { // the digits of an escape
		k = min(c.i, k+2)
	}
	name := s[k:c.i]
	kind := kindOfName(name)
	if kind == "" {
		return false
	}
	from := c.i + len("%3D")
	end := escapedEnd(s, from)
	if !isSecretText(kind, name, s[from:end]) {
		return false
	}
	c.add(kind, from, end)
	return true
}

// escapedEnd returns the end of a value in percents: that of the parameter, or
// of the URL.
func escapedEnd(s string, i int) int {
	for i < len(s) && (nameBytes[s[i]] || strings.IndexByte("%~*+", s[i]) >= 0) {
		if s[i] == '%' && i+2 < len(s) && has(separators, s[i+1:i+3]) {
			break
		}
		i++
	}
	return i
}

// separators are the signs, in hexadecimal, with which a parameter ends: a line
// end, blank, quotes, # & ; and brackets.
var separators = words("0a 0d 20 22 23 26 27 3b 3c 3e 5c 7b 7d")

// escapedUser looks for a password behind "%3A%2F%2F", as that of
// [scan.userOfURL].
func (c *scan) escapedUser() bool {
	const begin, reach = "%3A%2F%2F", 512
	s := c.s
	from := c.i + len(begin)
	if from > len(s) || !strings.EqualFold(s[c.i:from], begin) {
		return false
	}
	upper := strings.ToUpper(s[from:min(len(s), from+reach)])
	at := strings.Index(upper, "%40")
	colon := strings.Index(upper, "%3A")
	if at < 0 || colon < 0 || colon > at || strings.ContainsAny(upper[:at], "/?&#'\"` \t\n") || strings.Contains(upper[:at], "%2F") {
		return false
	}
	secret := from + colon + len("%3A")
	if isPlaceholder(s[secret : from+at]) {
		return false
	}
	c.add("url-password", secret, from+at)
	return true
}
