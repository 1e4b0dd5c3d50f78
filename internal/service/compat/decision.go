package compat

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
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

// handOut returns what a client waits for. Such a client uses no receipt up,
// so that handing one out does: it is handed out once, and to somebody who is
// still there.
func (h *Handler) handOut(x *route.Exchange, r *approval.Request) (programDecision, error) {
	if r.State == approval.Pending {
		return rejected("nobody decided within %s; the request is still open: run the program again to keep waiting", h.wait), nil
	}
	out := decisionOf(r)
	if !out.Decision.Approves() {
		return out, nil
	}
	if err := x.Context().Err(); err != nil {
		return out, err
	}
	_, err := x.Service.Consume(x.Context(), x.Who.Name, out.Receipt)
	switch {
	case errors.Is(err, approval.ErrConsumed):
		return rejected("another run got this approval, which is for one; run the program again to ask again"), nil
	case errors.Is(err, approval.ErrRevoked):
		return rejected("%v; run the program again to ask again", err), nil
	case errors.Is(err, approval.ErrReceipt):
		return rejected("the approval is over; run the program again to ask again"), nil
	}
	return out, err
}

func rejected(format string, args ...any) programDecision {
	return programDecision{Decision: approval.Rejected, Feedback: fmt.Sprintf(format, args...)}
}

// A programAnswer is what somebody says to a program. Reason is another word
// for the feedback. A receipt is made by the service alone, so that one which
// is sent says nothing.
type programAnswer struct {
	Decision approval.Word   `json:"decision"`
	Scope    approval.Scope  `json:"scope"`
	Feedback *string         `json:"feedback"`
	Reason   *string         `json:"reason"`
	Receipt  json.RawMessage `json:"receipt"`
	Revision string          `json:"revision"`
}

// answer returns what is said to a request.
func (a *programAnswer) answer(r *approval.Request) (approval.Answer, error) {
	out := approval.Answer{Word: a.Decision, Scope: a.Scope, Revision: a.Revision}
	switch {
	case a.Feedback != nil && a.Reason != nil && *a.Feedback != *a.Reason:
		return out, refuse(http.StatusBadRequest, "reason: feedback says something else, and both mean the same; send one of them")
	case a.Feedback != nil:
		out.Reason = *a.Feedback
	case a.Reason != nil:
		out.Reason = *a.Reason
	}
	if a.Decision == approval.ApprovedRemember && a.Scope == "" {
		out.Scope = narrowest(r)
		if out.Scope == "" {
			return out, refuse(http.StatusBadRequest, "decision: nothing of this request can be remembered; send approved_once")
		}
	}
	return out, nil
}

// narrowest returns the least that can be remembered of a request, "" for
// nothing.
func narrowest(r *approval.Request) approval.Scope {
	for _, s := range []approval.Scope{approval.ForChat, approval.Here, approval.Anywhere} {
		if slices.ContainsFunc(r.Offers, func(o approval.Offer) bool { return o.Scope == s }) {
			return s
		}
	}
	return ""
}

func (h *Handler) decideProgram(x *route.Exchange) error {
	r, err := h.meant(x)
	if err != nil {
		return err
	}
	var body programAnswer
	if err := x.Body(&body); err != nil {
		return err
	}
	answer, err := body.answer(r)
	if err != nil {
		return err
	}
	if r, err = decide(x, r.ID, answer, func(r *approval.Request) any { return recordOf(x.Who, r) }); err != nil {
		return err
	}
	if r.State == approval.Pending {
		return x.Answer(http.StatusAccepted, voteTaken{nameOf(r), status(r), r.Tally.Counts()})
	}
	return x.Answer(http.StatusOK, decisionOf(r))
}

// A voteTaken is the answer to an approval for which others are still missing: no
// decision yet.
type voteTaken struct {
	ID       string `json:"request_id"`
	Status   string `json:"status"`
	Feedback string `json:"feedback"`
}

// decide answers a request in the name of the identity, and returns all of it.
// Where another decision stands, the refusal shows the request in the form of the family.
func decide(x *route.Exchange, id string, a approval.Answer, form func(*approval.Request) any) (*approval.Request, error) {
	r, err := x.Decide(x.Context(), x.Who, id, a, nil)
	x.Attempted(id, err, backend.Attempts()...)
	if err != nil {
		return nil, x.Conflict(id, err, form)
	}
	if _, ok := backend.Views(x.Who, r); !ok {
		return nil, approval.ErrNotFound
	}
	return r, nil
}
