package sqlstore

import (
	"context"
	"database/sql"
	"errors"
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
}

func (w *wire) Check() error                               { return nil }
func (w *wire) Explain(err error) error                    { return err }
func (w *wire) Connect(context.Context) (*sql.Conn, error) { return new(sql.Conn), nil }
func (w *wire) Broken() bool                               { return false }
func (w *wire) Stored([]approval.Event) error              { return nil }

func (w *wire) Begin(t *Tx) error {
	_, err := t.Exec("BEGIN")
	return err
}

func (w *wire) send(_ context.Context, _ *sql.Conn, all []Statement, _ []any) (done int, changed int64, err error) {
	var queries []string
	for _, s := range all {
		if queries = append(queries, s.Query); s.Query == w.bad {
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

// What nobody waits for goes with what somebody waits for, or with the end.
func TestMessages(t *testing.T) {
	asks := func(t *Tx) error { return t.Get(nil, "ask") }
	fails := func(*Tx) error { return errNo }
	for name, row := range map[string]struct {
		parts    []func(*Tx) error
		bad      string
		errs     []error
		messages []string
	}{
		"together": {
			parts: []func(*Tx) error{later("a", "b"), later("c")}, errs: []error{nil, nil},
			messages: []string{"BEGIN", "SAVEPOINT part, a, b, RELEASE SAVEPOINT part, SAVEPOINT part, c, RELEASE SAVEPOINT part, COMMIT"},
		},
		"an answer": {
			parts: []func(*Tx) error{later("a"), asks}, errs: []error{nil, nil},
			messages: []string{"BEGIN", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, ask", "RELEASE SAVEPOINT part, COMMIT"},
		},
		"a part that fails before it sends": {
			parts: []func(*Tx) error{func(t *Tx) error { t.Later("lost"); return errNo }, later("b"), fails}, errs: []error{errNo, nil, errNo},
			messages: []string{"BEGIN", "SAVEPOINT part, b, RELEASE SAVEPOINT part, COMMIT"},
		},
		"a part that fails once it has sent": {
			parts: []func(*Tx) error{later("a"), func(t *Tx) error { return errors.Join(asks(t), later("lost")(t), errNo) }, later("c")}, errs: []error{nil, errNo, nil},
			messages: []string{
				"BEGIN", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, ask", "ROLLBACK TO SAVEPOINT part",
				"RELEASE SAVEPOINT part, SAVEPOINT part, c, RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"a statement of its own": {
			parts: []func(*Tx) error{later("a"), func(t *Tx) error { t.Later("bad"); return asks(t) }}, bad: "bad", errs: []error{nil, errNo},
			messages: []string{"BEGIN", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, bad", "ROLLBACK TO SAVEPOINT part", "RELEASE SAVEPOINT part, COMMIT"},
		},
		"a statement of its own, once it has sent": {
			parts: []func(*Tx) error{later("a"), func(t *Tx) error { return errors.Join(asks(t), later("bad")(t), asks(t)) }}, bad: "bad", errs: []error{nil, errNo},
			messages: []string{
				"BEGIN", "SAVEPOINT part, a, RELEASE SAVEPOINT part, SAVEPOINT part, ask", "bad", "ROLLBACK TO SAVEPOINT part", "RELEASE SAVEPOINT part, COMMIT",
			},
		},
		"a statement of another one": {
			parts: []func(*Tx) error{later("bad"), asks}, bad: "bad", errs: []error{errNo, nil},
			messages: []string{
				"BEGIN", "SAVEPOINT part, bad", "ROLLBACK", "BEGIN", "SAVEPOINT part, bad", "ROLLBACK",
				"BEGIN", "SAVEPOINT part, ask", "RELEASE SAVEPOINT part, COMMIT",
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
