package state

import (
	"context"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Count is the Count of [policy.Options]. What a name counts together stands in a file of its
// own, beside those of sessions.
func (s *Store) Count(ctx context.Context, name string, t *policy.Tally) (before int, err error) {
	stored := s.With(ctx, "rate\x00"+name, func(session *policy.Session) {
		if err = session.Unreadable; err == nil {
			before = session.Rates.Count(t)
		}
	})
	if err == nil {
		err = stored
	}
	return before, err
}
