package compat

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/policyctl/policyctl/internal/backend"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A programDecision is what a client of clauz3 waits for. It runs the program
// if the decision is an approval and there is a receipt.
type programDecision struct {
	Decision approval.Word `json:"decision"`
	Receipt  string        `json:"receipt,omitempty"`
	Feedback string        `json:"feedback,omitempty"`
	ID       string        `json:"request_id"`
}

// decisionOf returns the decision on a request. The client looks neither at
// the time nor at what the receipt says, so that one which is used or over is
// not handed out again.
func (h *Handler) decisionOf(r *approval.Request, id string) programDecision {
	out := programDecision{Decision: approval.Rejected, ID: id}
	d := r.Decision
	switch {
	case r.State == approval.Pending:
		out.Feedback = fmt.Sprintf("nobody decided within %s; the request stands: send it again to wait on", h.wait)
	case d == nil:
		out.Feedback = "the request was " + strings.ToLower(string(r.State))
	case !d.Word.Approves():
		out.Decision, out.Feedback = d.Word, d.Reason
	case r.Receipt == nil || r.Receipt.Consumed != nil || r.State != approval.Approved:
		out.Feedback = "the approval was used already; submit the program under a new request_id"
	case !h.b.Now().Before(r.Receipt.Expires):
		out.Feedback = "the approval is over; submit the program under a new request_id"
	default:
		out.Decision, out.Feedback, out.Receipt = d.Word, d.Reason, r.Receipt.Text
	}
	return out
}

// A programAnswer is what somebody says to a program. The receipt is made by
// the service alone.
type programAnswer struct {
	Decision approval.Word  `json:"decision"`
	Scope    approval.Scope `json:"scope"`
	Feedback string         `json:"feedback"`
	Receipt  *string        `json:"receipt"`
}

func (h *Handler) decideProgram(x *exchange) error {
	r, err := h.shown(x)
	if err != nil {
		return err
	}
	if r.Kind != approval.KindContract {
		return approval.ErrNotFound
	}
	var body programAnswer
	if err := x.body(&body); err != nil {
		return err
	}
	if body.Receipt != nil {
		return refuse(http.StatusBadRequest, "receipt: the service signs the receipt; leave it out")
	}
	answer := approval.Answer{Word: body.Decision, Scope: body.Scope, Reason: body.Feedback}
	if r, err = h.decide(x, r.ID, answer, func(r *approval.Request) any { return programOf(r) }); err != nil {
		return err
	}
	return x.answer(http.StatusOK, programOf(r))
}

// decide answers a request in the name of the identity. Where another decision
// stands, the refusal shows the request in the form of the family.
func (h *Handler) decide(x *exchange, id string, a approval.Answer, form func(*approval.Request) any) (*approval.Request, error) {
	r, err := h.b.Service.Decide(x.context(), id, x.who.Name, a)
	if errors.Is(err, approval.ErrSelf) || errors.Is(err, approval.ErrNotApprover) {
		h.record(x, id, err)
	}
	if err != nil && (r == nil || !errors.Is(err, approval.ErrDecided)) {
		return nil, err
	}
	seen, ok := backend.Views(x.who, r)
	switch {
	case !ok:
		return nil, approval.ErrNotFound
	case err != nil:
		return nil, &refusal{http.StatusConflict, err.Error() + "; the decision that stands is in the request", form(seen)}
	}
	return seen, nil
}
