package own

import (
	"net/url"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/support/weburl"
)

// An address is where a service listens.
type address struct {
	// socket is the path of a Unix socket; the others are empty then.
	socket string
	// host is a name or an IP address in its usual form, "" for this machine by
	// any of its names.
	host string
	port string
	// prefix is the path below which the routes lie, without a slash at its end.
	prefix string
}

func parseAddress(text string) (address, bool) {
	if path, ok := strings.CutPrefix(text, "unix:"); ok {
		return address{socket: path}, strings.HasPrefix(path, "/")
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return address{}, false
	}
	a := address{host: hostOf(u.Host), port: u.Port(), prefix: strings.TrimRight(u.Path, "/")}
	if rest, ok := strings.CutPrefix(a.prefix, "/s/"); ok && !strings.Contains(rest, "/") {
		a.prefix = "" // the token of a client that knows nothing but a URL
	}
	if a.port == "" {
		a.port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return a, true
}

// hostOf returns the host of HOST or HOST:PORT in its usual form, "" for this
// machine.
func hostOf(text string) string {
	for _, r := range weburl.Readings("http://" + text + "/") {
		u, err := url.Parse(r)
		if err != nil {
			continue
		}
		host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
		if command.IsLoopback(host) {
			return ""
		}
		text = host
	}
	return text
}

// A target is a URL as a program may read it.
type target struct{ host, port, path string }

// targets returns what a word may name as a URL: with a scheme or without one,
// and, as httpie has it, without a host.
func targets(word string) []target {
	if strings.HasPrefix(word, ":") {
		word = "localhost" + word
	}
	if strings.HasPrefix(word, "//") || !strings.Contains(word, "://") {
		word = "http://" + strings.TrimLeft(word, "/")
	}
	var out []target
	for _, r := range weburl.Readings(word) {
		scheme, rest, _ := strings.Cut(r, "://")
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		authority, path := rest[:end], rest[end:]
		authority = authority[strings.LastIndexByte(authority, '@')+1:]
		host, port := authority, ""
		if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.HasSuffix(authority, "]") {
			host, port = authority[:i], authority[i+1:]
		}
		if port == "" {
			port = map[string]string{"https": "443", "wss": "443"}[scheme]
		}
		if port == "" {
			port = "80"
		}
		out = append(out, target{hostOf(host), port, path})
	}
	return out
}

// at returns the path below the address that a URL names.
func (a *address) at(t *target) (path string, ok bool) {
	if a.socket != "" || t.port != a.port || t.host != a.host && (t.host != "" || a.host != "") {
		return "", false
	}
	path, below := strings.CutPrefix(t.path, a.prefix)
	if !below && a.prefix != "" {
		return "", false // of something else behind the same door
	}
	return path, true
}
