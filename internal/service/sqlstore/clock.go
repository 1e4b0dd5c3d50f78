package sqlstore

import (
	"context"
	"database/sql"
	"time"
)

// Observe implements approval.Store.
func (d *DB) Observe(ctx context.Context, at time.Time) error {
	return d.write(ctx, func(t *Tx) error {
		_, err := t.Exec(upsert("clock", "id, latest")+" WHERE excluded.latest > clock.latest", 1, micro(at))
		return err
	})
}

// Latest implements approval.Store. The last event tells a time too.
func (d *DB) Latest(ctx context.Context) (time.Time, error) {
	at, err := one(ctx, d, func(from row) (at sql.NullInt64, err error) {
		return at, from.Scan(&at)
	}, `SELECT max(at) FROM (SELECT latest AS at FROM clock UNION ALL SELECT * FROM (SELECT time FROM events ORDER BY id DESC LIMIT 1) AS last) AS times`)
	return timeOrZero(at), err
}
