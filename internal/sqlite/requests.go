package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Create implements approval.Store. The version of what is stored is 1.
func (d *DB) Create(ctx context.Context, r *approval.Request, log ...audit.Entry) (*approval.Request, bool, error) {
	first := *r
	first.Version = 1
	text, err := document(&first)
	if err != nil {
		return nil, false, err
	}
	var found string
	err = d.write(ctx, func(t *tx) error {
		found = ""
		err := t.get([]any{&found}, `SELECT document FROM (
			SELECT document, 1 AS rank FROM requests WHERE submitter = ?1 AND key = ?2 AND key <> ''
			UNION ALL SELECT document, 2 FROM requests WHERE id = ?3) ORDER BY rank LIMIT 1`, r.Submitter, r.Key, r.ID)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		return t.create(&first, text, log)
	})
	if err != nil {
		return nil, false, err
	}
	created := found == ""
	if created {
		found = text
	}
	stored, err := readRequest([]byte(found))
	return stored, created, err
}

func (t *tx) create(r *approval.Request, text string, log []audit.Entry) error {
	_, err := t.exec(`INSERT INTO requests (id, version, submitter, key, name, digest, state, kind, session, created, expires, document)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.Version, r.Submitter, r.Key, r.Name, r.Digest, string(r.State), r.Kind, r.Session, micro(r.Created), micro(r.Expires), text)
	if err != nil {
		return err
	}
	if err := t.record(log); err != nil {
		return err
	}
	return t.event(r, log)
}

// document returns a request as it is stored.
func document(r *approval.Request) (string, error) {
	err := checkText("request", "id", r.ID, "submitter", r.Submitter, "key", r.Key, "name", r.Name, "session", r.Session, "kind", r.Kind)
	if err != nil {
		return "", err
	}
	text, err := encode(r)
	if err != nil {
		return "", fmt.Errorf("request %s: %w", r.ID, err)
	}
	return text, nil
}

func readRequest(text []byte) (*approval.Request, error) {
	var r approval.Request
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("a request is damaged: restore a backup: %w", err)
	}
	return &r, nil
}

func scanRequest(from row) (*approval.Request, error) {
	var text []byte
	if err := from.Scan(&text); err != nil {
		return nil, err
	}
	return readRequest(text)
}

// Get implements approval.Store.
func (d *DB) Get(ctx context.Context, id string) (*approval.Request, error) {
	return d.request(ctx, "SELECT document FROM requests WHERE id = ?", id)
}

// ByKey implements approval.Store.
func (d *DB) ByKey(ctx context.Context, submitter, key string) (*approval.Request, error) {
	return d.request(ctx, "SELECT document FROM requests WHERE submitter = ? AND key = ? AND key <> ''", submitter, key)
}

func (d *DB) request(ctx context.Context, query string, args ...any) (*approval.Request, error) {
	r, err := one(ctx, d, scanRequest, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, approval.ErrNotFound
	}
	return r, err
}
