package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/support/newid"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A submission is the body that asks for approval.
type submission struct {
	Key     string          `json:"key"`
	Call    json.RawMessage `json:"call"`
	Asked   *approval.Asked `json:"asked"`
	Timeout string          `json:"timeout"`
	Waits   string          `json:"waits"`
	Said    string          `json:"said"`
}

func (a *API) submit(x *route.Exchange) error {
	wait, err := waitOf(x)
	if err != nil {
		return err
	}
	in, err := submissionOf(x)
	if err == nil {
		err = a.paced(x, in.Call)
	}
	if err != nil {
		return err
	}
	free, err := x.Hold(a.waits, wait)
	if err != nil {
		return err
	}
	defer free()
	r, err := x.Service.Submit(x.Context(), x.Who.Name, in)
	if err != nil {
		return err
	}
	created := r.ID == in.ID // else it joins what stands
	if r, err = a.await(x, r, wait); err != nil {
		return err
	}
	if !created || r.State != approval.Pending {
		return show(x, http.StatusOK, r)
	}
	x.W.Header().Set("Location", "/v1/requests/"+r.ID)
	return show(x, http.StatusCreated, r)
}

// submissionOf reads what is submitted. It gets an id here, which tells a new
// request from one that it joins.
func submissionOf(x *route.Exchange) (approval.Submission, error) {
	var body submission
	if err := x.Body(&body); err != nil {
		return approval.Submission{}, err
	}
	in := approval.Submission{ID: newid.At(x.Now(), "req_"), Key: body.Key, Asked: body.Asked, Said: body.Said}
	var err error
	if in.Call, err = readCall(body.Call); err != nil {
		return in, err
	}
	if in.Timeout, err = duration("timeout", body.Timeout); err == nil {
		in.Waits, err = duration("waits", body.Waits)
	}
	return in, err
}

// duration reads one of a body, "" for none.
func duration(name, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d == 0 {
		return 0, &approval.Invalid{Text: fmt.Sprintf("%s: %.64q is not a duration such as 30s or 5m", name, text)}
	}
	return d, nil
}

// readCall reads a call of a body.
func readCall(text json.RawMessage) (*policy.Call, error) {
	if len(text) == 0 {
		return nil, &approval.Invalid{Text: "call: missing"}
	}
	c, err := policy.DecodeCall(text)
	if err != nil {
		return nil, &approval.Invalid{Text: "call: " + err.Error()}
	}
	return c, approval.CheckCall(c)
}

// paced bounds how often an identity asks in one session.
func (a *API) paced(x *route.Exchange, c *policy.Call) error {
	if e := a.sessions.Take(x.Who.Name + "\x00" + c.Session); e != nil {
		return e
	}
	return nil
}
