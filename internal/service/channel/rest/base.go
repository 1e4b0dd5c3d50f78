package rest

import (
	"errors"
	"fmt"
	"net/url"

	"github.com/policyctl/policyctl/internal/support/outbound"
)

// Base reads the base of an API that is sent a secret, "" for the usual one. It is https,
// or on this machine.
func Base(text, usual string) (*url.URL, error) {
	if text == "" {
		text = usual
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("api is no address; leave it out, or write one such as %s", usual)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("api has a user, a query or a fragment; leave them out")
	case u.Scheme == "http" && !outbound.IsHere(u.Hostname()):
		return nil, errors.New("api is http, so that others can read the token; write https")
	}
	return u, nil
}
