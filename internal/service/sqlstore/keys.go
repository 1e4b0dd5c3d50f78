package sqlstore

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"fmt"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Keys implements approval.Store. The newest is the one that was stored last,
// whatever the clock said.
func (d *DB) Keys(ctx context.Context) ([]approval.Key, error) {
	return list(ctx, d, ScanKey, "SELECT id, public, created, ended FROM signing_keys ORDER BY seq DESC")
}

// AddKey implements approval.Store. An id that is there is an error.
func (d *DB) AddKey(ctx context.Context, k approval.Key, log ...audit.Entry) error {
	if len(k.Public) != ed25519.PublicKeySize {
		return fmt.Errorf("signing key %s: it has %d bytes, not %d", k.ID, len(k.Public), ed25519.PublicKeySize)
	}
	return d.write(ctx, func(t *Tx) error {
		if _, err := t.Exec("UPDATE signing_keys SET ended = ? WHERE ended IS NULL", micro(k.Created)); err != nil {
			return err
		}
		_, err := t.Exec("INSERT INTO signing_keys (id, public, created) VALUES (?, ?, ?)", k.ID, []byte(k.Public), micro(k.Created))
		if err != nil {
			return err
		}
		return t.Record(log)
	})
}

// ScanKey reads a key from a row of its id, its public half, and when it began and ended.
func ScanKey(from row) (k approval.Key, err error) {
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
