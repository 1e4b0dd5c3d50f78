// Package weburl reads URLs as the programs that fetch them do: a host is the
// same in upper and lower case, in percent-encoding, as an international name
// and as a number, and a path is what is left of it once ".." is resolved.
//
// [Canonical] is for allowing: it has an answer only where all programs agree.
// [Readings] is for denying: what any program may make of the text. The package
// looks nothing up and decides nothing.
package weburl

import "strings"

// Canonical returns the form of an absolute URL in which two that name the same
// are equal. ok is false where programs read it in different ways, as with a
// user before the host, a backslash, or a number for an address.
func Canonical(s string) (canonical string, ok bool) {
	scheme, rest, found := strings.Cut(s, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, port := splitPort(rest[:end])
	if !found || !isScheme(scheme) || strings.ContainsFunc(s, isAmbiguous) || !isPlainHost(host) || strings.Trim(port, "0123456789") != "" {
		return "", false
	}
	path, query := splitQuery(rest[end:])
	if isTricky(path) {
		return "", false
	}
	scheme = strings.ToLower(scheme)
	return scheme + "://" + canonicalHost(host) + portOf(scheme, port) + resolve(path) + query, true
}

// Same reports whether a canonical URL is the text as it is written, but for
// the slash that stands for no path.
func Same(canonical, written string) bool {
	return canonical == written || canonical == written+"/"
}

// Readings returns every URL that some program may take a text for, the text
// itself first.
func Readings(s string) []string {
	list := []string{s}
	add := func(v string) {
		for _, have := range list {
			if have == v {
				return
			}
		}
		list = append(list, v)
	}
	text := strings.TrimFunc(withoutBreaks(s), func(r rune) bool { return r <= ' ' })
	slashed, query := splitQuery(text)
	for _, v := range [2]string{text, strings.ReplaceAll(slashed, `\`, "/") + query} {
		if one, ok := lenient(v); ok {
			add(one)
			add(strings.TrimSuffix(one, "/"))
			add(single(one))
		}
	}
	return list
}

// lenient reads a URL as a browser does: nothing is wrong with it.
func lenient(s string) (string, bool) {
	scheme, rest, found := strings.Cut(s, ":")
	switch {
	case found && strings.HasPrefix(rest, "//") && isScheme(scheme), found && isSpecial(strings.ToLower(scheme)):
		scheme, rest = strings.ToLower(scheme), strings.TrimLeft(rest, "/")
	default:
		scheme, rest = "", s
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority := rest[:end]
	host, port := splitPort(authority[strings.LastIndexByte(authority, '@')+1:])
	path, query := splitQuery(rest[end:])
	if scheme == "" {
		return canonicalHost(host) + portOf("", port) + path + query, host != ""
	}
	return scheme + "://" + canonicalHost(host) + portOf(scheme, port) + resolve(decoded(path)) + query, true
}

// single returns a URL with each run of slashes in its path as one.
func single(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		return s
	}
	path, query := splitQuery(rest)
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return scheme + "://" + path + query
}

// Pattern returns a pattern of URLs with its scheme and its host in the form of
// [Canonical]; * and ? stand for text that is unknown.
func Pattern(p string) string {
	scheme, rest, ok := strings.Cut(p, "://")
	if !ok || strings.ContainsAny(scheme, `*?\`) {
		return p
	}
	end := strings.IndexAny(rest, `/*?\:`)
	if end < 0 {
		end = len(rest)
	}
	host := rest[:end]
	if end < len(rest) && rest[end] != '/' && rest[end] != ':' {
		end += (strings.IndexByte(rest[end:]+"/", '/'))
		host = rest[:min(end, len(rest))]
	} else if end == len(rest) || rest[end] == '/' || rest[end] == ':' && !strings.HasPrefix(rest, "[") {
		host = canonicalHost(host)
	}
	if v6, after, found := strings.Cut(rest, "]"); found && strings.HasPrefix(rest, "[") && !strings.ContainsAny(v6, "*?/") {
		host, rest, end = canonicalHost(v6+"]"), after, 0
	}
	return strings.ToLower(scheme) + "://" + strings.ToLower(host) + rest[end:]
}

func isScheme(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '+' || r == '-' || r == '.')
	})
}

// isSpecial reports whether a scheme takes any number of slashes before its
// host (the URL standard, special schemes).
func isSpecial(scheme string) bool {
	switch scheme {
	case "http", "https", "ws", "wss", "ftp":
		return true
	}
	return false
}

// isAmbiguous reports whether programs disagree about a character.
func isAmbiguous(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }

// isTricky reports whether servers may read a path in different ways: where a
// slash is encoded beside dots, or dots have parameters.
func isTricky(path string) bool {
	folded := strings.ToLower(path)
	dots := strings.Contains(strings.ReplaceAll(folded, "%2e", "."), "..")
	return dots && (strings.Contains(folded, "%2f") || strings.Contains(folded, "%5c") || strings.Contains(folded, ";"))
}

// withoutBreaks returns a text without the tabs and line breaks that browsers
// leave out of a URL.
func withoutBreaks(s string) string {
	for _, c := range [...]string{"\t", "\n", "\r"} {
		s = strings.ReplaceAll(s, c, "")
	}
	return s
}

func splitQuery(s string) (path, query string) {
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

func splitPort(authority string) (host, port string) {
	i := strings.LastIndexByte(authority, ':')
	if i < 0 || strings.HasSuffix(authority, "]") {
		return authority, ""
	}
	return authority[:i], authority[i+1:]
}

// portOf returns the port of a URL, "" for that of its scheme.
func portOf(scheme, port string) string {
	port = strings.TrimLeft(port, "0")
	switch {
	case port == "", port == "80" && (scheme == "http" || scheme == "ws"), port == "443" && (scheme == "https" || scheme == "wss"), port == "21" && scheme == "ftp":
		return ""
	}
	return ":" + port
}

// resolve takes "." and ".." out of a path, however the dots are encoded.
func resolve(path string) string {
	if path == "" {
		return "/"
	}
	var out []string
	elems := strings.Split(path[1:], "/")
	for i, e := range elems {
		switch strings.ReplaceAll(strings.ToLower(e), "%2e", ".") {
		case "..":
			out = out[:max(0, len(out)-1)]
		case ".":
		default:
			out = append(out, e)
			continue
		}
		if i == len(elems)-1 {
			out = append(out, "")
		}
	}
	return "/" + strings.Join(out, "/")
}

// decoded returns a path with what needs no encoding in plain.
func decoded(path string) string {
	return unescape(path, func(c byte) bool { return isAlnum(c) || strings.IndexByte("-._~/", c) >= 0 })
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// octet returns the byte that %XX at the start of s encodes.
func octet(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	hi, lo := strings.IndexByte(hexDigits, s[1]|0x20), strings.IndexByte(hexDigits, s[2]|0x20)
	return byte(hi<<4 | lo), hi >= 0 && lo >= 0
}

const hexDigits = "0123456789abcdef"
