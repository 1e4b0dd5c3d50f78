package subscription

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// leastSecret is the length from which a value counts as a secret: a shorter
// one is part of many words.
const leastSecret = 4

var errHidden = errors.New("the request failed, and what is known of it holds credentials: check the URL, the proxy and the server")

// hide replaces an error that would show credentials of a request: servers
// and proxies may repeat them, for example in a redirect.
func (s *server) hide(r *http.Request, err error) error {
	text := err.Error()
	for _, secret := range s.secrets(r.Header) {
		if strings.Contains(text, secret) {
			return errHidden
		}
	}
	return err
}

// secrets are the values of a request that only the server may see, as they
// are and as they look in a URL.
func (s *server) secrets(h http.Header) []string {
	var all []string
	for _, w := range append(inURL(s.address.url), inHeader(h)...) {
		if len(w) >= leastSecret {
			all = append(all, w, url.QueryEscape(w), url.PathEscape(w))
		}
	}
	return all
}

func inURL(u *url.URL) []string {
	all := []string{u.RawQuery}
	for _, values := range u.Query() {
		all = append(all, values...)
	}
	if u.User == nil {
		return all
	}
	name := u.User.Username()
	password, has := u.User.Password()
	if !has {
		return append(all, name) // a token
	}
	return append(all, password, base64.StdEncoding.EncodeToString([]byte(name+":"+password)))
}

// public are the headers that are not the caller's.
var public = map[string]bool{"User-Agent": true, "Accept-Encoding": true, "Prefer": true, "If-None-Match": true}

func inHeader(h http.Header) []string {
	var all []string
	for name, values := range h {
		if public[name] {
			continue
		}
		for _, v := range values {
			_, credential, _ := strings.Cut(v, " ") // after the scheme
			all = append(all, v, strings.TrimSpace(credential))
		}
	}
	return all
}
