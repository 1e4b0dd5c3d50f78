package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A counter counts what is sent to the server: messages with their statements.
type counter struct {
	mu       sync.Mutex
	messages [][]string
}

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages = append(c.messages, []string{q.SQL})
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *counter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, b pgx.TraceBatchStartData) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []string
	for _, q := range b.Batch.QueuedQueries {
		all = append(all, q.SQL)
	}
	c.messages = append(c.messages, all)
	return ctx
}

func (c *counter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *counter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// take returns what was sent since the last time, without what follows the events of
// others, and how often that looked for them.
func (c *counter) take() (sent [][]string, looks int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, all := range c.messages {
		switch {
		case strings.Contains(all[0], "FROM events WHERE id >"):
			looks++
		case strings.Contains(all[0], "FROM switches"), strings.HasPrefix(all[0], "-- ping"), strings.HasPrefix(all[0], "LISTEN"):
		default:
			sent = append(sent, all)
		}
	}
	c.messages = nil
	return sent, looks
}

// counted opens a database and counts what is sent to it.
func counted(t *testing.T, url string) (*DB, *counter) {
	t.Helper()
	var c counter
	s, err := newServer(url)
	if err != nil {
		t.Fatal(err)
	}
	s.config.Tracer = &c
	s.writer, s.readers = s.pool(1, settings), s.pool(readers, settings)
	o := Options{Notify: func(approval.Event) {}}
	if err := o.Complete(); err != nil {
		t.Fatal(err)
	}
	d := &DB{sqlstore.New(s, dialect(), s.readers, o), s}
	if err := d.open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, &c
}

// What a request costs in messages and statements, so that nobody makes it cost more.
func TestQuestions(t *testing.T) {
	d, c := counted(t, pgtest.URL(t))
	ctx, n := t.Context(), 0
	create := func() error {
		n++
		id := fmt.Sprint("req_", n)
		r := &approval.Request{ID: id, State: approval.Pending, Session: "s", Submitter: "token:agent", Created: time.Now(), Expires: time.Now().Add(time.Hour)}
		_, _, _, err := d.Create(ctx, r, audit.Entry{Time: time.Now(), Kind: audit.KindRequest, Actor: "token:agent", RequestID: id})
		return err
	}
	decide := func() error {
		_, err := d.Update(ctx, fmt.Sprint("req_", n), func(r *approval.Request) ([]audit.Entry, error) {
			return []audit.Entry{{Time: time.Now(), Kind: audit.KindDecision, Actor: "token:ann", RequestID: r.ID}}, nil
		})
		return err
	}
	record := func() error {
		call := ruledb.Recorded{At: time.Now(), Session: "s", JSON: json.RawMessage("{}")}
		return d.RecordCalls(ctx, call, call, call)
	}
	ask := func() error {
		_, _, _, err := d.Pending(ctx, "token:agent", "s")
		return err
	}
	identify := func() error {
		_, _, err := d.TokenByID(ctx, "x")
		return err
	}
	for _, warm := range []func() error{create, decide, record} { // which prepares statements
		if err := warm(); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		name                 string
		do                   func() error
		messages, statements int
	}{
		{"a request", create, 1, 7}, // BEGIN, turn and end; request, record, event and COMMIT
		{"a decision", decide, 3, 8},
		{"three calls for previews", record, 1, 8},
		{"what waits", ask, 1, 1},
		{"who it is", identify, 1, 1},
	} {
		c.take()
		if err := row.do(); err != nil {
			t.Fatal(err)
		}
		sent, _ := c.take()
		if statements := slices.Concat(sent...); len(sent) != row.messages || len(statements) != row.statements {
			t.Errorf("%s: %d messages with %d statements, want %d with %d:\n%s", row.name, len(sent), len(statements), row.messages, row.statements, strings.Join(statements, "\n"))
		}
	}
	begin := time.Now()
	for range 100 {
		if err := create(); err != nil {
			t.Fatal(err)
		}
	}
	_, looks := c.take()
	if most := int(time.Since(begin)/pollEvery) + 2; looks > most {
		t.Errorf("events that this instance has told are looked for %d times, want at most %d", looks, most)
	}
}

// Where another instance has written, this one looks where the log ends before it goes on, and
// asks for it each time until it is alone again.
func TestLooksBehindOthers(t *testing.T) {
	url := pgtest.URL(t)
	a, c := counted(t, url)
	b, _ := counted(t, url)
	store := func(d *DB) int {
		c.take()
		if err := d.Record(t.Context(), audit.Entry{Time: time.Now(), Kind: audit.KindKey, Actor: "service"}); err != nil {
			t.Fatal(err)
		}
		sent, _ := c.take()
		return len(sent)
	}
	var got []int
	for _, d := range []*DB{a, a, a, a, b, a, a, a, b, b, a, b, a, a} {
		if n := store(d); d == a {
			got = append(got, n)
		}
	}
	// The first has a connection that is new. Where the other has written, a message fails, a
	// ROLLBACK follows, and two more.
	if want := "[2 1 1 4 2 1 4 2 2]"; fmt.Sprint(got[1:]) != want {
		t.Errorf("messages %v, want %s", got[1:], want)
	}
	log, err := a.Audit(t.Context(), 0, 100)
	var v audit.Verifier
	for _, r := range log {
		err = errors.Join(err, v.Check(r))
	}
	if err != nil || len(log) != 14 {
		t.Errorf("%d records, %v", len(log), err)
	}
}

// What is more than is kept is found by an index, whatever the planner knows of the table:
// all who write wait for it.
func TestForgetsByIndex(t *testing.T) {
	d, _ := counted(t, pgtest.URL(t))
	c, err := d.server.readers.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i, statement := range []string{
		"INSERT INTO calls SELECT i, 0, '', '{}', '', '', '' FROM generate_series(1, 5000) AS i",
		"INSERT INTO events SELECT i, 0, '', '', 0, '', '', '', 0, 0 FROM generate_series(1, 5000) AS i",
		"DELETE FROM events" + sqlstore.UpTo + "$1::bigint",
		"DELETE FROM calls" + sqlstore.UpTo + "(SELECT max(id) FROM calls) - $1::bigint",
	} {
		if i < 2 {
			if _, err := c.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
			name := fmt.Sprint("forget", i, mode)
			plan := ""
			if _, err := c.ExecContext(t.Context(), "PREPARE "+name+" AS "+statement); err != nil {
				t.Fatal(err)
			}
			if _, err := c.ExecContext(t.Context(), "SET plan_cache_mode = "+mode); err != nil {
				t.Fatal(err)
			}
			rows, err := c.QueryContext(t.Context(), "EXPLAIN EXECUTE "+name+"(4990)")
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				var line string
				if err := rows.Scan(&line); err != nil {
					t.Fatal(err)
				}
				plan += line + "\n"
			}
			if err := rows.Err(); err != nil || strings.Contains(plan, "Seq Scan") {
				t.Errorf("%s: %v\n%s", statement, err, plan)
			}
		}
	}
}
