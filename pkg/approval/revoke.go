package approval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/support/redact"
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
	reason, _ = redact.Text(reason)
	r, err := s.update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		switch {
		case samePerson(by, r.Submitter):
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
		return []audit.Entry{r.revoke(by, reason, s.now())}, nil
	})
	if errors.Is(err, errRepeated) {
		return s.Get(ctx, id)
	}
	return r, err
}

func (r *Request) revoke(by, reason string, at time.Time) audit.Entry {
	r.Revocation, r.Owed = &Revocation{by, at, reason}, nil
	r.move(Revoked)
	e := r.entry(audit.KindRevocation, by, at)
	e.Reason = reason
	if r.Receipt != nil {
		e.Detail = map[string]string{"receipt": r.Receipt.ID}
	}
	return e
}

// TakeBack takes an approval back on behalf of its store, which can no longer tell whether
// the receipt was used. It returns the entry of the audit log, and false where the request
// has no receipt that could be used at a time; then it stays as it is.
func (r *Request) TakeBack(at time.Time, reason string) (audit.Entry, bool) {
	if r.State != Approved || r.Receipt == nil || r.Receipt.Consumed != nil || r.Receipt.over(at) != nil {
		return audit.Entry{}, false
	}
	return r.revoke(serviceIdentity, reason, at), true
}
