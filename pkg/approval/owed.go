package approval

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A Plan is what an approval for longer than once stores.
type Plan struct {
	// Lines tell the entries to people, one line each.
	Lines []string
	// Entries are the same in the form of the judge that made the plan.
	Entries json.RawMessage
}

// remember stores what a decision says, now that the decision is on disk: no
// grant is without its decision. What cannot be stored stays owed, which the
// notice of the decision says, and [Service.Run] and the next start try again.
func (s *Service) remember(ctx context.Context, r *Request) *Request {
	if r == nil || r.Owed == nil {
		return r
	}
	ctx = context.WithoutCancel(ctx)
	notice, failed := s.o.Judge.Save(ctx, Plan{r.Decision.Saved, r.Owed})
	var never *Invalid
	switch {
	case errors.As(failed, &never):
		notice = "nothing is stored, and this call alone is " + strings.ToLower(string(r.State)) + ": " + failed.Error()
	case failed != nil:
		s.owing.Store(true)
		notice = "what this decision stores is not stored yet, and the service tries again: " + failed.Error()
		if notice == r.Decision.Notice {
			return r
		}
		s.tell(failed)
	}
	noted, err := s.update(ctx, r.ID, func(r *Request) ([]audit.Entry, error) {
		if r.Owed == nil {
			return nil, errRepeated
		}
		r.Decision.Notice = notice
		if failed != nil && never == nil {
			return nil, nil
		}
		r.Owed = nil
		return []audit.Entry{r.settled(s.now(), failed == nil)}, nil
	})
	if err == nil {
		return noted
	}
	if !errors.Is(err, errRepeated) {
		s.owing.Store(true)
		s.tell(err)
	}
	shown, decision := *r, *r.Decision
	decision.Notice = notice
	shown.Decision = &decision
	return &shown
}

// settled is the record that the entries of a decision are stored, or never
// will be.
func (r *Request) settled(at time.Time, stored bool) audit.Entry {
	e := r.entry(audit.KindGrant, r.Decision.By, at)
	e.Decision, e.Reason = string(r.Decision.Word), r.Decision.Notice
	if stored {
		e.Detail = saved(r.Decision)
	}
	return e
}

// settleOwed stores what decisions owe: of a service that ended between the
// decision and the grant, or could not store it.
func (s *Service) settleOwed(ctx context.Context) error {
	s.owing.Store(false)
	before := ""
	for {
		list, err := s.o.Store.List(ctx, Filter{Owing: true, Before: before, Limit: MaxLimit})
		if err != nil {
			s.owing.Store(true)
			return err
		}
		for _, r := range list {
			s.remember(ctx, r)
			before = r.ID
		}
		if len(list) < MaxLimit {
			return nil
		}
	}
}

// tell tells of an error that stops nothing.
func (s *Service) tell(err error) {
	if s.o.Failed != nil {
		s.o.Failed(err)
	}
}
