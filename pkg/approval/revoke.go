package approval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A Revocation says that somebody took an approval back.
type Revocation struct {
	By string    `json:"revoked_by"`
	At time.Time `json:"revoked_at"`
	// Reason is for the agent, "" for none.
	Reason string `json:"reason,omitempty"`
}

// text says by whom and why, behind the words "taken back".
func (v *Revocation) text() string {
	if v.Reason == "" {
		return "by " + v.By
	}
	return "by " + v.By + ": " + v.Reason
}

// Revoke takes an approval back whose receipt was not used: the receipt is worth
// nothing from then on, and what the approval was to store and has not is never
// stored. What it has stored stays. by must be somebody who may decide the
// request. To take back again changes nothing. Beside ErrNotApproved and
// ErrConsumed it returns the request as it stands.
func (s *Service) Revoke(ctx context.Context, id, by, reason string) (*Request, error) {
	if len(reason) > maxReason {
		return nil, &Invalid{fmt.Sprintf("reason: %d bytes are more than %d", len(reason), maxReason)}
	}
	r, err := s.update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		switch {
		case by == r.Submitter:
			return nil, ErrSelf
		case !s.mayDecide(r, by):
			return nil, ErrNotApprover
		case r.Revocation != nil:
			return nil, errRepeated
		case r.Receipt != nil && r.Receipt.Consumed != nil:
			return nil, ErrConsumed
		case r.State != Approved:
			return nil, ErrNotApproved
		}
		r.Revocation, r.Owed = &Revocation{by, s.now(), reason}, nil
		r.move(Revoked)
		e := r.entry(audit.KindRevocation, by, r.Revocation.At)
		e.Reason = reason
		if r.Receipt != nil {
			e.Detail = map[string]string{"receipt": r.Receipt.ID}
		}
		return []audit.Entry{e}, nil
	})
	if errors.Is(err, errRepeated) {
		return s.Get(ctx, id)
	}
	return r, err
}
