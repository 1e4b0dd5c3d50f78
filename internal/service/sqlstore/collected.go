package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/trail"
)

// Collect records the entries of a batch that lie behind what the log has of its
// source, which it remembers for each shipper, all or none of them. It returns how
// far the log has the source then.
func (d *DB) Collect(ctx context.Context, shipper string, b trail.Batch) (position int64, err error) {
	err = d.write(ctx, func(t *Tx) error {
		position = 0
		err := t.Get([]any{&position}, "SELECT position FROM collected WHERE shipper = ? AND source = ?", shipper, b.Source)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		var fresh []audit.Entry
		for i := range b.Entries {
			if p := &b.Entries[i]; p.Position > position {
				fresh, position = append(fresh, p.Entry), p.Position
			}
		}
		if len(fresh) == 0 {
			return nil
		}
		if err := t.Record(fresh); err != nil {
			return err
		}
		_, err = t.Exec(`INSERT INTO collected (shipper, source, position) VALUES (?, ?, ?)
			ON CONFLICT (shipper, source) DO UPDATE SET position = excluded.position`, shipper, b.Source, position)
		return err
	})
	if err != nil {
		return 0, err
	}
	return position, nil
}
