package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Reduce implements approval.Store. A row that is damaged stays as it is.
func (d *DB) Reduce(ctx context.Context, to approval.Kept, before time.Time, limit int, change func(*approval.Request), log func(n int) []audit.Entry) (n int, err error) {
	found, err := list(ctx, d, scanRequest, `SELECT `+requestColumns+` FROM requests INDEXED BY requests_kept
		WHERE kept < 2 AND state <> 'PENDING' AND kept < ? AND expires < ? AND owes = 0 ORDER BY kept, expires LIMIT ?`, int(to), micro(before), limit)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	err = d.write(ctx, func(t *Tx) error {
		n = 0
		for _, r := range found {
			reduced, err := t.reduce(r.ID, to, change)
			if err != nil {
				return err
			}
			if reduced {
				n++
			}
		}
		if n == 0 {
			return nil
		}
		return t.Record(log(n))
	})
	return n, err
}

// reduce changes a request as it stands now.
func (t *Tx) reduce(id string, to approval.Kept, change func(*approval.Request)) (bool, error) {
	var row requestRow
	if err := t.Get(row.targets(), "SELECT "+requestColumns+" FROM requests WHERE id = ?", id); err != nil {
		return false, err
	}
	version := row.version
	r, err := row.request()
	if errors.Is(err, approval.ErrDamaged) {
		return false, nil // others are told of it
	}
	if err != nil || r.Kept() >= to {
		return false, err
	}
	if change(r); r.Kept() < to {
		return false, nil
	}
	r.Version = version + 1
	return true, t.put(r, version)
}
