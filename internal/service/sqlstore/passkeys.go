package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/pkg/audit"
)

const passkeyColumns = "id, person, label, credential, public, handle, origin, count, synced, created, last_used"

// Passkeys implements auth.PasskeyStore.
func (d *DB) Passkeys(ctx context.Context) ([]auth.Passkey, error) {
	return list(ctx, d, scanPasskey, "SELECT "+passkeyColumns+" FROM passkeys ORDER BY seq DESC")
}

// AddPasskey stores a passkey. One that is incomplete is an error, and so is one whose
// id or credential is there.
func (d *DB) AddPasskey(ctx context.Context, k auth.Passkey, log ...audit.Entry) error {
	if err := k.Check(); err != nil {
		return err
	}
	return d.write(ctx, func(t *Tx) error {
		_, err := t.Exec("INSERT INTO passkeys ("+passkeyColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			k.ID, k.Person, k.Label, k.Credential, k.Public, k.Handle, k.Origin, int64(k.Count), number(k.Synced), micro(k.Created), orNull(k.LastUsed))
		if err != nil {
			return err
		}
		return t.Record(log)
	})
}

// RemovePasskey removes a passkey for good. It reports whether there was one; log is
// recorded if so.
func (d *DB) RemovePasskey(ctx context.Context, id string, log ...audit.Entry) (removed bool, err error) {
	return d.remove(ctx, "DELETE FROM passkeys WHERE id = ?", id, log)
}

func (d *DB) remove(ctx context.Context, statement, id string, log []audit.Entry) (removed bool, err error) {
	err = d.write(ctx, func(t *Tx) error {
		n, err := t.Exec(statement, id)
		if removed = n > 0; err != nil || !removed {
			return err
		}
		return t.Record(log)
	})
	return removed && err == nil, err
}

// UsePasskey implements auth.PasskeyStore.
func (d *DB) UsePasskey(ctx context.Context, id string, count uint32, at time.Time) (forward bool, err error) {
	err = d.write(ctx, func(t *Tx) error {
		n, err := t.Exec("UPDATE passkeys SET count = ?2, last_used = ?3 WHERE id = ?1 AND (count < ?2 OR count = 0 AND ?2 = 0)",
			id, int64(count), micro(at))
		forward = n > 0
		return err
	})
	return forward && err == nil, err
}

func scanPasskey(from row) (k auth.Passkey, err error) {
	var count, created int64
	var used sql.NullInt64
	err = from.Scan(&k.ID, &k.Person, &k.Label, &k.Credential, &k.Public, &k.Handle, &k.Origin, &count, &k.Synced, &created, &used)
	if err != nil {
		return auth.Passkey{}, err
	}
	k.Count, k.Created, k.LastUsed = uint32(count), timeOf(created), timeOrZero(used)
	if int64(k.Count) != count {
		return auth.Passkey{}, damage("passkey", k.ID, fmt.Sprintf("its count is %d: remove it and register another", count))
	}
	if err := k.Check(); err != nil {
		return auth.Passkey{}, damage("passkey", k.ID, err)
	}
	return k, nil
}

const subscriptionColumns = "id, person, label, endpoint, public, secret, created"

// Subscriptions implements push.Store.
func (d *DB) Subscriptions(ctx context.Context) ([]push.Subscription, error) {
	return list(ctx, d, scanSubscription, "SELECT "+subscriptionColumns+" FROM push_subscriptions ORDER BY seq DESC")
}

// AddSubscription stores a subscription. It takes the place of the one of the same
// browser. One that is incomplete is an error, and so is one more than
// push.MaxSubscriptions.
func (d *DB) AddSubscription(ctx context.Context, s push.Subscription) error {
	if err := s.Check(); err != nil {
		return err
	}
	return d.write(ctx, func(t *Tx) error {
		if _, err := t.Exec("DELETE FROM push_subscriptions WHERE endpoint = ?", s.Endpoint); err != nil {
			return err
		}
		var n int
		if err := t.Get([]any{&n}, "SELECT count(*) FROM push_subscriptions"); err != nil {
			return err
		}
		if n >= push.MaxSubscriptions {
			return push.ErrTooMany
		}
		_, err := t.Exec("INSERT INTO push_subscriptions ("+subscriptionColumns+") VALUES (?, ?, ?, ?, ?, ?, ?)",
			s.ID, s.Person, s.Label, s.Endpoint, s.Public, s.Secret, micro(s.Created))
		return err
	})
}

// RemoveSubscription implements push.Store.
func (d *DB) RemoveSubscription(ctx context.Context, id string) (removed bool, err error) {
	return d.remove(ctx, "DELETE FROM push_subscriptions WHERE id = ?", id, nil)
}

func scanSubscription(from row) (s push.Subscription, err error) {
	var created int64
	if err := from.Scan(&s.ID, &s.Person, &s.Label, &s.Endpoint, &s.Public, &s.Secret, &created); err != nil {
		return push.Subscription{}, err
	}
	s.Created = timeOf(created)
	if err := s.Check(); err != nil {
		return push.Subscription{}, damage("push subscription", s.ID, err)
	}
	return s, nil
}
