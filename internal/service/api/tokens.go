package api

import (
	"fmt"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

func (a *API) listTokens(x *route.Exchange) error {
	tokens, err := x.Data.Tokens(x.Context())
	if err != nil {
		return err
	}
	list := []auth.Shown{}
	for i := range tokens {
		list = append(list, tokens[i].Shown(x.Now()))
	}
	return x.Answer(http.StatusOK, map[string]any{"tokens": list})
}

// A draftToken is the body that makes a token.
type draftToken struct {
	Name    string       `json:"name"`
	Scopes  []auth.Scope `json:"scopes"`
	Expires *time.Time   `json:"expires"`
}

func (a *API) makeToken(x *route.Exchange, body *draftToken) error {
	now := x.Now().UTC().Truncate(time.Microsecond)
	secret, t, err := body.make(now)
	if err != nil {
		return err
	}
	if err := x.Data.AddToken(x.Context(), t, backend.TokenMade(x.Who.Name, &t)); err != nil {
		return err
	}
	out := t.Shown(now)
	out.Secret = secret
	return x.Answer(http.StatusCreated, out)
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
		return "", t, &approval.Invalid{Text: `scopes: missing; give some of "submit", "approve", "read", "admin", "record"`}
	}
	if d.Expires != nil && !expires.After(now) {
		return "", t, &approval.Invalid{Text: "expires: it lies in the past; give a later time, or leave it out"}
	}
	secret, t = auth.NewToken(d.Name, scopes, expires, now)
	return secret, t, nil
}

func (a *API) revokeToken(x *route.Exchange) error {
	now := x.Now().UTC().Truncate(time.Microsecond)
	revoked, err := x.Data.RevokeToken(x.Context(), x.ID, now, backend.TokenRevoked(x.Who.Name, x.ID, now))
	if err != nil {
		return err
	}
	if !revoked {
		return route.Refuse(http.StatusNotFound, "not-found", fmt.Sprintf("there is no token with the id %s that is not revoked", x.ID),
			"list the tokens for their ids")
	}
	return x.Answer(http.StatusOK, map[string]any{"id": x.ID, "revoked": now})
}
