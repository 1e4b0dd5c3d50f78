package approval

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/audit"
)

// Revoke takes an approval back whose receipt nobody has used: the request is
// denied from then on. by must be somebody who may decide it. The same again
// changes nothing. A used receipt is ErrConsumed, another end ErrDecided.
func (s *Service) Revoke(ctx context.Context, id, by, reason string) (*Request, error) {
	if len(reason) > MaxReason {
		return nil, &Invalid{fmt.Sprintf("reason: %d bytes are more than %d", len(reason), MaxReason)}
	}
	d := &Decision{Word: Rejected, By: by, Source: Human, At: s.now(), Reason: "the approval was taken back before it was used"}
	if reason != "" {
		d.Reason += ": " + reason
	}
	r, err := s.update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		switch {
		case by == r.Submitter:
			return nil, ErrSelf
		case !s.mayDecide(r, by):
			return nil, ErrNotApprover
		case r.State == Denied && r.Receipt != nil && r.Decision.same(d):
			return nil, errRepeated
		case r.State == Pending:
			return nil, &Invalid{"it is not decided yet: deny it"}
		case r.Receipt != nil && r.Receipt.Consumed != nil:
			return nil, ErrConsumed
		case r.State != Approved:
			return nil, ErrDecided
		}
		return []audit.Entry{r.revoke(d)}, nil
	})
	if errors.Is(err, errRepeated) {
		return s.Get(ctx, id)
	}
	return r, err
}

// revoke puts a denial in the place of the approval. What that still owes is
// not stored any more. What it has stored stands, and may be on its way there:
// the notice says so.
func (r *Request) revoke(d *Decision) audit.Entry {
	if saved := r.Decision.Saved; len(saved) > 0 {
		d.Notice = "what the approval has stored still counts until policyctl approvals revoke: " + strings.Join(saved, "; ")
	}
	e := r.entry(audit.KindDecision, d.By, d.At)
	e.Decision, e.Reason, e.DecidedBy, e.DecidedAt = string(d.Word), d.Reason, d.By, &d.At
	e.Detail = map[string]string{"revokes": string(r.Decision.Word)}
	if r.Receipt != nil {
		e.Detail["receipt"] = r.Receipt.ID
	}
	r.Decision, r.Owed = d, nil
	r.move(Denied)
	return e
}
