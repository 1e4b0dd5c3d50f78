package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// Cursor implements channel.Store.
func (d *DB) Cursor(ctx context.Context) (event int64, found bool, err error) {
	event, err = one(ctx, d, func(from row) (n int64, err error) { return n, from.Scan(&n) }, "SELECT event FROM channel_cursor")
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return event, err == nil, err
}

// Follow implements channel.Store.
func (d *DB) Follow(ctx context.Context, s channel.Step) error {
	for i := range s.Asks {
		if err := checkDelivery(&s.Asks[i]); err != nil {
			return err
		}
	}
	return d.write(ctx, func(t *Tx) error {
		for i := range s.Asks {
			a := &s.Asks[i]
			if _, err := t.Exec("INSERT INTO channel_deliveries ("+deliveryColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", deliveryValues(a)...); err != nil {
				return err
			}
		}
		for _, request := range s.Ended {
			if err := t.ended(request, s.At); err != nil {
				return err
			}
		}
		_, err := t.Exec(upsert("channel_cursor", "one, event"), 1, s.Event)
		return err
	})
}

// ended has the deliveries of a request tell that it is over.
func (t *Tx) ended(request string, at time.Time) error {
	_, err := t.Exec("UPDATE channel_deliveries SET state = 'over', changed = ?2 WHERE request = ?1 AND about <> 'outcome' AND state = 'due'", request, micro(at))
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO channel_deliveries (`+deliveryColumns+`)
		SELECT id || ?3, request, channel, 'outcome', 'due', 0, ?2, ?2, ?2, '', '' FROM channel_deliveries
		WHERE request = ?1 AND about <> 'outcome' AND state IN ('sending', 'sent') ORDER BY seq ON CONFLICT DO NOTHING`, request, micro(at), channel.OutcomeID(""))
	return err
}

const deliveryColumns = "id, request, channel, about, state, tries, created, next, changed, ref, problem"

func deliveryValues(d *channel.Delivery) []any {
	return []any{d.ID, d.Request, d.Channel, string(d.About), string(d.State), d.Tries, micro(d.Created), micro(d.Next), micro(d.Changed), d.Ref, d.Problem}
}

func checkDelivery(d *channel.Delivery) error {
	if err := d.Check(); err != nil {
		return err
	}
	return checkText("delivery", "id", d.ID, "request", d.Request, "channel", d.Channel, "reference", d.Ref, "problem", d.Problem)
}

// maxDeliveries bounds the deliveries of a channel that are listed.
const maxDeliveries = 100

// Deliveries implements channel.Store.
func (d *DB) Deliveries(ctx context.Context, f channel.Filter) ([]channel.Delivery, error) {
	switch {
	case f.Request != "":
		return list(ctx, d, scanDelivery, "SELECT "+deliveryColumns+" FROM channel_deliveries WHERE request = ? ORDER BY seq", f.Request)
	case f.Channel != "":
		return list(ctx, d, scanDelivery, `SELECT `+deliveryColumns+` FROM (
			SELECT * FROM channel_deliveries WHERE channel = ? ORDER BY changed DESC LIMIT ?) AS latest ORDER BY seq`, f.Channel, maxDeliveries)
	}
	return list(ctx, d, scanDelivery, "SELECT "+deliveryColumns+" FROM channel_deliveries INDEXED BY channel_deliveries_open WHERE state IN ('due', 'sending') ORDER BY seq")
}

func scanDelivery(from row) (v channel.Delivery, err error) {
	var created, next, changed int64
	err = from.Scan(&v.ID, &v.Request, &v.Channel, &v.About, &v.State, &v.Tries, &created, &next, &changed, &v.Ref, &v.Problem)
	if err != nil {
		return channel.Delivery{}, err
	}
	v.Created, v.Next, v.Changed = timeOf(created), timeOf(next), timeOf(changed)
	if err := v.Check(); err != nil {
		return channel.Delivery{}, damage("delivery", v.ID, err)
	}
	return v, nil
}

// ChangeDelivery implements channel.Store.
func (d *DB) ChangeDelivery(ctx context.Context, c channel.Change) (counted bool, err error) {
	if err := checkDelivery(&c.Delivery); err != nil {
		return false, err
	}
	err = d.write(ctx, func(t *Tx) error {
		n, err := t.Exec(`UPDATE channel_deliveries SET state = ?, tries = ?, next = ?, changed = ?, ref = ?, problem = ? WHERE id = ? AND state = ?`,
			string(c.State), c.Tries, micro(c.Next), micro(c.Changed), c.Ref, c.Problem, c.ID, string(c.Was))
		if counted = n > 0; err != nil || !counted {
			return err
		}
		for _, k := range c.Tokens {
			if err := k.Check(); err != nil {
				return err
			}
			if _, err := t.Exec("INSERT INTO channel_tokens (hash, delivery, word, scope) VALUES (?, ?, ?, ?)", k.Hash[:], k.Delivery, string(k.Word), string(k.Scope)); err != nil {
				return err
			}
		}
		return nil
	})
	return counted && err == nil, err
}

// Pressed implements channel.Store.
func (d *DB) Pressed(ctx context.Context, hash [sha256.Size]byte) (p channel.Pressed, found bool, err error) {
	p.Hash = hash
	p, err = one(ctx, d, func(from row) (channel.Pressed, error) {
		return p, from.Scan(&p.Delivery, &p.Word, &p.Scope)
	}, "SELECT delivery, word, scope FROM channel_tokens WHERE hash = ?", hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	if err == nil {
		if wrong := p.Check(); wrong != nil {
			err = damage("token of the delivery", p.Delivery, wrong)
		}
	}
	if err != nil {
		return p, false, err
	}
	p.Of, err = one(ctx, d, scanDelivery, "SELECT "+deliveryColumns+" FROM channel_deliveries WHERE id = ?", p.Delivery)
	if err == nil {
		p.By, err = list(ctx, d, func(from row) (who string, err error) { return who, from.Scan(&who) },
			"SELECT person FROM channel_presses WHERE hash = ? ORDER BY at, person", hash[:])
	}
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil // it was forgotten meanwhile
	}
	return p, err == nil, err
}

// Press implements channel.Store. A press of before stays as it is.
func (d *DB) Press(ctx context.Context, hash [sha256.Size]byte, person string, at time.Time) error {
	if err := checkText("press", "person", person); err != nil {
		return err
	}
	return d.write(ctx, func(t *Tx) error {
		_, err := t.Exec("INSERT INTO channel_presses (hash, person, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", hash[:], person, micro(at))
		return err
	})
}

// ForgetDeliveries implements channel.Store.
func (d *DB) ForgetDeliveries(ctx context.Context, before time.Time) error {
	return d.write(ctx, func(t *Tx) error {
		_, err := t.Exec(`DELETE FROM channel_deliveries WHERE changed < ?1 AND state NOT IN ('due', 'sending')
			AND NOT EXISTS (SELECT 1 FROM channel_deliveries o WHERE o.request = channel_deliveries.request AND (o.state IN ('due', 'sending') OR o.changed >= ?1))`, micro(before))
		return err
	})
}

var _ channel.Store = (*DB)(nil)
