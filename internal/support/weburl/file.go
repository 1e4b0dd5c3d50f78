package weburl

import (
	"net/url"
	"strings"
)

// File returns the path that a URL of the scheme file names; ok is false, and path the
// text itself, where it is none.
func File(text string) (path string, ok bool) {
	if len(text) < len("file:/") || !strings.EqualFold(text[:len("file:")], "file:") {
		return text, false
	}
	path = text[len("file:"):]
	if rest, found := strings.CutPrefix(path, "//"); found {
		at := max(0, strings.IndexByte(rest, '/'))
		if host := rest[:at]; host != "" && !strings.EqualFold(host, "localhost") && host != "127.0.0.1" {
			return text, false
		}
		path = rest[at:]
	}
	if path == "" || path[0] != '/' {
		return text, false
	}
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	return "/" + strings.TrimLeft(path, "/"), true
}
