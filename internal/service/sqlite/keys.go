package sqlite

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Keys implements approval.Store. The newest is the one that was stored last,
// whatever the clock said.
func (d *DB) Keys(ctx context.Context) ([]approval.Key, error) {
	return list(ctx, d, scanKey, "SELECT id, public, created, ended FROM signing_keys ORDER BY seq DESC")
}

// AddKey implements approval.Store. An id that is there is an error.
func (d *DB) AddKey(ctx context.Context, k approval.Key, log ...audit.Entry) error {
	if len(k.Public) != ed25519.PublicKeySize {
		return fmt.Errorf("signing key %s: it has %d bytes, not %d", k.ID, len(k.Public), ed25519.PublicKeySize)
	}
	return d.write(ctx, func(t *tx) error {
		if _, err := t.exec("UPDATE signing_keys SET ended = ? WHERE ended IS NULL", micro(k.Created)); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO signing_keys (id, public, created) VALUES (?, ?, ?)", k.ID, []byte(k.Public), micro(k.Created))
		if err != nil {
			return err
		}
		return t.record(log)
	})
}

func scanKey(from row) (k approval.Key, err error) {
	var public []byte
	var created int64
	var ended sql.NullInt64
	if err := from.Scan(&k.ID, &public, &created, &ended); err != nil {
		return k, err
	}
	if len(public) != ed25519.PublicKeySize {
		return k, damage("signing key", k.ID, fmt.Sprintf("it has %d bytes, not %d", len(public), ed25519.PublicKeySize))
	}
	k.Public, k.Created, k.Ended = public, timeOf(created), timeOrZero(ended)
	return k, nil
}

// PrivateKey returns the key that a program of before kept in the database, nil
// if there is none.
func (d *DB) PrivateKey(ctx context.Context) (approval.PrivateKey, error) {
	if kept, err := d.keptKeys(ctx); err != nil || !kept {
		return nil, err
	}
	key, err := one(ctx, d, func(from row) (key []byte, err error) {
		return key, from.Scan(&key)
	}, "SELECT private FROM kept_keys ORDER BY seq DESC LIMIT 1")
	if errors.Is(err, sql.ErrNoRows) || err == nil && len(key) != ed25519.PrivateKeySize {
		return nil, nil // it was taken, or never signed anything
	}
	return key, err
}

func (d *DB) keptKeys(ctx context.Context) (bool, error) {
	n, err := one(ctx, d, scanInt, "SELECT count(*) FROM sqlite_schema WHERE name = 'kept_keys'")
	return n > 0, err
}

// WipePrivateKeys overwrites the private keys that the database keeps, in all
// its files. The table goes last, so that what a crash has interrupted is done
// again.
func (d *DB) WipePrivateKeys(ctx context.Context) error {
	if kept, err := d.keptKeys(ctx); err != nil || !kept {
		return err
	}
	for _, do := range []string{
		"DELETE FROM kept_keys WHERE TRUE", // and not as a whole, which leaves the pages as they are
		"DROP TABLE kept_keys",
	} {
		if err := d.overwrite(ctx, do); err != nil {
			return fmt.Errorf("the private keys in the database cannot be wiped: %w", err)
		}
	}
	return nil
}

// overwrite has a statement overwrite what it deletes, and empties the
// write-ahead log, which may hold it still.
func (d *DB) overwrite(ctx context.Context, do string) error {
	c, err := connect(d.path, "PRAGMA secure_delete = ON; PRAGMA synchronous = FULL")
	if err != nil {
		return d.explain(err)
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, do); err != nil {
		return d.explain(err)
	}
	var busy, frames, done int
	if err := c.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &done); err != nil {
		return d.explain(err)
	}
	if busy != 0 {
		return errors.New("another program reads the database: the next start tries again")
	}
	return nil
}
