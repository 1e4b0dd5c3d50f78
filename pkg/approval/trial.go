package approval

import (
	"context"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// Try asks one approver about nothing, to see whether it is reached: whatever it answers,
// nothing runs and nothing is stored. The policy has no say.
func (s *Service) Try(ctx context.Context, by, approver string, timeout time.Duration) (*Request, error) {
	if s.approver(approver) == nil {
		return nil, ErrNotFound
	}
	if timeout < MinTimeout || timeout > MaxTimeout {
		return nil, &Invalid{fmt.Sprintf("timeout: must be between %s and %s", MinTimeout, MaxTimeout)}
	}
	title := "a test of " + approver + ": nothing runs, whatever you answer"
	body, err := strictjson.Marshal(map[string]string{"title": title})
	if err != nil {
		return nil, err
	}
	now := s.now()
	r := &Request{
		ID: s.o.NewID("req_"), Version: 1, State: Pending, Submitter: by, Created: now, Expires: now.Add(timeout), OnTimeout: TimedOut,
		Offers: onlyOnce("nothing runs"), Asked: Asked{Approver: approver, Why: "somebody tests whether you are reached", Risk: policy.Low.String()},
	}
	if err := r.fillContract(&Submission{Contract: body, Title: title}); err != nil {
		return nil, err
	}
	r.Kind, r.Tool = KindTest, KindTest
	room, err := s.room(ctx, r)
	if err != nil {
		return nil, err
	}
	defer room.free()
	e := r.entry(audit.KindRequest, by, now)
	e.Arguments = body
	stored, _, _, err := s.o.Store.Create(ctx, r, e)
	if err == nil {
		s.notify(ctx, stored)
	}
	return stored, err
}
