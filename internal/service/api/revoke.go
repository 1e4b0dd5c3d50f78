package api

import (
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

// revokeRequest takes an approval back that was not used.
func (a *API) revokeRequest(x *route.Exchange, body *struct {
	Reason string `json:"reason"`
}) error {
	r, err := x.Service.Revoke(x.Context(), x.ID, x.Who.Name, body.Reason)
	x.Attempted(x.ID, err, approval.ErrSelf, approval.ErrNotApprover)
	if err != nil {
		return x.Conflict(x.ID, err, showAny)
	}
	return show(x, http.StatusOK, r)
}

// extendRequest gives a pending request more time to be decided.
func (a *API) extendRequest(x *route.Exchange, body *struct {
	For string `json:"for"`
}) error {
	more, err := duration("for", body.For)
	if err != nil {
		return err
	}
	r, err := x.Service.Extend(x.Context(), x.ID, x.Who.Name, more)
	x.Attempted(x.ID, err, approval.ErrSelf, approval.ErrNotApprover)
	if err != nil {
		return x.Conflict(x.ID, err, showAny)
	}
	return show(x, http.StatusOK, r)
}

// denySession denies what is pending of a session, and what comes of it.
func (a *API) denySession(x *route.Exchange, body *struct {
	Session string     `json:"session"`
	Reason  string     `json:"reason"`
	Until   *time.Time `json:"until"`
}) error {
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

func (a *API) releaseSession(x *route.Exchange, _ *struct{}) error {
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
