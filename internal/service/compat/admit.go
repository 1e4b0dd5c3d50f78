package compat

import (
	"errors"
	"net/http"
	"strings"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// admit lets in who may use the route, with a query that it knows.
func (h *Handler) admit(x *exchange) error {
	if x.route.Open {
		return nil
	}
	if err := h.identify(x); err != nil {
		return err
	}
	if !x.who.Scopes.HasAny(x.route.Scopes) && x.who.Agent != "" {
		return refuse(http.StatusForbidden, "the request comes from a program that %s runs, and no agent decides; decide in a terminal of your own", x.who.Agent)
	}
	if !x.who.Scopes.HasAny(x.route.Scopes) {
		return refuse(http.StatusForbidden, "%s has the scopes %s, and this needs %s; use a token that has the scope",
			x.who.Name, x.who.Scopes, strings.Join(x.route.Scopes.Names(), " or "))
	}
	var err error
	x.query, err = webguard.Query(x.r.URL, x.route.Query)
	return err
}

// identify finds who asks: by the token in the path, or as the server's chain
// found out.
func (h *Handler) identify(x *exchange) error {
	if who, ok := auth.FromContext(x.context()); ok && !strings.Contains(x.route.Path, "{token}") {
		x.who = who
		return nil
	}
	return h.credentials(x)
}

// credentials finds who asks by what the request carries.
func (h *Handler) credentials(x *exchange) (err error) {
	if strings.Contains(x.route.Path, "{token}") {
		if x.who, err = h.byPath(x.r); err == nil {
			x.r = x.r.WithContext(auth.NewContext(x.context(), x.who)) // which the log tells
		}
		return err
	}
	x.who, err = h.b.Auth.Identify(x.r)
	return unauthorized(err)
}

// byPath returns the identity of the token in the path. The URL is easily
// seen, so that the token must be one that only submits.
func (h *Handler) byPath(r *http.Request) (auth.Identity, error) {
	if r.Header.Get("Authorization") != "" {
		return auth.Identity{}, unauthorized(auth.ErrTwice)
	}
	who, err := h.b.Auth.Token(r.Context(), r.PathValue("token"))
	if err != nil {
		return auth.Identity{}, unauthorized(err)
	}
	if who.Scopes != auth.Submit {
		return auth.Identity{}, refuse(http.StatusForbidden,
			"the token in the URL may do more than submit, and a URL is easily seen; revoke it, and put one there that may only submit")
	}
	return who, nil
}

// unauthorized returns the refusal of an error of package auth, and another
// error as it is.
func unauthorized(err error) error {
	for _, known := range []error{auth.ErrAbsent, auth.ErrDenied, auth.ErrInURL, auth.ErrTwice} {
		if errors.Is(err, known) {
			return refuse(http.StatusUnauthorized, "%s", known)
		}
	}
	return err
}
