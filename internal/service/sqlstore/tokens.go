package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/pkg/audit"
)

const tokenColumns = "id, name, scopes, hash, created, expires, last_used, revoked"

// Tokens returns all tokens, the newest first, revoked ones too.
func (d *DB) Tokens(ctx context.Context) ([]auth.Token, error) {
	return list(ctx, d, scanToken, "SELECT "+tokenColumns+" FROM tokens ORDER BY seq DESC")
}

// TokenByID implements auth.Store.
func (d *DB) TokenByID(ctx context.Context, id string) (auth.Token, bool, error) {
	t, err := one(ctx, d, scanToken, "SELECT "+tokenColumns+" FROM tokens WHERE id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		return auth.Token{}, false, nil
	}
	return t, err == nil, err
}

// AddToken stores a token. One that nobody could use is an error, and so is
// an id that is there.
func (d *DB) AddToken(ctx context.Context, k auth.Token, log ...audit.Entry) error {
	if err := auth.CheckName(k.Name); err != nil {
		return err
	}
	scopes := k.Scopes.String()
	if back, err := auth.ParseScope(scopes); k.ID == "" || err != nil || back != k.Scopes {
		return fmt.Errorf("token %q: it has the id %q and the scopes %s: give it both", k.Name, k.ID, scopes)
	}
	return d.write(ctx, func(t *Tx) error {
		_, err := t.Exec("INSERT INTO tokens ("+tokenColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			k.ID, k.Name, scopes, k.Hash[:], micro(k.Created), orNull(k.Expires), orNull(k.LastUsed), orNull(k.Revoked))
		if err != nil {
			return err
		}
		return t.Record(log)
	})
}

// RevokeToken ends a token for good. It reports whether there was one to end; log
// is recorded if so.
func (d *DB) RevokeToken(ctx context.Context, id string, at time.Time, log ...audit.Entry) (revoked bool, err error) {
	err = d.write(ctx, func(t *Tx) error {
		n, err := t.Exec("UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL", micro(at), id)
		if revoked = n > 0; err != nil || !revoked {
			return err
		}
		return t.Record(log)
	})
	return revoked && err == nil, err
}

// TouchToken remembers when a token was used, as exactly as [auth.UsedEvery]: most calls
// only read.
func (d *DB) TouchToken(ctx context.Context, id string, at time.Time) error {
	before := micro(at.Add(-auth.UsedEvery))
	const stale = " FROM tokens WHERE id = ?1 AND (last_used IS NULL OR last_used <= ?2)"
	if _, err := one(ctx, d, scanInt, "SELECT 1"+stale, id, before); errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return err
	}
	return d.write(ctx, func(t *Tx) error {
		_, err := t.Exec("UPDATE tokens SET last_used = ? WHERE id = ? AND (last_used IS NULL OR last_used <= ?)", micro(at), id, before)
		return err
	})
}

func scanToken(from row) (t auth.Token, err error) {
	var scopes string
	var hash []byte
	var created int64
	var expires, used, revoked sql.NullInt64
	if err := from.Scan(&t.ID, &t.Name, &scopes, &hash, &created, &expires, &used, &revoked); err != nil {
		return auth.Token{}, err
	}
	if len(hash) != sha256.Size {
		return auth.Token{}, damage("token", t.ID, "its hash is none: make a new one")
	}
	if t.Scopes, err = auth.ParseScope(scopes); err != nil {
		return auth.Token{}, damage("token", t.ID, err)
	}
	t.Hash = [sha256.Size]byte(hash)
	t.Created, t.Expires, t.LastUsed, t.Revoked = timeOf(created), timeOrZero(expires), timeOrZero(used), timeOrZero(revoked)
	return t, nil
}
