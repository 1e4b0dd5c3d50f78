package servertest

import (
	"context"

	"github.com/policyctl/policyctl/internal/backend"
	"github.com/policyctl/policyctl/internal/sqlite"
)

// A store is the database as the backend sees it.
type store struct{ *sqlite.DB }

func (s store) RecordCall(ctx context.Context, c backend.Call) error {
	return s.DB.RecordCall(ctx, sqlite.Call{Time: c.At, Session: c.Session, Call: c.JSON})
}

func (s store) Calls(ctx context.Context, limit int) ([]backend.Call, error) {
	list, err := s.DB.Calls(ctx, limit)
	out := make([]backend.Call, len(list))
	for i, c := range list {
		out[i] = backend.Call{At: c.Time, Session: c.Session, JSON: c.Call}
	}
	return out, err
}
