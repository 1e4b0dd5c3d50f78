package approval

import (
	"context"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// maxPending bounds how long a request can be pending, however often its time is
// extended.
const maxPending = 24 * time.Hour

// Extend gives a pending request more time to be decided, beyond its end. by must be somebody who may decide it. It ends no later than
// [Request.Latest], or a day after it was made. The error is [ErrNoTime] where it has
// all the time that it can have; beside ErrDecided comes the request as it stands.
func (s *Service) Extend(ctx context.Context, id, by string, more time.Duration) (*Request, error) {
	if more <= 0 || more > maxPending {
		return nil, &Invalid{fmt.Sprintf("for: %s: extend a request by at most %s", more, maxPending)}
	}
	var over *Request
	r, err := s.update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		now := s.now()
		latest := r.latest()
		switch {
		case samePerson(by, r.Submitter):
			return nil, ErrSelf
		case r.State != Pending || r.due(now):
			over = r
			return nil, ErrDecided
		case !s.mayDecide(r, by):
			return nil, ErrNotApprover
		case !r.Expires.Before(latest):
			return nil, fmt.Errorf("%w %s", ErrNoTime, latest.UTC().Format(time.RFC3339))
		}
		r.Expires = r.Expires.Add(more)
		if r.Expires.After(latest) {
			r.Expires = latest
		}
		e := r.entry(audit.KindExtension, by, now)
		e.Detail = map[string]string{"expires": r.Expires.UTC().Format(time.RFC3339)}
		return []audit.Entry{e}, nil
	})
	if over != nil {
		return over, err
	}
	return r, err
}

// latest is when the request ends at the latest.
func (r *Request) latest() time.Time {
	end := r.Created.Add(maxPending)
	if r.Latest != nil && r.Latest.Before(end) {
		return *r.Latest
	}
	return end
}

// Extensible reports whether the request could have more time to be decided.
func (r *Request) Extensible() bool { return r.State == Pending && r.Expires.Before(r.latest()) }
