package api

import (
	"fmt"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/approval"
)

func (a *API) listTokens(x *exchange) error {
	tokens, err := a.b.Data.Tokens(x.context())
	if err != nil {
		return err
	}
	list := []auth.Shown{}
	for i := range tokens {
		list = append(list, tokens[i].Shown(a.b.Now()))
	}
	return x.answer(http.StatusOK, map[string]any{"tokens": list})
}

// A draftToken is the body that makes a token.
type draftToken struct {
	Name    string       `json:"name"`
	Scopes  []auth.Scope `json:"scopes"`
	Expires *time.Time   `json:"expires"`
}

func (a *API) makeToken(x *exchange) error {
	var body draftToken
	if err := x.body(&body); err != nil {
		return err
	}
	now := a.b.Now().UTC().Truncate(time.Microsecond)
	secret, t, err := body.make(now)
	if err != nil {
		return err
	}
	if err := a.b.Data.AddToken(x.context(), t, backend.TokenMade(x.who.Name, &t)); err != nil {
		return err
	}
	out := t.Shown(now)
	out.Secret = secret
	return x.answer(http.StatusCreated, out)
}

func (d *draftToken) make(now time.Time) (secret string, t auth.Token, err error) {
	var scopes auth.Scope
	for _, s := range d.Scopes {
		scopes |= s
	}
	var expires time.Time
	if d.Expires != nil {
		expires = d.Expires.UTC().Truncate(time.Microsecond)
	}
	if err := auth.CheckName(d.Name); err != nil {
		return "", t, &approval.Invalid{Text: "name: " + err.Error()}
	}
	if scopes == 0 {
		return "", t, &approval.Invalid{Text: `scopes: missing; give some of "submit", "approve", "read", "admin"`}
	}
	if d.Expires != nil && !expires.After(now) {
		return "", t, &approval.Invalid{Text: "expires: it lies in the past; give a later time, or leave it out"}
	}
	secret, t = auth.NewToken(d.Name, scopes, expires, now)
	return secret, t, nil
}

func (a *API) revokeToken(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	now := a.b.Now().UTC().Truncate(time.Microsecond)
	revoked, err := a.b.Data.RevokeToken(x.context(), id, now, backend.TokenRevoked(x.who.Name, id, now))
	if err != nil {
		return err
	}
	if !revoked {
		return &refusal{http.StatusNotFound, "not-found", fmt.Sprintf("there is no token with the id %s that is not revoked", id),
			"list the tokens for their ids", nil}
	}
	return x.answer(http.StatusOK, map[string]any{"id": id, "revoked": now})
}
