package route

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// repeated is the parameter that may stand more than once.
const repeated = "state"

// admit lets in who may use the route, with a query that it knows and an id that is
// one. What is open
// and has its sender proved reads its query itself.
func (x *Exchange) admit() error {
	t := x.row
	if t.Open && t.Proved {
		return nil
	}
	if !t.Open {
		if err := x.identify(); err != nil {
			return err
		}
		if !x.Who.Scopes.HasAny(t.Scopes) && x.Who.Agent != "" {
			return FromAgent(x.Who.Agent)
		}
		if !x.Who.Scopes.HasAny(t.Scopes) {
			return Refuse(http.StatusForbidden, "scope",
				fmt.Sprintf("%s has the scopes %s, and this needs %s", x.Who.Name, x.Who.Scopes, strings.Join(t.Scopes.Names(), " or ")),
				"use a token that has the scope")
		}
	}
	var err error
	if x.Query, err = webguard.Query(x.R.URL, t.Query, repeated); err != nil {
		return err
	}
	x.ID = x.R.PathValue("id")
	if strings.Contains(t.Path, "{id}") && !webguard.ValidID(x.ID) {
		return Refuse(http.StatusBadRequest, "bad-id", fmt.Sprintf("%.64q is not an id", x.ID),
			"an id has letters, digits and . _ : - and begins with a letter or a digit")
	}
	return nil
}

// FromAgent refuses what a program of an agent asks and only a person may.
func FromAgent(agent string) error {
	return Refuse(http.StatusForbidden, "agent", "the request comes from a program that "+agent+" runs, and no agent decides",
		"decide in a terminal of your own")
}

// identify finds who asks: the server's chain may have done so.
func (x *Exchange) identify() error {
	if who, ok := auth.FromContext(x.Context()); ok && !x.row.tokenInPath() {
		x.Who = who
		return nil
	}
	return x.Authenticate()
}

// Authenticate finds who asks by what the request carries.
func (x *Exchange) Authenticate() (err error) {
	if x.row.tokenInPath() {
		if x.Who, err = x.byPath(); err == nil {
			x.R = x.R.WithContext(auth.NewContext(x.Context(), x.Who)) // which the log tells
		}
	} else {
		x.Who, err = x.Auth.Identify(x.R)
	}
	for code, known := range unknown {
		if errors.Is(err, known) {
			detail, hint, _ := strings.Cut(known.Error(), "; ")
			return Refuse(http.StatusUnauthorized, code, detail, hint)
		}
	}
	return err
}

// unknown are the errors about who asks, by their codes. Each says what is wrong
// and the next step.
var unknown = map[string]error{
	"no-credentials": auth.ErrAbsent, "bad-credentials": auth.ErrDenied,
	"credentials-in-url": auth.ErrInURL, "credentials-twice": auth.ErrTwice,
}

// byPath returns the identity of the token in the path. The URL is easily
// seen, so that the token must be one that only submits.
func (x *Exchange) byPath() (auth.Identity, error) {
	if x.R.Header.Get("Authorization") != "" {
		return auth.Identity{}, auth.ErrTwice
	}
	who, err := x.Auth.Token(x.Context(), x.R.PathValue("token"))
	if err == nil && who.Scopes != auth.Submit {
		err = Refuse(http.StatusForbidden, "scope", "the token in the URL may do more than submit, and a URL is easily seen",
			"revoke it, and put one there that may only submit")
	}
	if err != nil {
		return auth.Identity{}, err
	}
	return who, nil
}
