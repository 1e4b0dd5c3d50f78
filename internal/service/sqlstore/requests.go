package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Create implements approval.Store. The version of what is stored is 1. What is returned of
// a new request shares with it what it points to.
func (d *DB) Create(ctx context.Context, r *approval.Request, log ...audit.Entry) (stored *approval.Request, created, undenied bool, err error) {
	first := *r
	first.Version = 1
	text, err := document(&first)
	if err != nil {
		return nil, false, false, err
	}
	c := creation{r: &first, text: text, log: log, found: foundOf(&first)}
	if err := d.write(ctx, c.do); err != nil {
		return nil, false, false, err
	}
	return c.stored, c.created, c.undenied, nil
}

// A creation stores a request, or finds the one that it joins.
type creation struct {
	r    *approval.Request
	text string // the request as it is stored
	log  []audit.Entry
	*found

	stored            *approval.Request
	created, undenied bool
}

func (c *creation) do(t *Tx) error {
	if c.r.Key == "" && t.presume() { // that no request has its id, which every database keeps unique; keys are not
		return c.create(t)
	}
	var found requestRow
	err := t.Get(found.targets(), `SELECT `+requestColumns+` FROM (
		SELECT `+requestColumns+`, 1 AS rank FROM requests WHERE submitter = ?1 AND key = ?2 AND key <> ''
		UNION ALL SELECT `+requestColumns+`, 2 FROM requests WHERE id = ?3) AS found ORDER BY rank LIMIT 1`, c.r.Submitter, c.r.Key, c.r.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return c.create(t)
	}
	if err == nil {
		c.created, c.undenied = false, false
		c.stored, err = found.request()
	}
	return t.d.engine.Explain(err)
}

func (c *creation) create(t *Tx) error {
	r := c.r
	t.Later(`INSERT INTO requests (id, version, submitter, key, name, digest, state, kind, session, created, expires, document, owes, alike, kept)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.Version, r.Submitter, r.Key, r.Name, r.Digest, string(r.State), r.Kind, r.Session, micro(r.Created), micro(r.Expires), c.text, number(r.Owed != nil), r.Alike, int(r.Kept()))
	if err := t.Record(c.log); err != nil {
		return err
	}
	if err := t.event(r, c.log); err != nil {
		return err
	}
	t.part.found = c.found
	c.stored, c.created, c.undenied = r, true, !t.end.denials // a denial that comes now finds the request
	return nil
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

// requestColumns are those of [stored].
const requestColumns = "id, version, state, document"

// A requestRow is a request as its row has it.
type requestRow struct {
	id      string
	version int64
	state   string
	text    []byte
}

func (s *requestRow) targets() []any { return []any{&s.id, &s.version, &s.state, &s.text} }

// request reads the document, which must say what the columns say.
func (s *requestRow) request() (*approval.Request, error) {
	var r approval.Request
	if err := json.Unmarshal(s.text, &r); err != nil {
		return nil, damage("request", s.id, err)
	}
	decided := r.State != approval.Pending && r.State != approval.Cancelled
	switch {
	case r.ID != s.id || r.Version != s.version || string(r.State) != s.state:
		return nil, damage("request", s.id, "its columns do not say what its document says")
	case !slices.Contains(approval.States(), r.State):
		return nil, damage("request", s.id, fmt.Sprintf("there is no state %q", r.State))
	case decided && r.Decision == nil || r.Owed != nil && r.Decision == nil:
		return nil, damage("request", s.id, "it has no decision")
	}
	return &r, nil
}

func scanRequest(from row) (*approval.Request, error) {
	var s requestRow
	if err := from.Scan(s.targets()...); err != nil {
		return nil, err
	}
	return s.request()
}

// Get implements approval.Store.
func (d *DB) Get(ctx context.Context, id string) (*approval.Request, error) {
	return d.request(ctx, "SELECT "+requestColumns+" FROM requests WHERE id = ?", id)
}

// ByKey implements approval.Store.
func (d *DB) ByKey(ctx context.Context, submitter, key string) (*approval.Request, error) {
	return d.request(ctx, "SELECT "+requestColumns+" FROM requests WHERE submitter = ? AND key = ? AND key <> ''", submitter, key)
}

func (d *DB) request(ctx context.Context, query string, args ...any) (*approval.Request, error) {
	r, err := one(ctx, d, scanRequest, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, approval.ErrNotFound
	}
	return r, err
}
