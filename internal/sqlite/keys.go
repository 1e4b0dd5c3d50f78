package sqlite

import (
	"context"
	"crypto/ed25519"
	"fmt"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// SigningKeys implements approval.Store. The newest is the one that was stored
// last, whatever the clock said.
func (d *DB) SigningKeys(ctx context.Context) ([]*approval.SigningKey, error) {
	return list(ctx, d, scanKey, "SELECT id, private, created FROM signing_keys ORDER BY seq DESC")
}

// AddSigningKey implements approval.Store. An id that is there is an error.
func (d *DB) AddSigningKey(ctx context.Context, k *approval.SigningKey, log ...audit.Entry) error {
	if len(k.Private) != ed25519.PrivateKeySize {
		return fmt.Errorf("signing key %s: it has %d bytes, not %d", k.ID, len(k.Private), ed25519.PrivateKeySize)
	}
	return d.write(ctx, func(t *tx) error {
		_, err := t.exec("INSERT INTO signing_keys (id, private, created) VALUES (?, ?, ?)", k.ID, []byte(k.Private), micro(k.Created))
		if err != nil {
			return err
		}
		return t.record(log)
	})
}

func scanKey(from row) (*approval.SigningKey, error) {
	var k approval.SigningKey
	var private []byte
	var at int64
	if err := from.Scan(&k.ID, &private, &at); err != nil {
		return nil, err
	}
	if len(private) != ed25519.PrivateKeySize {
		return nil, damage("signing key", k.ID, fmt.Sprintf("it has %d bytes, not %d", len(private), ed25519.PrivateKeySize))
	}
	k.Private, k.Created = private, timeOf(at)
	return &k, nil
}
