package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// List implements approval.Store. The newest is the one that was stored last,
// whatever the clock said. A Before that no request has is ErrNotFound. What no
// column says is searched in the index, newest first, so that a page costs what
// it shows.
func (d *DB) List(ctx context.Context, f approval.Filter) ([]*approval.Request, error) {
	from, key, list := "requests AS r", "r.seq", list[*approval.Request]
	where, args := conditions(f)
	if f.Text != "" || f.Agent != "" || f.Rule != "" || f.By != "" || f.Word != "" {
		query, err := d.match(filterMarks(&f), f.Text)
		if err != nil {
			return nil, err
		}
		if err := catchUp(ctx, d.indexRequests); err != nil {
			return nil, err
		}
		var met string
		from, key, met = d.dialect.Search.in("requests", "r")
		list, where, args = searched[*approval.Request], append(where, met), append(args, query)
	}
	first, end, err := d.listRange(ctx, &f)
	if err != nil {
		return nil, err
	}
	where, args = append(where, key+" >= ?", key+" < ?"), append(args, first, end)
	args = append(args, min(limited(f.Limit), approval.MaxLimit))
	chosen, order := `SELECT r.seq FROM `+from+` WHERE `+strings.Join(where, " AND ")+` ORDER BY `+key+` DESC LIMIT ?`, " DESC"
	if f.Fair {
		chosen, order = `SELECT seq FROM (SELECT r.seq AS seq, row_number() OVER (PARTITION BY r.session ORDER BY r.seq) AS turn
			FROM `+from+` WHERE `+strings.Join(where, " AND ")+`) AS turns ORDER BY turn, seq LIMIT ?`, ""
	}
	// The rows are chosen without their documents, which are long.
	return list(ctx, d, scanRequest, `SELECT `+requestColumns+` FROM requests WHERE seq IN (`+chosen+`) ORDER BY seq`+order, args...)
}

// listRange returns the first row of those among which a filter chooses, and the one
// behind the last.
func (d *DB) listRange(ctx context.Context, f *approval.Filter) (first, end int64, err error) {
	first, end = 0, math.MaxInt64
	if f.Before != "" {
		end, err = one(ctx, d, scanInt, "SELECT seq FROM requests WHERE id = ?", f.Before)
		if errors.Is(err, sql.ErrNoRows) {
			err = approval.ErrNotFound
		}
	}
	if err == nil && !f.From.IsZero() {
		first, err = d.firstSince(ctx, f.From)
	}
	if err == nil && !f.To.IsZero() {
		var next int64
		next, err = d.firstSince(ctx, f.To.Add(2*slack))
		end = min(end, next)
	}
	return first, end, err
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
