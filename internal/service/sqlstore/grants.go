package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/policyctl/policyctl/internal/service/grantbook"
	"github.com/policyctl/policyctl/pkg/audit"
)

// GrantNotes implements grantbook.Table.
func (d *DB) GrantNotes(ctx context.Context) (map[string]grantbook.Note, error) {
	notes, err := list(ctx, d, func(from row) (n grantbook.Note, err error) {
		var used, revoked sql.NullInt64
		err = from.Scan(&n.ID, &used, &revoked, &n.By, (*[]byte)(&n.Entry))
		n.Used, n.Revoked = timeOrZero(used), timeOrZero(revoked)
		return n, err
	}, "SELECT id, used, revoked, revoked_by, entry FROM grant_notes")
	if err != nil {
		return nil, err
	}
	out := make(map[string]grantbook.Note, len(notes))
	for _, n := range notes {
		out[n.ID] = n
	}
	return out, nil
}

// NoteUses implements grantbook.Table.
func (d *DB) NoteUses(ctx context.Context, at map[string]time.Time) error {
	return d.write(ctx, func(t *Tx) error {
		for id, used := range at {
			if _, err := t.Exec(upsert("grant_notes", "id, used")+" WHERE excluded.used > coalesce(grant_notes.used, 0)", id, micro(used)); err != nil {
				return err
			}
		}
		return nil
	})
}

// NoteRevoked implements grantbook.Table.
func (d *DB) NoteRevoked(ctx context.Context, n grantbook.Note, before time.Time, log ...audit.Entry) error {
	return d.write(ctx, func(t *Tx) error {
		if _, err := t.Exec("DELETE FROM grant_notes WHERE revoked < ?", micro(before)); err != nil {
			return err
		}
		if _, err := t.Exec(upsert("grant_notes", "id, revoked, revoked_by, entry"), n.ID, micro(n.Revoked), n.By, string(n.Entry)); err != nil {
			return err
		}
		return t.Record(log)
	})
}

// NoteRestored implements grantbook.Table.
func (d *DB) NoteRestored(ctx context.Context, id string, log ...audit.Entry) error {
	return d.write(ctx, func(t *Tx) error {
		if _, err := t.Exec("UPDATE grant_notes SET revoked = NULL, revoked_by = '', entry = '' WHERE id = ?", id); err != nil {
			return err
		}
		return t.Record(log)
	})
}
