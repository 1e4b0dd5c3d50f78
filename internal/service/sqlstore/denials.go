package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// PutSessionDenial implements approval.Store.
func (d *DB) PutSessionDenial(ctx context.Context, v approval.SessionDenial, log ...audit.Entry) error {
	if err := checkText("session", "id", v.Session); err != nil {
		return err
	}
	text, err := encode(v)
	if err != nil {
		return err
	}
	return d.write(ctx, func(t *Tx) error {
		if _, err := t.Exec("DELETE FROM session_denials WHERE session = ?", v.Session); err != nil { // the new one is the newest
			return err
		}
		if _, err := t.Exec("INSERT INTO session_denials (session, denial) VALUES (?, ?)", v.Session, text); err != nil {
			return err
		}
		return t.Record(log)
	})
}

// DropSessionDenial implements approval.Store.
func (d *DB) DropSessionDenial(ctx context.Context, session string, log ...audit.Entry) error {
	return d.write(ctx, func(t *Tx) error {
		if _, err := t.Exec("DELETE FROM session_denials WHERE session = ?", session); err != nil {
			return err
		}
		return t.Record(log)
	})
}

// SessionDenial implements approval.Store.
func (d *DB) SessionDenial(ctx context.Context, session string) (*approval.SessionDenial, error) {
	v, err := one(ctx, d, scanDenial, "SELECT session, denial FROM session_denials WHERE session = ?", session)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return v, err
}

func scanDenial(from row) (*approval.SessionDenial, error) {
	var session string
	var text []byte
	if err := from.Scan(&session, &text); err != nil {
		return nil, err
	}
	return denialOf(session, text)
}

func denialOf(session string, text []byte) (*approval.SessionDenial, error) {
	v := &approval.SessionDenial{}
	if err := json.Unmarshal(text, v); err != nil || v.Session != session {
		return nil, damage("denial of a session", session, err)
	}
	return v, nil
}

// SessionDenials implements approval.Store.
func (d *DB) SessionDenials(ctx context.Context) ([]approval.SessionDenial, error) {
	return list(ctx, d, func(from row) (v approval.SessionDenial, err error) {
		found, err := scanDenial(from)
		if err == nil {
			v = *found
		}
		return v, err
	}, "SELECT session, denial FROM session_denials ORDER BY seq DESC")
}
