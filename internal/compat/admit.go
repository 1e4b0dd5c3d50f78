package compat

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/auth"
	"github.com/policyctl/policyctl/internal/spelling"
)

// admit lets in who may use the route, with a query that it knows.
func (h *Handler) admit(x *exchange) error {
	if x.route.Open {
		return nil
	}
	if err := h.identify(x); err != nil {
		return err
	}
	if !may(x.who.Scopes, x.route.Scopes) {
		return refuse(http.StatusForbidden, "%s has the scopes %s, and this needs %s; use a token that has the scope",
			x.who.Name, x.who.Scopes, strings.Join(names(x.route.Scopes), " or "))
	}
	return x.readQuery()
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
		x.who, err = h.byPath(x.r)
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

// bits lists the scopes of a set.
func bits(s auth.Scope) (list []auth.Scope) {
	for _, bit := range []auth.Scope{submit, approve, read, admin} {
		if s&bit != 0 {
			list = append(list, bit)
		}
	}
	return list
}

func names(s auth.Scope) (list []string) {
	for _, bit := range bits(s) {
		list = append(list, bit.String())
	}
	return list
}

// may says whether an identity has one of the scopes.
func may(has, oneOf auth.Scope) bool { return slices.ContainsFunc(bits(oneOf), has.Has) }

// readQuery reads the query. What is not known is refused, since it would be
// taken for something that counts.
func (x *exchange) readQuery() (err error) {
	if x.query, err = url.ParseQuery(x.r.URL.RawQuery); err != nil {
		return refuse(http.StatusBadRequest, "the query of the URL is not well-formed; encode it as a form is")
	}
	for _, key := range slices.Sorted(maps.Keys(x.query)) {
		if !slices.Contains(x.route.Query, key) {
			return unknownParameter(key, x.route.Query)
		}
		if len(x.query[key]) > 1 {
			return refuse(http.StatusBadRequest, "the parameter %s stands more than once; give it once", key)
		}
	}
	return nil
}

func unknownParameter(key string, known []string) error {
	next := "there are none here"
	if near := spelling.Nearest(key, known); near != "" {
		next = "did you mean " + near + "?"
	} else if len(known) > 0 {
		next = "there are " + strings.Join(known, ", ")
	}
	return refuse(http.StatusBadRequest, "the parameter %.64q is not known; %s", key, next)
}
