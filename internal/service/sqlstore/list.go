package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// List implements approval.Store. The newest is the one that was stored last,
// whatever the clock said. A Before that no request has is ErrNotFound. What no
// column says is searched in the index, newest first, so that a page costs what
// it shows.
func (d *DB) List(ctx context.Context, f approval.Filter) ([]*approval.Request, error) {
	where, args := conditions(f)
	of, err := d.listSpan(ctx, &f)
	if err != nil {
		return nil, err
	}
	limit := min(limited(f.Limit), approval.MaxLimit)
	// The rows are chosen without their documents, which are long.
	ask := func(ctx context.Context, from, key string, of span, limit int, order string) ([]*approval.Request, error) {
		met := strings.Join(append(slices.Clone(where), key+" >= ?", key+" < ?"), " AND ")
		chosen, down := "SELECT r.seq FROM "+from+" WHERE "+met+" ORDER BY "+order+" LIMIT ?", " DESC"
		if f.Fair {
			chosen, down = `SELECT seq FROM (SELECT r.seq AS seq, row_number() OVER (PARTITION BY r.session ORDER BY r.seq) AS turn
				FROM `+from+` WHERE `+met+`) AS turns ORDER BY turn, seq LIMIT ?`, ""
		}
		document, known := lacking(f.Known)
		return list(ctx, d, scanListed, "SELECT id, version, state, "+document+" FROM requests WHERE seq IN ("+chosen+") ORDER BY seq"+down,
			append(append(known, args...), of.first, of.end, limit)...)
	}
	if f.Text == "" && f.Agent == "" && f.Rule == "" && f.By == "" && f.Word == "" {
		return ask(ctx, "requests AS r", "r.seq", of, limit, "r.seq DESC")
	}
	query, err := d.match(filterMarks(&f), f.Text)
	if err != nil {
		return nil, err
	}
	if err := catchUp(ctx, d.indexRequests); err != nil {
		return nil, err
	}
	search := &d.dialect.Search
	from, key := search.entries("requests")+search.rows("requests", "r"), "s."+search.Key
	where, args = append(where, search.met("requests")), append(args, query)
	return soon(ctx, func(ctx context.Context) ([]*approval.Request, error) {
		if f.Fair {
			return ask(ctx, from, key, of, limit, "")
		}
		return paged(ctx, d, "requests", of, false, limit, func(of span, limit int, order string) ([]*approval.Request, error) {
			return ask(ctx, from, key, of, limit, order)
		})
	})
}

// lacking is the column of documents without those that a caller has.
func lacking(known map[string]int64) (column string, args []any) {
	if len(known) == 0 || len(known) > approval.MaxLimit {
		return "document", nil
	}
	for id, version := range known {
		args = append(args, fmt.Sprintf("%s %d", id, version))
	}
	return "CASE WHEN id || ' ' || version IN (?" + strings.Repeat(", ?", len(args)-1) + ") THEN '' ELSE document END", args
}

// scanListed reads a request, or of one that the caller has what its columns say.
func scanListed(from row) (*approval.Request, error) {
	var s requestRow
	if err := from.Scan(s.targets()...); err != nil {
		return nil, err
	}
	if len(s.text) == 0 {
		return &approval.Request{ID: s.id, Version: s.version, State: approval.State(s.state)}, nil
	}
	return s.request()
}

// listSpan returns among which rows those of a filter lie.
func (d *DB) listSpan(ctx context.Context, f *approval.Filter) (of span, err error) {
	of.end = math.MaxInt64
	if f.Before != "" {
		of.end, err = one(ctx, d, scanInt, "SELECT seq FROM requests WHERE id = ?", f.Before)
		if errors.Is(err, sql.ErrNoRows) {
			err = approval.ErrNotFound
		}
	}
	if err == nil && !f.From.IsZero() {
		of.first, err = d.firstSince(ctx, f.From)
	}
	if err == nil && !f.To.IsZero() {
		var next int64
		next, err = d.firstSince(ctx, f.To.Add(2*slack))
		of.end = min(of.end, next)
	}
	return of, err
}

// firstSince returns a row before which all are older than a time. Rows are ordered
// by time, but for the slack.
func (d *DB) firstSince(ctx context.Context, at time.Time) (int64, error) {
	return one(ctx, d, scanInt, `SELECT coalesce((SELECT seq FROM requests WHERE created >= ? ORDER BY created LIMIT 1),
		(SELECT max(seq) + 1 FROM requests), 0)`, micro(at.Add(-slack)))
}

// conditions returns what a filter says about columns.
func conditions(f approval.Filter) (where []string, args []any) {
	where = []string{"TRUE"}
	for _, c := range []struct{ column, value string }{{"session", f.Session}, {"submitter", f.Submitter}, {"kind", f.Kind}, {"name", f.Name}, {"alike", f.Alike}} {
		if c.value != "" {
			where, args = append(where, c.column+" = ?"), append(args, c.value)
		}
	}
	if !f.From.IsZero() {
		where, args = append(where, "created >= ?"), append(args, micro(f.From))
	}
	if !f.To.IsZero() {
		where, args = append(where, "created < ?"), append(args, micro(f.To))
	}
	if f.Owing {
		where = append(where, "owes = 1")
	}
	if f.Name != "" {
		where = append(where, "name <> ''") // as the index says
	}
	if f.Alike != "" {
		where = append(where, "alike <> ''")
	}
	if len(f.States) == 0 {
		return where, args
	}
	for _, state := range f.States {
		args = append(args, string(state))
	}
	return append(where, "state IN (?"+strings.Repeat(", ?", len(f.States)-1)+")"), args
}

func scanInt(from row) (n int64, err error) {
	err = from.Scan(&n)
	return n, err
}
