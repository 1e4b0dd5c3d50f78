package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"iter"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
)

// turn is the advisory lock of who writes ("pctl").
const turn = "1885566060"

// Check implements sqlstore.Engine. Only who follows the events notices that the
// server is gone before it is asked.
func (s *server) Check() error {
	if err := s.down.Load(); err != nil {
		return *err
	}
	return nil
}

// Connect implements sqlstore.Engine.
func (s *server) Connect(ctx context.Context) (_ *sql.Conn, err error) {
	s.conn, err = s.writer.Conn(ctx)
	s.fresh = true
	if err == nil {
		err = s.conn.Raw(func(c any) error {
			s.own.Store(c.(*stdlib.Conn).Conn().PgConn().PID())
			return nil
		})
	}
	return s.conn, err
}

// Broken implements sqlstore.Engine.
func (s *server) Broken() bool {
	if s.conn == nil {
		return true
	}
	open := false
	err := s.conn.Raw(func(c any) error {
		open = !c.(*stdlib.Conn).Conn().IsClosed()
		return nil
	})
	return err != nil || !open
}

// Begin implements sqlstore.Engine. A new connection looks first whether the server is
// still the one of before.
func (s *server) Begin(t *sqlstore.Tx) error {
	if s.fresh {
		if err := s.settle(t); err != nil {
			return err
		}
		s.fresh = false
	}
	begin(t)
	return nil
}

// begin begins a transaction, with its first statement. Each of its statements sees what the
// writer before has stored, since it comes after the turn.
func begin(t *sqlstore.Tx) {
	t.Later("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
	t.Later("SELECT pg_advisory_xact_lock(" + turn + ")")
}

// send sends statements in one message, and reads the answers in one.
func send(ctx context.Context, conn *sql.Conn, all []sqlstore.Statement, into []any) (done int, changed int64, err error) {
	var batch pgx.Batch
	for _, s := range all {
		batch.Queue(rewrite(s.Query), s.Args...)
	}
	lost := conn.Raw(func(c any) error {
		answers := c.(*stdlib.Conn).Conn().SendBatch(ctx, &batch)
		defer func() { err = cmp.Or(err, answers.Close()) }()
		for ; done < len(all)-1; done++ {
			if _, err = answers.Exec(); err != nil {
				return nil
			}
		}
		if into != nil {
			err = answers.QueryRow().Scan(into...)
			return nil
		}
		var tag pgconn.CommandTag
		tag, err = answers.Exec()
		changed = tag.RowsAffected()
		return nil
	})
	return done, changed, cmp.Or(err, lost)
}

// ask asks questions in one message. Behind one that fails the server answers no other.
func ask(ctx context.Context, db *sql.DB, all []sqlstore.Question) iter.Seq[int] {
	return func(answered func(int) bool) {
		conn, err := db.Conn(ctx)
		if err != nil {
			return
		}
		defer conn.Close()
		var batch pgx.Batch
		for _, q := range all {
			batch.Queue(rewrite(q.Query), q.Args...)
		}
		_ = conn.Raw(func(c any) error {
			answers := c.(*stdlib.Conn).Conn().SendBatch(ctx, &batch)
			defer answers.Close()
			for i, q := range all {
				r := answer{Row: answers.QueryRow()}
				if _ = q.Scan(&r); r.err == nil && !answered(i) {
					return nil
				}
			}
			return nil
		})
	}
}

// An answer is a row, and why it could not be had.
type answer struct {
	pgx.Row
	err error
}

// Scan reads the row. That there is none is an answer too.
func (a *answer) Scan(into ...any) error {
	err := a.Row.Scan(into...)
	if !errors.Is(err, sql.ErrNoRows) {
		a.err = err
	}
	return err
}

// Stored implements sqlstore.Engine.
func (s *server) Stored(events []approval.Event) error {
	s.teller.stored(events)
	return nil
}

// dialect returns how PostgreSQL spells what has no common spelling.
func dialect() *sqlstore.Dialect {
	return &sqlstore.Dialect{
		Rewrite:     rewrite,
		Send:        send,
		Ask:         ask,
		Patience:    patience,
		Lost:        lost,
		AuditSecond: `left(a.record::json ->> 'time', 19) COLLATE "C"`,
		Search: sqlstore.Search{
			Key: "seq", Join: "JOIN", Match: "s.entry @@ CAST(CAST(? AS text) AS tsquery)",
			Put:   "INSERT INTO %s (seq, entry) VALUES (?, CAST(CAST(? AS text) AS tsvector)) ON CONFLICT (seq) DO UPDATE SET entry = excluded.entry",
			Entry: func(words string, marks []string) []any { return []any{vector(words, marks)} },
			Query: query,
			Near:  near,
		},
	}
}

// near is how many rows are looked through in about 20 ms. An index of the kind GIN finds all
// rows of a word before it gives the first.
var near int64 = 20_000

// rewrite turns a statement as SQLite reads it into one of PostgreSQL: parameters have
// other marks, and the planner takes no advice.
func rewrite(statement string) string {
	var out strings.Builder
	next := 0
	for {
		before, rest, found := strings.Cut(statement, "?")
		out.WriteString(before)
		if !found {
			break
		}
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 {
			next++
			out.WriteString("$" + strconv.Itoa(next))
		} else {
			out.WriteString("$" + rest[:digits])
		}
		statement = rest[digits:]
	}
	return withoutAdvice(out.String())
}

const indexedBy = " INDEXED BY "

func withoutAdvice(statement string) string {
	before, rest, found := strings.Cut(statement, indexedBy)
	if !found {
		return statement
	}
	return before + strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz_")
}
