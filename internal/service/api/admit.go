package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// admit lets in who may use a route, with a query that it knows.
func (a *API) admit(x *exchange, t *Route) error {
	if !t.Open {
		if err := a.identify(x); err != nil {
			return err
		}
		if !x.who.Scopes.HasAny(t.Scopes) && x.who.Agent != "" {
			return fromAgent(x.who.Agent)
		}
		if !x.who.Scopes.HasAny(t.Scopes) {
			return &refusal{http.StatusForbidden, "scope",
				fmt.Sprintf("%s has the scopes %s, and this needs %s", x.who.Name, x.who.Scopes, strings.Join(t.Scopes.Names(), " or ")),
				"use a token that has the scope", nil}
		}
	}
	var err error
	x.query, err = webguard.Query(x.r.URL, t.Query, "state")
	return err
}

// fromAgent refuses what a program of an agent asks and only a person may.
func fromAgent(agent string) error {
	return &refusal{http.StatusForbidden, "agent", "the request comes from a program that " + agent + " runs, and no agent decides",
		"decide in a terminal of your own", nil}
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
