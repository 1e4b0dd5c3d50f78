package redact

import "strings"

// escaped looks for a secret in a URL within a URL, whose signs are written in
// percents: "%3Ftoken%3Dx", "https%3A%2F%2Fann%3Ax%40host".
func (c *scan) escaped() bool {
	switch c.s[c.i:min(len(c.s), c.i+len("%3D"))] {
	case "%3D", "%3d":
		return c.escapedValue()
	case "%3A", "%3a":
		return c.escapedUser()
	}
	return false
}

// escapedValue looks for a secret behind "NAME%3D".
func (c *scan) escapedValue() bool {
	s, k := c.s, c.nameStart(c.i)
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
	if !strings.EqualFold(s[c.i:min(len(s), from)], begin) {
		return false
	}
	login, _, ended := strings.Cut(upperEscapes.Replace(s[from:min(len(s), from+reach)]), "%40")
	_, secret, ok := strings.Cut(login, "%3A")
	if !ended || !ok || strings.ContainsAny(login, "/?&#'\"` \t\n") || strings.Contains(login, "%2F") || isPlaceholder(secret) {
		return false
	}
	end := from + len(login)
	c.add("url-password", end-len(secret), end)
	return true
}

// upperEscapes writes the escapes of ":" and "/" in capitals. Unlike
// [strings.ToUpper] it keeps every byte at its place.
var upperEscapes = strings.NewReplacer("%3a", "%3A", "%2f", "%2F")
