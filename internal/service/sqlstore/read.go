package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A row is a row that a query has found.
type row = interface{ Scan(into ...any) error }

// list returns what scan makes of the rows of a query; beside an error, of
// those before it. A row that is damaged is left out and told.
func list[T any](ctx context.Context, d *DB, scan func(row) (T, error), query string, args ...any) (all []T, err error) {
	if err := d.engine.Check(); err != nil {
		return nil, err
	}
	bounded, stop := d.patiently(ctx)
	defer stop()
	var rows *sql.Rows
	err = d.again(func() (err error) {
		rows, err = d.readers.QueryContext(bounded, d.rewrite(query), args...)
		return err
	})
	if err != nil {
		return nil, d.readError(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		v, err := scan(rows)
		if errors.Is(err, approval.ErrDamaged) {
			d.tellDamaged(err)
			continue
		}
		if err != nil {
			return all, d.readError(ctx, err)
		}
		all = append(all, v)
	}
	if err := rows.Err(); err != nil {
		return all, d.readError(ctx, err)
	}
	return all, nil
}

// one returns what scan makes of the one row of a query. Without a row the
// error is sql.ErrNoRows.
func one[T any](ctx context.Context, d *DB, scan func(row) (T, error), query string, args ...any) (T, error) {
	if err := d.engine.Check(); err != nil {
		var none T
		return none, err
	}
	bounded, stop := d.patiently(ctx)
	defer stop()
	var v T
	err := d.again(func() error {
		return d.ask(bounded, Question{Statement{query, args}, func(from row) (err error) {
			v, err = scan(from)
			return err
		}})
	})
	if errors.Is(err, approval.ErrDamaged) {
		d.tellDamaged(err)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		err = d.readError(ctx, err)
	}
	return v, err
}

// row asks for one row.
func (d *DB) row(ctx context.Context, query string, args []any) row {
	if d.dialect.Send == nil { // else the driver prepares by itself
		if stmt := d.asked.of(ctx, d.readers, query); stmt != nil {
			return stmt.QueryRowContext(ctx, args...)
		}
	}
	return d.readers.QueryRowContext(ctx, d.rewrite(query), args...)
}

// mostStatements bounds how many statements are kept prepared.
const mostStatements = 64

// statements are those that read, prepared once on each connection. The zero value is ready.
type statements struct {
	mu  sync.RWMutex
	all map[string]*sql.Stmt
}

// of returns a prepared statement, nil where it is to be asked as it is: there are many
// already, or it cannot be prepared.
func (s *statements) of(ctx context.Context, db *sql.DB, query string) *sql.Stmt {
	s.mu.RLock()
	stmt, full := s.all[query], len(s.all) >= mostStatements
	s.mu.RUnlock()
	if stmt != nil || full {
		return stmt
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt := s.all[query]; stmt != nil {
		return stmt
	}
	stmt, err := db.PrepareContext(ctx, query)
	if err != nil {
		return nil // the query fails too, and says why
	}
	if s.all == nil {
		s.all = make(map[string]*sql.Stmt)
	}
	s.all[query] = stmt
	return stmt
}

// mostLost is how many connections in a row may be lost ones: all that wait, and one more.
const mostLost = 5

// again asks again while connections are lost ones.
func (d *DB) again(ask func() error) (err error) {
	for range mostLost {
		if err = ask(); err == nil || d.dialect.Lost == nil || !d.dialect.Lost(err) {
			return err
		}
	}
	return err
}

// readError is the error of a query, or that of a context that ended it.
func (d *DB) readError(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	return d.engine.Explain(err)
}

// limited says how many rows a limit stands for.
func limited(limit int) int {
	if limit <= 0 {
		return approval.DefaultLimit
	}
	return limit
}

// micro is a time as it is stored.
func micro(t time.Time) int64 { return t.UnixMicro() }

// orNull is a time as it is stored where it may be the zero time.
func orNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return micro(t)
}

func timeOf(at int64) time.Time { return time.UnixMicro(at).UTC() }

func timeOrZero(at sql.NullInt64) time.Time {
	if !at.Valid {
		return time.Time{}
	}
	return timeOf(at.Int64)
}

// number is a truth value as it is stored.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// encode returns a value as JSON. JSON within it keeps its spelling, but for
// blanks.
func encode(v any) (string, error) {
	text, err := strictjson.Marshal(v)
	return string(text), err
}

// checkText refuses what not every database can search: pairs of names and
// texts.
func checkText(what string, pairs ...string) error {
	for i := 0; i < len(pairs); i += 2 {
		if name, text := pairs[i], pairs[i+1]; !utf8.ValidString(text) || strings.Contains(text, "\x00") {
			return fmt.Errorf("%s: the %s %.100q is not UTF-8 without NUL: give another one", what, name, text)
		}
	}
	return nil
}
