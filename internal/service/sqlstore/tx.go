package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A Tx is the transaction that is being written. Only its deadline interrupts it.
type Tx struct {
	d    *DB
	ctx  context.Context
	part *part // that is being added
	open bool
	// release ends the savepoint of the part before, nil for none.
	release []string
	// head is the end of the audit log, once it is known.
	head  *audit.Record
	known bool
}

// newTx returns a transaction that has not begun, and what releases it.
func (d *DB) newTx() (*Tx, context.CancelFunc) {
	ctx, stop := d.patiently(context.Background())
	return &Tx{d: d, ctx: ctx}, stop
}

// patiently bounds how long a database may take.
func (d *DB) patiently(ctx context.Context) (context.Context, context.CancelFunc) {
	if d.dialect.Patience == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d.dialect.Patience)
}

// begin begins the transaction, on a new connection where that of before has ended
// meanwhile.
func (t *Tx) begin() error {
	stood := t.d.conn != nil
	err := t.start()
	if err != nil && stood && t.d.engine.Broken() {
		t.d.drop()
		err = t.start()
	}
	return err
}

func (t *Tx) start() (err error) {
	if t.d.conn == nil {
		if t.d.conn, err = t.d.engine.Connect(t.ctx); err != nil {
			return t.d.engine.Explain(err)
		}
	}
	t.part = &part{} // of what the engine records
	t.open = true
	if err = t.d.engine.Begin(t); err != nil {
		t.rollback()
	}
	t.known = false // what the engine has seen may have been another transaction
	return err
}

// commit stores parts. A part that fails has its error, and leaves nothing
// behind. An error that is returned is one of the transaction: then nothing of
// any part is stored, unless it is an [Unknown].
func (t *Tx) commit(parts []*part) error {
	for _, p := range parts {
		if err := t.add(p); err != nil {
			return err
		}
	}
	err := t.Do(append(t.release, "COMMIT")...)
	t.open = t.open && err != nil
	if err != nil && t.d.engine.Broken() {
		err = &Unknown{err}
	}
	return err
}

// An Unknown is the error of a transaction whose end the database did not tell.
type Unknown struct{ err error }

// Error says so.
func (u *Unknown) Error() string {
	return "the answer of the database was lost, and this may be stored or not: look, or ask again in the same words: " + u.err.Error()
}

// Unwrap returns the error of the database.
func (u *Unknown) Unwrap() error { return u.err }

// Cause says what people at the other end of a service may know.
func (u *Unknown) Cause() string {
	return "the answer of the database was lost, and this may be stored or not: look, or ask again in the same words"
}

// rollback ends a transaction that is not committed, also one whose time is over.
func (t *Tx) rollback() {
	if !t.open {
		return
	}
	last, stop := t.d.newTx()
	defer stop()
	_, _ = last.Exec("ROLLBACK") // an error means that the database has done it already, or is gone
	t.open = false
}

// add runs a part between savepoints. Some errors of SQLite, such as a full
// disk, end the whole transaction: then the savepoint is gone.
func (t *Tx) add(p *part) error {
	t.part, p.events, p.err, p.panicked = p, nil, nil, nil
	if err := t.Do(append(t.release, "SAVEPOINT part")...); err != nil {
		return err
	}
	t.release = []string{"RELEASE SAVEPOINT part"}
	head, known := t.head, t.known
	if p.err = t.run(p); p.err != nil {
		p.events = nil
		t.head, t.known = head, known
		if _, err := t.Exec("ROLLBACK TO SAVEPOINT part"); err != nil {
			if t.d.engine.Broken() {
				return err
			}
			return p.err
		}
	}
	return nil
}

// run turns a panic into an error for the transaction.
func (t *Tx) run(p *part) (err error) {
	defer func() {
		if p.panicked = recover(); p.panicked != nil {
			err = fmt.Errorf("panic: %v", p.panicked)
		}
	}()
	return p.do(t)
}

// stmt returns a prepared statement. There are few, all of them constants.
func (t *Tx) stmt(query string) (*sql.Stmt, error) {
	if s := t.d.stmts[query]; s != nil {
		return s, nil
	}
	s, err := t.d.conn.PrepareContext(t.ctx, t.d.rewrite(query))
	if err == nil {
		t.d.stmts[query] = s
	}
	return s, err
}

// rewrite returns a statement as the database reads it.
func (d *DB) rewrite(query string) string {
	if d.dialect.Rewrite == nil {
		return query
	}
	return d.dialect.Rewrite(query)
}

// Do runs statements without arguments, one after another.
func (t *Tx) Do(statements ...string) error {
	if t.d.dialect.Joined {
		_, err := t.d.conn.ExecContext(t.ctx, strings.Join(statements, "; "))
		return t.d.engine.Explain(err)
	}
	for _, s := range statements {
		if _, err := t.Exec(s); err != nil {
			return err
		}
	}
	return nil
}

// Exec runs a statement, which is prepared once: it must be a constant.
func (t *Tx) Exec(query string, args ...any) (sql.Result, error) {
	s, err := t.stmt(query)
	if err != nil {
		return nil, t.d.engine.Explain(err)
	}
	result, err := s.ExecContext(t.ctx, args...)
	return result, t.d.engine.Explain(err)
}

// Get scans the one row of a query, which is prepared once. Without a row the
// error is sql.ErrNoRows.
func (t *Tx) Get(into []any, query string, args ...any) error {
	s, err := t.stmt(query)
	if err != nil {
		return t.d.engine.Explain(err)
	}
	err = s.QueryRowContext(t.ctx, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return t.d.engine.Explain(err)
}

// stored returns the events of parts that are stored.
func stored(parts []*part) (events []approval.Event) {
	for _, p := range parts {
		events = append(events, p.events...)
	}
	return events
}
