package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

func (a *API) consumeReceipt(x *exchange) error {
	var body struct {
		Receipt string `json:"receipt"`
	}
	if err := x.body(&body); err != nil {
		return err
	}
	r, err := a.b.Service.Consume(x.context(), x.who.Name, body.Receipt)
	if errors.Is(err, approval.ErrReceipt) || errors.Is(err, approval.ErrConsumed) || errors.Is(err, approval.ErrRevoked) {
		a.refused(x, "", err)
	}
	if err != nil {
		return err
	}
	return x.show(http.StatusOK, r)
}

// verifyReceipt checks the signature and the time of a receipt, and that it is
// one for a call if there is one. It does not say whether it was used.
func (a *API) verifyReceipt(x *exchange) error {
	var body struct {
		Receipt string          `json:"receipt"`
		Call    json.RawMessage `json:"call"`
	}
	if err := x.body(&body); err != nil {
		return err
	}
	claims, err := a.b.Service.Verify(x.context(), body.Receipt)
	if err != nil {
		return err
	}
	if len(body.Call) > 0 {
		c, err := readCall(body.Call)
		if err != nil {
			return err
		}
		if _, err := a.b.Service.Keys().For(c, body.Receipt, a.b.Now()); err != nil {
			return err
		}
	}
	return x.answer(http.StatusOK, claims)
}

func (a *API) keys(x *exchange) error { return x.answer(http.StatusOK, a.b.Service.Keys()) }

// refused records that somebody tried what they may not. That it could not be
// recorded changes nothing of the answer, which refuses anyway.
func (a *API) refused(x *exchange, request string, why error) {
	err := a.b.Data.Record(x.context(), backend.Refused(x.who.Name, request, why, a.b.Now()))
	if err != nil {
		a.b.Log.ErrorContext(x.context(), "a refusal was not recorded", "request", webguard.RequestIDFrom(x.context()), "error", err)
	}
}
