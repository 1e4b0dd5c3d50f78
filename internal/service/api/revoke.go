package api

import (
	"errors"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// revokeRequest takes an approval back that was not used.
func (a *API) revokeRequest(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	var body struct {
		Reason string `json:"reason"`
	}
	if err := x.bodyIfAny(&body); err != nil {
		return err
	}
	r, err := a.b.Service.Revoke(x.context(), id, x.who.Name, body.Reason)
	if errors.Is(err, approval.ErrSelf) || errors.Is(err, approval.ErrNotApprover) {
		a.refused(x, id, err)
	}
	if err != nil {
		return x.conflict(err, a.standing(x, id, err))
	}
	return x.show(http.StatusOK, r)
}

// denySession denies what is pending of a session, and what comes of it.
func (a *API) denySession(x *exchange) error {
	var body struct {
		Session string     `json:"session"`
		Reason  string     `json:"reason"`
		Until   *time.Time `json:"until"`
	}
	if err := x.body(&body); err != nil {
		return err
	}
	var until time.Time
	if body.Until != nil {
		until = *body.Until
	}
	d, err := a.b.Service.DenySession(x.context(), body.Session, x.who.Name, body.Reason, until)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, d)
}

func (a *API) releaseSession(x *exchange) error {
	if err := x.nothing(); err != nil {
		return err
	}
	if err := a.b.Service.ReleaseSession(x.context(), x.query.Get("session"), x.who.Name); err != nil {
		return err
	}
	return x.answer(http.StatusOK, map[string]string{"session": x.query.Get("session")})
}

func (a *API) sessionDenials(x *exchange) error {
	all, err := a.b.Service.SessionDenials(x.context())
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, map[string]any{"denials": all})
}
