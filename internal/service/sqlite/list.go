package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/policyctl/policyctl/pkg/approval"
)

// List implements approval.Store. The newest is the one that was stored last,
// whatever the clock said. A Before that no request has is ErrNotFound.
func (d *DB) List(ctx context.Context, f approval.Filter) ([]*approval.Request, error) {
	where, args := conditions(f)
	if f.Before != "" {
		seq, err := one(ctx, d, scanInt, "SELECT seq FROM requests WHERE id = ?", f.Before)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, approval.ErrNotFound
		}
		if err != nil {
			return nil, err
		}
		where, args = append(where, "seq < ?"), append(args, seq)
	}
	args = append(args, min(limited(f.Limit), approval.MaxLimit))
	// The rows are chosen without their documents, which are long.
	return list(ctx, d, scanRequest, `SELECT `+requestColumns+` FROM requests WHERE seq IN
		(SELECT seq FROM requests WHERE `+strings.Join(where, " AND ")+` ORDER BY seq DESC LIMIT ?) ORDER BY seq DESC`, args...)
}

// conditions returns what a filter says about columns.
func conditions(f approval.Filter) (where []string, args []any) {
	where = []string{"TRUE"}
	for _, c := range []struct{ column, value string }{{"session", f.Session}, {"submitter", f.Submitter}, {"kind", f.Kind}, {"name", f.Name}, {"alike", f.Alike}} {
		if c.value != "" {
			where, args = append(where, c.column+" = ?"), append(args, c.value)
		}
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
