package api

import (
	"encoding/json"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A shown is a request as it is sent: beside what it holds, the code of why it
// lets nothing run, for programs.
type shown struct {
	*approval.Request
	Code policy.Reason `json:"reason_code"`
}

func shownOf(r *approval.Request) shown { return shown{r, r.Reason()} }

func showAny(r *approval.Request) any { return shownOf(r) }

// show answers with a request as the identity may see it.
func show(x *route.Exchange, status int, r *approval.Request) error {
	seen, ok := backend.Views(x.Who, r)
	if !ok {
		return approval.ErrNotFound
	}
	return x.Answer(status, shownOf(seen))
}

func (a *API) getRequest(x *route.Exchange) error {
	wait, err := waitOf(x)
	if err != nil {
		return err
	}
	free, err := x.Hold(a.waits, wait)
	if err != nil {
		return err
	}
	defer free()
	r, err := x.Service.Get(x.Context(), x.ID)
	if err != nil {
		return err
	}
	if _, ok := backend.Views(x.Who, r); !ok { // before it waits: how long it takes tells, too
		return approval.ErrNotFound
	}
	if r, err = a.await(x, r, wait); err != nil {
		return err
	}
	d, err := x.Detail(x.Context(), x.Who, r)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, d)
}

// An answered is the body of a decision. Passkey is what a browser says to the options of
// [API.decisionOptions], nil for nothing.
type answered struct {
	approval.Answer
	Passkey json.RawMessage `json:"passkey"`
}

// current refuses an approval under another policy than the one in force.
func (a *answered) current(x *route.Exchange) error {
	if now := x.Decider.Engine().Revision(); a.Revision != "" && !approval.OfRequest(a.Revision) && a.Revision != now && a.Word.Approves() {
		return route.Refuse(http.StatusConflict, "policy-changed", "the policy has changed since the request was shown",
			"look at the request again, and decide then")
	}
	return nil
}

func (a *API) decideRequest(x *route.Exchange, answer *answered) error {
	if err := answer.current(x); err != nil {
		return err
	}
	r, err := x.Decide(x.Context(), x.Who, x.ID, answer.Answer, answer.Passkey)
	x.Attempted(x.ID, err, backend.Attempts()...)
	if err != nil {
		return x.Conflict(x.ID, err, showAny)
	}
	return show(x, http.StatusOK, r)
}

func (a *API) cancelRequest(x *route.Exchange, _ *struct{}) error {
	r, err := x.Service.Cancel(x.Context(), x.ID, x.Who.Name)
	if err != nil {
		return x.Conflict(x.ID, err, showAny)
	}
	return show(x, http.StatusOK, r)
}

// A report is the body that tells what became of a call.
type report struct {
	Outcome  approval.State `json:"outcome"`
	ExitCode *int           `json:"exit_code"`
	Detail   string         `json:"detail"`
}

func (a *API) reportResult(x *route.Exchange, body *report) error {
	done := approval.Execution{Outcome: body.Outcome, ExitCode: body.ExitCode, Detail: body.Detail}
	r, err := x.Service.Report(x.Context(), x.ID, x.Who.Name, done)
	if err != nil {
		return x.Conflict(x.ID, err, showAny)
	}
	return show(x, http.StatusOK, r)
}

// turn has the loop guard count a session anew.
func (a *API) turn(x *route.Exchange, _ *struct{}) error {
	x.Decider.ResetTurn(x.ID)
	return x.Answer(http.StatusOK, map[string]string{"session": x.ID})
}

func (a *API) endSession(x *route.Exchange, _ *struct{}) error {
	n, err := x.Service.EndSession(x.Context(), x.ID, x.Who.Name)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]int{"cancelled": n})
}
