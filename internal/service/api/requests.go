package api

import (
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
	id, err := x.ID()
	if err != nil {
		return err
	}
	wait, err := waitOf(x)
	if err != nil {
		return err
	}
	free, err := a.hold(x, wait)
	if err != nil {
		return err
	}
	defer free()
	r, err := x.Service.Get(x.Context(), id)
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

func (a *API) decideRequest(x *route.Exchange) error {
	id, err := x.ID()
	if err != nil {
		return err
	}
	var answer approval.Answer
	if err := x.Body(&answer); err != nil {
		return err
	}
	r, err := x.Service.Decide(x.Context(), id, x.Who.Name, answer)
	x.Attempted(id, err, approval.ErrSelf, approval.ErrNotApprover)
	if err != nil {
		return x.Conflict(id, err, showAny)
	}
	return show(x, http.StatusOK, r)
}

func (a *API) cancelRequest(x *route.Exchange) error {
	id, err := x.ID()
	if err != nil {
		return err
	}
	if err := x.Nothing(); err != nil {
		return err
	}
	r, err := x.Service.Cancel(x.Context(), id, x.Who.Name)
	if err != nil {
		return x.Conflict(id, err, showAny)
	}
	return show(x, http.StatusOK, r)
}

// A report is the body that tells what became of a call.
type report struct {
	Outcome  approval.State `json:"outcome"`
	ExitCode *int           `json:"exit_code"`
	Detail   string         `json:"detail"`
}

func (a *API) reportResult(x *route.Exchange) error {
	id, err := x.ID()
	if err != nil {
		return err
	}
	var body report
	if err := x.Body(&body); err != nil {
		return err
	}
	done := approval.Execution{Outcome: body.Outcome, ExitCode: body.ExitCode, Detail: body.Detail}
	r, err := x.Service.Report(x.Context(), id, x.Who.Name, done)
	if err != nil {
		return x.Conflict(id, err, showAny)
	}
	return show(x, http.StatusOK, r)
}

// turn has the loop guard count a session anew.
func (a *API) turn(x *route.Exchange) error {
	id, err := x.ID()
	if err != nil {
		return err
	}
	if err := x.Nothing(); err != nil {
		return err
	}
	x.Decider.ResetTurn(id)
	return x.Answer(http.StatusOK, map[string]string{"session": id})
}

func (a *API) endSession(x *route.Exchange) error {
	id, err := x.ID()
	if err != nil {
		return err
	}
	if err := x.Nothing(); err != nil {
		return err
	}
	n, err := x.Service.EndSession(x.Context(), id, x.Who.Name)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]int{"cancelled": n})
}
