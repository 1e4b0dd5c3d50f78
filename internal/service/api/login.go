package api

import (
	_ "embed"
	"net/http"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/audit"
)

//go:embed login.html
var loginHTML []byte

func (a *API) loginPage(x *exchange) error {
	return x.write(http.StatusOK, "text/html; charset=utf-8", loginHTML)
}

func (a *API) health(x *exchange) error {
	state, problems := a.b.Condition()
	status := http.StatusOK
	if state == backend.Failing {
		status = http.StatusServiceUnavailable
	}
	return x.answer(status, struct {
		OK       bool     `json:"ok"`
		Status   string   `json:"status"`
		Service  string   `json:"service"`
		Version  string   `json:"version"`
		Problems []string `json:"problems,omitempty"`
	}{state != backend.Failing, state, "policyctl", a.o.Version, problems})
}

func (a *API) whoami(x *exchange) error {
	return x.answer(http.StatusOK, struct {
		Identity string   `json:"identity"`
		Scopes   []string `json:"scopes"`
		TokenID  string   `json:"token_id,omitempty"`
	}{x.who.Name, x.who.Scopes.Names(), x.who.TokenID})
}

// login exchanges a code. Only wrong ones count for the rate, and the right one
// is never kept waiting: who does not know it would else lock a person out.
func (a *API) login(x *exchange) error {
	var body struct {
		Code string `json:"code"`
	}
	if err := x.body(&body); err != nil {
		return err
	}
	if agent := a.b.Auth.AgentOf(x.context()); agent != "" {
		return fromAgent(agent)
	}
	s, err := a.b.Logins.Exchange(body.Code)
	if err != nil {
		if err := x.within(a.logins, ""); err != nil {
			return err
		}
		return &refusal{http.StatusUnauthorized, "bad-code", "the code is not accepted",
			"a code works once, for two minutes; have the service print another one", nil}
	}
	if err := a.b.Data.Record(x.context(), loginEntry(s.Identity.Name, a.b.Now(), "in")); err != nil {
		a.b.Logins.Undo(s) // what is not on record is not done
		return err
	}
	auth.SetCookie(x.w, x.r, s)
	return x.answer(http.StatusOK, struct {
		Token    string    `json:"token"`
		Expires  time.Time `json:"expires"`
		Identity string    `json:"identity"`
	}{s.Secret, s.Expires.UTC(), s.Identity.Name})
}

// logout ends the login that the request comes with.
func (a *API) logout(x *exchange) error {
	if err := x.nothing(); err != nil {
		return err
	}
	if !a.end(x.r) {
		return &refusal{http.StatusConflict, "no-login", x.who.Name + " is no login",
			"leave it; a token ends when it is revoked", nil}
	}
	auth.EndCookie(x.w, x.r)
	if err := a.b.Data.Record(x.context(), loginEntry(x.who.Name, a.b.Now(), "out")); err != nil {
		return err
	}
	return x.answer(http.StatusOK, map[string]string{"ended": x.who.Name})
}

// end ends the login of the header, else that of the cookie.
func (a *API) end(r *http.Request) bool {
	if header := r.Header.Get("Authorization"); header != "" {
		_, secret, _ := strings.Cut(header, " ")
		return a.b.Logins.Logout(secret) == nil
	}
	for _, c := range r.Cookies() {
		if a.b.Logins.Logout(c.Value) == nil {
			return true
		}
	}
	return false
}

func loginEntry(who string, at time.Time, way string) audit.Entry {
	return audit.Entry{Time: at, Kind: audit.KindLogin, Actor: who, Detail: map[string]string{"login": way}}
}
