package api

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/auth"
	"github.com/policyctl/policyctl/internal/spelling"
)

// admit lets in who may use a route, with a query that it knows.
func (a *API) admit(x *exchange, t *Route) error {
	if !t.Open {
		if err := a.identify(x); err != nil {
			return err
		}
		if !may(x.who.Scopes, t.Scopes) {
			return &refusal{http.StatusForbidden, "scope",
				fmt.Sprintf("%s has the scopes %s, and this needs %s", x.who.Name, x.who.Scopes, orList(t.Scopes)),
				"use a token that has the scope", nil}
		}
	}
	return x.readQuery(t.Query)
}

// identify finds who asks: the server's chain may have done so.
func (a *API) identify(x *exchange) error {
	if who, ok := auth.FromContext(x.r.Context()); ok {
		x.who = who
		return nil
	}
	return a.credentials(x)
}

// credentials finds who asks by what the request carries.
func (a *API) credentials(x *exchange) error {
	var err error
	x.who, err = a.b.Auth.Identify(x.r)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, auth.ErrAbsent):
		return unauthorized("no-credentials", err)
	case errors.Is(err, auth.ErrDenied):
		return unauthorized("bad-credentials", err)
	case errors.Is(err, auth.ErrInURL):
		return unauthorized("credentials-in-url", err)
	case errors.Is(err, auth.ErrTwice):
		return unauthorized("credentials-twice", err)
	}
	return err
}

// unauthorized says what and the next step, which the error holds in this order.
func unauthorized(code string, err error) error {
	detail, hint, _ := strings.Cut(err.Error(), "; ")
	return &refusal{http.StatusUnauthorized, code, detail, hint, nil}
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

// may says whether an identity has one of the scopes.
func may(has, oneOf auth.Scope) bool { return slices.ContainsFunc(bits(oneOf), has.Has) }

func orList(s auth.Scope) string {
	var names []string
	for _, bit := range bits(s) {
		names = append(names, bit.String())
	}
	return strings.Join(names, " or ")
}

// readQuery reads the query. What is not known is refused, since it would be
// taken for something that counts; "state" alone may stand more than once.
func (x *exchange) readQuery(known []string) error {
	var err error
	if x.query, err = url.ParseQuery(x.r.URL.RawQuery); err != nil {
		return badQuery("the query of the URL is not well-formed", "encode it as a form is")
	}
	for _, key := range slices.Sorted(maps.Keys(x.query)) {
		if !slices.Contains(known, key) {
			return unknownParameter(key, known)
		}
		if len(x.query[key]) > 1 && key != "state" {
			return badQuery(fmt.Sprintf("the parameter %s stands more than once", key), "give it once")
		}
	}
	return nil
}

func unknownParameter(key string, known []string) error {
	hint := "there are none here"
	if near := spelling.Nearest(key, known); near != "" {
		hint = "did you mean " + near + "?"
	} else if len(known) > 0 {
		hint = "there are " + strings.Join(known, ", ")
	}
	return badQuery(fmt.Sprintf("the parameter %.64q is not known", key), hint)
}

func badQuery(detail, hint string) error {
	return &refusal{http.StatusBadRequest, "bad-query", detail, hint, nil}
}
