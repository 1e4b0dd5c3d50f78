package api

import (
	"encoding/json"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

func (a *API) consumeReceipt(x *route.Exchange, body *struct {
	Receipt string `json:"receipt"`
}) error {
	r, err := x.Service.Consume(x.Context(), x.Who.Name, body.Receipt)
	x.Attempted("", err, approval.ErrReceipt, approval.ErrConsumed, approval.ErrRevoked)
	if err != nil {
		return err
	}
	return show(x, http.StatusOK, r)
}

// verifyReceipt says what the use of a receipt would come to, and whether it is one for a
// call if there is one. Who only reads asks for whoever submitted the request.
func (a *API) verifyReceipt(x *route.Exchange, body *struct {
	Receipt string          `json:"receipt"`
	Call    json.RawMessage `json:"call"`
}) error {
	by := ""
	if x.Who.Scopes.Has(auth.Submit) {
		by = x.Who.Name
	}
	claims, err := x.Service.Verify(x.Context(), by, body.Receipt)
	if err != nil {
		return err
	}
	if len(body.Call) > 0 {
		c, err := readCall(body.Call)
		if err != nil {
			return err
		}
		if _, err := x.Service.Keys().For(c, body.Receipt, x.Now()); err != nil {
			return err
		}
	}
	return x.Answer(http.StatusOK, claims)
}

func (a *API) keys(x *route.Exchange) error { return x.Answer(http.StatusOK, x.Service.Keys()) }
