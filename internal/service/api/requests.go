package api

import (
	"errors"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/backend"
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

// show answers with a request as the identity may see it.
func (x *exchange) show(status int, r *approval.Request) error {
	seen, ok := backend.Views(x.who, r)
	if !ok {
		return approval.ErrNotFound
	}
	return x.answer(status, shownOf(seen))
}

func (a *API) getRequest(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	wait, err := x.wait()
	if err != nil {
		return err
	}
	free, err := a.hold(x, wait)
	if err != nil {
		return err
	}
	defer free()
	r, err := a.b.Service.Get(x.context(), id)
	if err != nil {
		return err
	}
	if _, ok := backend.Views(x.who, r); !ok { // before it waits: how long it takes tells, too
		return approval.ErrNotFound
	}
	if r, err = a.await(x, r, wait); err != nil {
		return err
	}
	d, err := a.b.Detail(x.context(), x.who, r)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, d)
}

func (a *API) decideRequest(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	var answer approval.Answer
	if err := x.body(&answer); err != nil {
		return err
	}
	r, err := a.b.Service.Decide(x.context(), id, x.who.Name, answer)
	if errors.Is(err, approval.ErrSelf) || errors.Is(err, approval.ErrNotApprover) {
		a.refused(x, id, err)
	}
	if err != nil {
		return x.conflict(err, r)
	}
	return x.show(http.StatusOK, r)
}

func (a *API) cancelRequest(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	if err := x.nothing(); err != nil {
		return err
	}
	r, err := a.b.Service.Cancel(x.context(), id, x.who.Name)
	if err != nil {
		return x.conflict(err, a.standing(x, id, err))
	}
	return x.show(http.StatusOK, r)
}

// A report is the body that tells what became of a call.
type report struct {
	Outcome  approval.State `json:"outcome"`
	ExitCode *int           `json:"exit_code"`
	Detail   string         `json:"detail"`
}

func (a *API) reportResult(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	var body report
	if err := x.body(&body); err != nil {
		return err
	}
	done := approval.Execution{Outcome: body.Outcome, ExitCode: body.ExitCode, Detail: body.Detail}
	r, err := a.b.Service.Report(x.context(), id, x.who.Name, done)
	if err != nil {
		return x.conflict(err, a.standing(x, id, err))
	}
	return x.show(http.StatusOK, r)
}

// standing returns the request that an error is about, nil if the error is not
// about how it stands.
func (a *API) standing(x *exchange, id string, err error) *approval.Request {
	if statuses[approval.CodeOf(err)].status != http.StatusConflict {
		return nil
	}
	r, err := a.b.Service.Get(x.context(), id)
	if err != nil {
		return nil
	}
	return r
}

// turn has the loop guard count a session anew.
func (a *API) turn(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	if err := x.nothing(); err != nil {
		return err
	}
	a.b.Decider.ResetTurn(id)
	return x.answer(http.StatusOK, map[string]string{"session": id})
}

func (a *API) endSession(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	if err := x.nothing(); err != nil {
		return err
	}
	n, err := a.b.Service.EndSession(x.context(), id, x.who.Name)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, map[string]int{"cancelled": n})
}
