package api

import (
	_ "embed"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/audit"
)

//go:embed login.html
var loginHTML []byte

// loginPolicy lets the page use what this origin serves, and nothing else.
const loginPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (a *API) loginPage(x *route.Exchange) error {
	x.W.Header().Set("Content-Security-Policy", loginPolicy)
	return x.Write(http.StatusOK, "text/html; charset=utf-8", loginHTML)
}

func (a *API) whoami(x *route.Exchange) error {
	return x.Answer(http.StatusOK, struct {
		Identity string   `json:"identity"`
		Scopes   []string `json:"scopes"`
		TokenID  string   `json:"token_id,omitempty"`
	}{x.Who.Name, x.Who.Scopes.Names(), x.Who.TokenID})
}

// login exchanges a code. Only wrong ones count for the rate, and the right one
// is never kept waiting: who does not know it would else lock a person out.
func (a *API) login(x *route.Exchange, body *struct {
	Code string `json:"code"`
}) error {
	if agent := x.Auth.AgentOf(x.Context()); agent != "" {
		return route.FromAgent(agent)
	}
	s, err := x.Logins.Exchange(body.Code)
	if err != nil && !errors.Is(err, auth.ErrDenied) {
		return err
	}
	if err != nil {
		if e := a.logins.Take(""); e != nil {
			return e
		}
		return route.Refuse(http.StatusUnauthorized, "bad-code", "the code is not accepted",
			"a code works once, for two minutes; have the service print another one")
	}
	return loggedIn(x, s)
}

// loggedIn answers with a login that has begun, unless it cannot be recorded.
func loggedIn(x *route.Exchange, s auth.Session) error {
	if err := x.Data.Record(x.Context(), loginEntry(s.Identity.Name, x.Now(), "in")); err != nil {
		return errors.Join(err, x.Logins.Undo(s)) // what is not on record is not done
	}
	auth.SetCookie(x.W, x.R, s)
	return x.Answer(http.StatusOK, struct {
		Token    string    `json:"token"`
		Expires  time.Time `json:"expires"`
		Identity string    `json:"identity"`
	}{s.Secret, s.Expires.UTC(), s.Identity.Name})
}

// logout ends the login that the request comes with.
func (a *API) logout(x *route.Exchange, _ *struct{}) error {
	ended, err := endLogin(x)
	if err != nil {
		return err
	}
	if !ended {
		return route.Refuse(http.StatusConflict, "no-login", x.Who.Name+" is not a login",
			"leave it; a token ends when it is revoked")
	}
	auth.EndCookie(x.W, x.R)
	if err := x.Data.Record(x.Context(), loginEntry(x.Who.Name, x.Now(), "out")); err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]string{"ended": x.Who.Name})
}

// endLogin ends the login of the header, else that of the cookie, and reports whether
// there was one.
func endLogin(x *route.Exchange) (bool, error) {
	var secrets []string
	if header := x.R.Header.Get("Authorization"); header != "" {
		_, secret, _ := strings.Cut(header, " ")
		secrets = append(secrets, secret)
	} else {
		for _, c := range x.R.Cookies() {
			secrets = append(secrets, c.Value)
		}
	}
	for _, secret := range secrets {
		if err := x.Logins.Logout(secret); !errors.Is(err, auth.ErrDenied) {
			return err == nil, err
		}
	}
	return false, nil
}

func loginEntry(who string, at time.Time, way string) audit.Entry {
	return audit.Entry{Time: at, Kind: audit.KindLogin, Actor: who, Detail: map[string]string{"login": way}}
}
