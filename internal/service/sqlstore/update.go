package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Update implements approval.Store. What change makes counts as a change even
// if it is the same as before. The id, the submitter, the key and the name
// must stay.
// All other writers wait for change: it must not call a method that writes.
func (d *DB) Update(ctx context.Context, id string, change func(*approval.Request) ([]audit.Entry, error)) (*approval.Request, error) {
	var r *approval.Request
	err := d.write(ctx, func(t *Tx) (err error) {
		r, err = t.Update(id, change)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (t *Tx) Update(id string, change func(*approval.Request) ([]audit.Entry, error)) (*approval.Request, error) {
	var found requestRow
	err := t.Get(found.targets(), "SELECT "+requestColumns+" FROM requests WHERE id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, approval.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	version := found.version
	r, err := found.request()
	if err != nil {
		return nil, t.d.engine.Explain(err)
	}
	was := *r
	log, err := change(r)
	if err != nil {
		return nil, err
	}
	if r.ID != was.ID || r.Submitter != was.Submitter || r.Key != was.Key || r.Name != was.Name {
		return nil, fmt.Errorf("request %s: its id, submitter, key or name were changed: they must stay", id)
	}
	r.Version = version + 1
	return r, t.replace(r, version, log)
}

// replace stores a request in place of the version that was read, and tells of
// it.
func (t *Tx) replace(r *approval.Request, version int64, log []audit.Entry) error {
	if err := t.put(r, version); err != nil {
		return err
	}
	if err := t.Record(log); err != nil {
		return err
	}
	return t.event(r, log)
}

func (t *Tx) put(r *approval.Request, version int64) error {
	text, err := document(r)
	if err != nil {
		return err
	}
	n, err := t.Exec(`UPDATE requests SET version = ?, digest = ?, state = ?, kind = ?, session = ?, created = ?, expires = ?, document = ?, owes = ?, kept = ?
		WHERE id = ? AND version = ?`,
		r.Version, r.Digest, string(r.State), r.Kind, r.Session, micro(r.Created), micro(r.Expires), text, number(r.Owed != nil), int(r.Kept()), r.ID, version)
	if err == nil && n != 1 {
		err = fmt.Errorf("request %s: version %d was changed in between: try again", r.ID, version)
	}
	return err
}
