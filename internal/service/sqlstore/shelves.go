package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/policyctl/policyctl/internal/support/shelf"
)

// Shelf returns the place of a document that the instances of the service share.
func (d *DB) Shelf(name string) shelf.Shelf { return &shelved{d, name} }

// Shared reports whether several instances of the service may work on the database. What
// one of them keeps for itself else then belongs on a shelf.
func (d *DB) Shared() bool { return d.engine.Shared() }

// Lead has run do something that one instance of the service does for all, as often as this
// one may, and as long: the context of run ends when it may not any more. It returns when
// ctx is done.
func (d *DB) Lead(ctx context.Context, what string, run func(context.Context)) {
	d.engine.Lead(ctx, what, run)
}

// A shelved is a row of the shelves.
type shelved struct {
	d    *DB
	name string
}

// Look implements shelf.Shelf.
func (s *shelved) Look(ctx context.Context) ([]byte, error) {
	text, err := one(ctx, s.d, func(from row) (text []byte, err error) {
		return text, from.Scan(&text)
	}, "SELECT document FROM shelves WHERE name = ?", s.name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return text, err
}

// Change implements shelf.Shelf.
func (s *shelved) Change(ctx context.Context, change func([]byte) ([]byte, error)) error {
	return s.d.write(ctx, func(t *Tx) error {
		var text []byte
		err := t.Get([]any{&text}, "SELECT document FROM shelves WHERE name = ?", s.name)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if text, err = change(text); err != nil {
			return err
		}
		_, err = t.Exec(upsert("shelves", "name, document"), s.name, string(text))
		return err
	})
}
