package sqlite

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/approval"
)

// PrivateKey returns the key that a program of before kept in the database, nil
// if there is none.
func (d *DB) PrivateKey(ctx context.Context) (approval.PrivateKey, error) {
	if kept, err := d.keptKeys(ctx); err != nil || !kept {
		return nil, err
	}
	var key []byte
	err := d.file.readers.QueryRowContext(ctx, "SELECT private FROM kept_keys ORDER BY seq DESC LIMIT 1").Scan(&key)
	if errors.Is(err, sql.ErrNoRows) || err == nil && len(key) != ed25519.PrivateKeySize {
		return nil, nil // it was taken, or never signed anything
	}
	return key, d.file.Explain(err)
}

func (d *DB) keptKeys(ctx context.Context) (bool, error) {
	var n int
	if err := d.Check(); err != nil {
		return false, err
	}
	err := d.file.readers.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'kept_keys'").Scan(&n)
	return n > 0, d.file.Explain(err)
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
	c, err := connect(d.file.path, "PRAGMA secure_delete = ON; PRAGMA synchronous = FULL")
	if err != nil {
		return d.file.Explain(err)
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, do); err != nil {
		return d.file.Explain(err)
	}
	var busy, frames, done int
	if err := c.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &done); err != nil {
		return d.file.Explain(err)
	}
	if busy != 0 {
		return errors.New("another program reads the database: the next start tries again")
	}
	return nil
}
