package subscription

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
)

// An address is where a bundle comes from: a path or a URL.
type address struct {
	path  string   // of a file, or ""
	url   *url.URL // of a server, or nil
	shown string   // for messages: without credentials
	clear bool     // what is sent can be read and changed on the way
}

// The errors hold nothing of the address: a misspelt one may show a password.
var (
	errNoURL    = errors.New("it has no URL: write https://HOST/PATH, file:///PATH or an absolute path")
	errURL      = errors.New("the URL cannot be read: write https://HOST/PATH, file:///PATH or an absolute path")
	errRelative = errors.New("the path is relative: write it from the root of the file system")
	errFragment = errors.New("the URL has a # part, which no server sees: remove it")
)

func parseAddress(text string) (address, error) {
	if text == "" {
		return address{}, errNoURL
	}
	if !strings.Contains(text, "://") {
		return fileAddress(text)
	}
	u, err := url.Parse(text)
	if err != nil {
		return address{}, errURL
	}
	switch {
	case u.Fragment != "":
		return address{}, errFragment
	case u.Scheme == "file" && (u.Host == "" || u.Host == "localhost") && u.User == nil && u.RawQuery == "":
		return fileAddress(filepath.FromSlash(u.Path))
	case (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "":
		return address{url: u, shown: show(u), clear: u.Scheme == "http" && !loopback(u.Hostname())}, nil
	}
	return address{}, errURL
}

func fileAddress(path string) (address, error) {
	switch {
	case strings.ContainsRune(path, 0):
		return address{}, errURL
	case !filepath.IsAbs(path):
		return address{}, errRelative
	}
	path = filepath.Clean(path)
	return address{path: path, shown: path}, nil
}

// show is a URL without its user and the values of its query.
func show(u *url.URL) string {
	plain := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.RawQuery != "" {
		return plain.String() + "?…"
	}
	return plain.String()
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && a.Unmap().IsLoopback()
}

// secret reports whether the address itself may hold credentials.
func (a address) secret() bool {
	return a.url != nil && (a.url.User != nil || a.url.RawQuery != "")
}

// id tells the sources apart whose conditions mean different things.
func (a address) id() string {
	text := "file " + a.path
	if a.url != nil {
		plain := *a.url
		plain.User = nil
		text = plain.String()
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
