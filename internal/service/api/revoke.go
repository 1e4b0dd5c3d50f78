package api

import (
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

// revokeRequest takes an approval back that was not used.
func (a *API) revokeRequest(x *route.Exchange) error {
	id, err := x.ID()
	if err != nil {
		return err
	}
	var body struct {
		Reason string `json:"reason"`
	}
	if err := x.BodyIfAny(&body); err != nil {
		return err
	}
	r, err := x.Service.Revoke(x.Context(), id, x.Who.Name, body.Reason)
	x.Attempted(id, err, approval.ErrSelf, approval.ErrNotApprover)
	if err != nil {
		return x.Conflict(id, err, showAny)
	}
	return show(x, http.StatusOK, r)
}

// denySession denies what is pending of a session, and what comes of it.
func (a *API) denySession(x *route.Exchange) error {
	var body struct {
		Session string     `json:"session"`
		Reason  string     `json:"reason"`
		Until   *time.Time `json:"until"`
	}
	if err := x.Body(&body); err != nil {
		return err
	}
	var until time.Time
	if body.Until != nil {
		until = *body.Until
	}
	d, err := x.Service.DenySession(x.Context(), body.Session, x.Who.Name, body.Reason, until)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, d)
}

func (a *API) releaseSession(x *route.Exchange) error {
	if err := x.Nothing(); err != nil {
		return err
	}
	if err := x.Service.ReleaseSession(x.Context(), x.Query.Get("session"), x.Who.Name); err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]string{"session": x.Query.Get("session")})
}

func (a *API) sessionDenials(x *route.Exchange) error {
	all, err := x.Service.SessionDenials(x.Context())
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]any{"denials": all})
}
