package sqlstore

import (
	"context"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// Pending implements approval.Store.
func (d *DB) Pending(ctx context.Context, submitter, session string) (there, all int, denial *approval.SessionDenial, err error) {
	denial, err = one(ctx, d, func(from row) (*approval.SessionDenial, error) {
		var text []byte
		if err := from.Scan(&there, &all, &text); err != nil || text == nil {
			return nil, err
		}
		return denialOf(session, text)
	}, `SELECT count(*) FILTER (WHERE session = ?1), count(*), (SELECT denial FROM session_denials WHERE session = ?1)
		FROM requests INDEXED BY requests_waiting WHERE state = 'PENDING' AND submitter = ?2`, session, submitter)
	return there, all, denial, err
}

// PendingSessions returns how many requests are pending in each session.
func (d *DB) PendingSessions(ctx context.Context) (map[string]int, error) {
	type session struct {
		id string
		n  int
	}
	all, err := list(ctx, d, func(from row) (s session, err error) {
		return s, from.Scan(&s.id, &s.n)
	}, "SELECT session, count(*) FROM requests WHERE state = 'PENDING' GROUP BY session")
	out := make(map[string]int, len(all))
	for _, s := range all {
		out[s.id] = s.n
	}
	return out, err
}

// A due is a pending request with the time at which it expires.
type due struct {
	id string
	at time.Time
}

// Due implements approval.Store. The first to expire comes first.
func (d *DB) Due(ctx context.Context, now time.Time, limit int) (ids []string, next time.Time, err error) {
	limit = max(limit, 0)
	first, err := list(ctx, d, scanDue, `SELECT id, expires FROM requests INDEXED BY requests_due
		WHERE state = 'PENDING' ORDER BY expires, seq LIMIT ?`, limit+1)
	if err != nil {
		return nil, time.Time{}, err
	}
	for i, r := range first {
		if i == limit || r.at.After(now) {
			return ids, r.at, nil
		}
		ids = append(ids, r.id)
	}
	return ids, time.Time{}, nil
}

func scanDue(from row) (r due, err error) {
	var at int64
	err = from.Scan(&r.id, &at)
	r.at = timeOf(at)
	return r, err
}
