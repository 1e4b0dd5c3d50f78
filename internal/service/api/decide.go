package api

import (
	"encoding/json"
	"net/http"

	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/policy"
)

func (a *API) decide(x *route.Exchange, text *json.RawMessage) error {
	v, err := a.verdict(x, *text)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, v)
}

// decideData is the route of OPA's data API (REST API, "Get a document with
// input").
func (a *API) decideData(x *route.Exchange, body *struct {
	Input json.RawMessage `json:"input"`
}) error {
	v, err := a.verdict(x, body.Input)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]any{"result": v})
}

// verdict decides a call. An error of the policy comes with a denial, which is
// the answer.
func (a *API) verdict(x *route.Exchange, text json.RawMessage) (any, error) {
	c, err := readCall(text)
	if err != nil {
		return nil, err
	}
	if err := a.paced(x, c); err != nil {
		return nil, err
	}
	v, err := x.Decider.Decide(x.Context(), c)
	if err != nil && v.Decision != policy.Deny {
		return nil, err
	}
	return render.Verdict(c.ID, &v, 0), nil
}
