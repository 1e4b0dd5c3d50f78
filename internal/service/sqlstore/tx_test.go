package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A wire is a database that notes what is sent to it: the statements of one message with
// commas between them.
type wire struct {
	Engine
	messages []string
	bad      string // a statement that fails
	failed   error  // what it fails with
	lost     bool   // the connection of now has ended
}

func (w *wire) Check() error                  { return nil }
func (w *wire) Explain(err error) error       { return err }
func (w *wire) Broken() bool                  { return w.lost }
func (w *wire) Stored([]approval.Event) error { return nil }

func (w *wire) Connect(ctx context.Context) (*sql.Conn, error) {
	w.lost = false
	return sql.OpenDB(idle{}).Conn(ctx)
}

// idle is a connection of which only its end is asked for.
type idle struct{ driver.Conn }

func (idle) Connect(context.Context) (driver.Conn, error) { return idle{}, nil }
func (idle) Driver() driver.Driver                        { return nil }
func (idle) Close() error                                 { return nil }

func (w *wire) Begin(t *Tx) error {
	t.Later("BEGIN")
	return nil
}

func (w *wire) send(_ context.Context, _ *sql.Conn, all []Statement, _ []any) (done int, changed int64, err error) {
	var queries []string
	if w.lost {
		w.messages = append(w.messages, "lost")
		return 0, 0, w.failed
	}
	for _, s := range all {
		query := s.Query
		if strings.Contains(query, "FROM events") && strings.HasPrefix(query, "SELECT ") {
			query = "where all ends"
		}
		if queries = append(queries, query); query == w.bad {
			err = w.failed
			break
		}
		done++
	}
	w.messages = append(w.messages, strings.Join(queries, ", "))
	return done, 0, err
}

// storeOn stores parts in one transaction if it can be.
func storeOn(w *wire, parts ...func(*Tx) error) (errs []error) {
	d := New(w, &Dialect{Send: w.send}, nil, Options{})
	var all []*part
	for _, do := range parts {
		all = append(all, &part{do: do, done: make(chan struct{})})
	}
	d.store(all)
	for _, p := range all {
		errs = append(errs, p.err)
	}
	return errs
}

func later(queries ...string) func(*Tx) error {
	return func(t *Tx) error {
		for _, q := range queries {
			t.Later(q)
		}
		return nil
	}
}

var errNo = errors.New("no")

// However many requests are stored together, the database is sent two messages: one more
// for each is what many writers would wait for.
func TestMessagesOfRequests(t *testing.T) {
	for _, n := range []int{1, 16, mostParts} {
		w := &wire{}
		var parts []func(*Tx) error
		for i := range n {
			r := &approval.Request{ID: fmt.Sprint("req_", i), State: approval.Pending}
			parts = append(parts, (&creation{r: r, text: "{}"}).do)
		}
		for i, err := range storeOn(w, parts...) {
			if err != nil {
				t.Errorf("request %d of %d: %v", i, n, err)
			}
		}
		if len(w.messages) != 2 {
			t.Errorf("%d requests take %d messages, want 2: BEGIN with where the log ends, and all else", n, len(w.messages))
		}
		if got := strings.Count(w.messages[len(w.messages)-1], "INSERT INTO events"); got != n {
			t.Errorf("%d events of %d requests", got, n)
		}
	}
}

// What nobody waits for goes with what somebody waits for, or with the end.
func TestMessages(t *testing.T) {
	asks := func(t *Tx) error { return t.Get(nil, "SELECT 1") }
	writes := func(t *Tx) error {
		_, err := t.Exec("write")
		return err
	}
	fails := func(*Tx) error { return errNo }
	presumes := func(t *Tx) error {
		if t.presume() {
			t.Later("taken")
			return nil
		}
		return asks(t)
	}
	for name, row := range map[string]struct {
		parts    []func(*Tx) error
		bad      string
		errs     []error
		messages []string
	}{
		"together": {
			parts: []func(*Tx) error{later("a", "b"), later("c")}, errs: []error{nil, nil},
			messages: []string{"BEGIN, where all ends", "a, b, c, COMMIT"},
		},
		"an answer": {
			parts: []func(*Tx) error{later("a"), asks}, errs: []error{nil, nil},
			messages: []string{"BEGIN, where all ends", "a, SELECT 1", "COMMIT"},
		},
		"a part that fails before it sends": {
			parts: []func(*Tx) error{func(t *Tx) error { t.Later("lost"); return errNo }, later("b"), fails}, errs: []error{errNo, nil, errNo},
			messages: []string{"BEGIN, where all ends", "b, COMMIT"},
		},
		"a part that fails once it has asked": {
			parts: []func(*Tx) error{later("a"), func(t *Tx) error { return errors.Join(asks(t), later("lost")(t), errNo) }, later("c")}, errs: []error{nil, errNo, nil},
			messages: []string{"BEGIN, where all ends", "a, SELECT 1", "c, COMMIT"},
		},
		"a part that fails once it has written": {
			parts: []func(*Tx) error{later("a"), func(t *Tx) error { return errors.Join(writes(t), later("lost")(t), errNo) }, later("c")}, errs: []error{nil, errNo, nil},
			messages: []string{
				"BEGIN, where all ends", "a, write", "ROLLBACK",
				"BEGIN, where all ends", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, write", "ROLLBACK TO SAVEPOINT part",
				"RELEASE SAVEPOINT part, SAVEPOINT part, c, RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"a part that fails once it has written with what it asks": {
			parts: []func(*Tx) error{later("a"), func(t *Tx) error { t.Later("b"); return errors.Join(asks(t), errNo) }, later("c")}, errs: []error{nil, errNo, nil},
			messages: []string{
				"BEGIN, where all ends", "a, b, SELECT 1", "ROLLBACK",
				"BEGIN, where all ends", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, b, SELECT 1", "ROLLBACK TO SAVEPOINT part",
				"RELEASE SAVEPOINT part, SAVEPOINT part, c, RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"a statement of its own": {
			parts: []func(*Tx) error{later("a"), func(t *Tx) error { t.Later("bad"); return asks(t) }}, bad: "bad", errs: []error{nil, errNo},
			messages: []string{
				"BEGIN, where all ends", "a, bad", "ROLLBACK",
				"BEGIN, where all ends", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, bad", "ROLLBACK TO SAVEPOINT part", "RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"a statement of its own, once it has asked": {
			parts: []func(*Tx) error{later("a"), func(t *Tx) error { return errors.Join(asks(t), later("bad")(t), asks(t)) }}, bad: "bad", errs: []error{nil, errNo},
			messages: []string{
				"BEGIN, where all ends", "a, SELECT 1", "bad", "ROLLBACK",
				"BEGIN, where all ends", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, SELECT 1", "bad", "ROLLBACK TO SAVEPOINT part", "RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"a question that fails": {
			parts: []func(*Tx) error{later("a"), asks}, bad: "SELECT 1", errs: []error{nil, errNo},
			messages: []string{
				"BEGIN, where all ends", "a, SELECT 1", "ROLLBACK",
				"BEGIN, where all ends", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, SELECT 1", "ROLLBACK TO SAVEPOINT part", "RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"a statement of another one": {
			parts: []func(*Tx) error{later("bad"), asks}, bad: "bad", errs: []error{errNo, nil},
			messages: []string{
				"BEGIN, where all ends", "bad", "ROLLBACK", "BEGIN, where all ends", "SAVEPOINT part, bad", "ROLLBACK", "BEGIN, where all ends", "SAVEPOINT part, bad", "ROLLBACK",
				"BEGIN, where all ends", "SAVEPOINT part, SELECT 1", "RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"a transaction that does not begin": {
			parts: []func(*Tx) error{later("a"), asks}, bad: "BEGIN", errs: []error{errNo, errNo},
			messages: []string{"BEGIN", "ROLLBACK"},
		},
		"what is presumed": {
			parts: []func(*Tx) error{presumes, later("b"), presumes}, errs: []error{nil, nil, nil},
			messages: []string{"BEGIN, where all ends", "taken, b, taken, COMMIT"},
		},
		"what is presumed and is not so": {
			parts: []func(*Tx) error{later("a"), presumes, later("b")}, bad: "taken", errs: []error{nil, nil, nil},
			messages: []string{
				"BEGIN, where all ends", "a, taken", "ROLLBACK",
				"BEGIN, where all ends", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, SELECT 1", "RELEASE SAVEPOINT part, SAVEPOINT part, b, RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"what is presumed and fails at once": {
			parts: []func(*Tx) error{func(t *Tx) error { return errors.Join(presumes(t), asks(t)) }}, bad: "taken", errs: []error{nil},
			messages: []string{
				"BEGIN, where all ends", "taken", "ROLLBACK", "BEGIN, where all ends", "SAVEPOINT part, SELECT 1", "SELECT 1", "RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"a statement that fails beside what is presumed": {
			parts: []func(*Tx) error{presumes, func(t *Tx) error { t.Later("bad"); return asks(t) }}, bad: "bad", errs: []error{nil, errNo},
			messages: []string{
				"BEGIN, where all ends", "taken, bad", "ROLLBACK",
				"BEGIN, where all ends", "SAVEPOINT part, SELECT 1", "RELEASE SAVEPOINT part, SAVEPOINT part, bad", "ROLLBACK TO SAVEPOINT part", "RELEASE SAVEPOINT part, COMMIT",
			},
		},
	} {
		w := &wire{bad: row.bad, failed: errNo}
		errs := storeOn(w, row.parts...)
		if !slices.EqualFunc(errs, row.errs, errors.Is) {
			t.Errorf("%s: %v, want %v", name, errs, row.errs)
		}
		if !slices.Equal(w.messages, row.messages) {
			t.Errorf("%s: sends\n%s\nwant\n%s", name, strings.Join(w.messages, "\n"), strings.Join(row.messages, "\n"))
		}
	}
}

// A connection that has ended since the last transaction is replaced, and nobody notices.
func TestBeginsAnew(t *testing.T) {
	w := &wire{failed: errNo}
	d := New(w, &Dialect{Send: w.send}, nil, Options{})
	for range 2 {
		p := &part{do: later("a"), done: make(chan struct{})}
		if d.store([]*part{p}); p.err != nil {
			t.Errorf("%v after %q", p.err, w.messages)
		}
		w.lost = true
	}
	if want := []string{"BEGIN, where all ends", "a, COMMIT", "lost", "lost", "BEGIN, where all ends", "a, COMMIT"}; !slices.Equal(w.messages, want) {
		t.Errorf("sends %q, want %q", w.messages, want)
	}
}
