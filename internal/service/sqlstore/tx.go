package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A Tx is the transaction that is being written. Only its deadline interrupts it.
type Tx struct {
	d    *DB
	ctx  context.Context
	part *part // that is being added
	open bool
	// later are statements whose results nobody waits for: they go to the database with
	// the next one. Those before own are not of the part that is being added, and one of
	// them that fails is the failure of the transaction. sent says that the database has
	// something of the part that is to be taken back if it fails.
	later  []Statement
	own    int
	sent   bool
	failed error
	// careful says that each part has a savepoint of its own, so that one that fails leaves
	// the others, and that none presumes anything. Nearly always none fails.
	careful bool
	// release ends the savepoint of the part before, nil for none.
	release []Statement
	// end is where the audit log and the events end, and begun where they did. presumed says
	// that nobody has looked.
	end, begun end
	presumed   bool
}

// A Statement is one of SQL with its arguments.
type Statement struct {
	Query string
	Args  []any
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
		t.d.last = known{}
		if t.d.conn, err = t.d.engine.Connect(t.ctx); err != nil {
			return t.d.engine.Explain(err)
		}
	}
	t.part, t.later, t.failed = &part{}, nil, nil // of what the engine records
	t.open = true
	if err = t.d.engine.Begin(t); err == nil {
		err = t.findEnd() // with what begins it
	}
	if before := t.d.unsure; err == nil && before != nil && !t.end.is(before) {
		err = errMoved
	}
	if err != nil {
		t.rollback()
	}
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
	if old := t.end.event - int64(t.d.o.KeepEvents); old > 0 && len(stored(parts)) > 0 {
		t.Later("DELETE FROM events"+UpTo+"?", old)
	}
	t.later = append(t.later, t.release...)
	_, err := t.Exec("COMMIT")
	t.open = t.open && err != nil
	if err != nil && t.d.engine.Broken() {
		err = &Unknown{err}
	}
	return err
}

// errMoved is the error where the log does not end any more where a transaction has found it
// whose end nobody told: that may be stored.
var errMoved = errors.New("the log has moved")

// UpTo begins the condition for the oldest rows of a table. It names both ends: a planner
// takes what is open at one end for a third of the table, and reads the whole.
const UpTo = " WHERE id > 0 AND id <= "

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

// add runs a part, if it is careful between savepoints. Some errors of SQLite, such as a
// full disk, end the whole transaction: then the savepoint is gone.
func (t *Tx) add(p *part) error {
	t.part, p.made, p.err, p.panicked = p, made{}, nil, nil
	before, release, end := len(t.later), t.release, t.end
	if t.careful {
		t.later = append(append(t.later, release...), Statement{Query: "SAVEPOINT part"})
		t.release = []Statement{{Query: "RELEASE SAVEPOINT part"}}
	}
	t.own, t.sent = len(t.later), false
	if p.err = t.run(p); p.err == nil || t.failed != nil {
		return t.failed
	}
	p.made = made{}
	t.end = end
	switch {
	case !t.sent: // what went was of those before
		t.later, t.release = t.later[:min(before, t.own)], release
		return nil
	case !t.careful:
		t.failed = p.err
		return t.failed
	}
	t.later = nil
	if _, err := t.Exec("ROLLBACK TO SAVEPOINT part"); err != nil {
		if t.d.engine.Broken() {
			return err
		}
		return p.err
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

// rewrite returns a statement as the database reads it.
func (d *DB) rewrite(query string) string {
	if d.dialect.Rewrite == nil {
		return query
	}
	return d.dialect.Rewrite(query)
}

// Later runs a statement with the next one that Exec or Get runs, or with the end of the
// transaction: the way to a database costs more than most statements. If it fails, so does
// that one. The statement must be a constant.
func (t *Tx) Later(query string, args ...any) { t.later = append(t.later, Statement{query, args}) }

// presume reports whether a part may presume what is nearly always so, rather than ask for
// it, where a statement fails if it is not. The transaction is then repeated, and the part
// asks.
func (t *Tx) presume() bool { return !t.careful }

// Exec runs a statement, which must be a constant, and returns how many rows it changed.
func (t *Tx) Exec(query string, args ...any) (changed int64, err error) {
	return t.send(nil, query, args)
}

// Get scans the one row of a query, which must be a constant. Without a row the error is
// sql.ErrNoRows.
func (t *Tx) Get(into []any, query string, args ...any) error {
	_, err := t.send(into, query, args)
	return err
}

func (t *Tx) send(into []any, query string, args []any) (changed int64, err error) {
	all, own := append(t.later, Statement{query, args}), t.own
	// To ask leaves nothing to take back, but a savepoint goes before it.
	t.sent = t.sent || t.careful || len(t.later) > own || !strings.HasPrefix(query, "SELECT ")
	t.later, t.own = nil, 0
	send := t.d.dialect.Send
	if send == nil {
		send = t.d.oneByOne
	}
	done, changed, err := send(t.ctx, t.d.conn, all, into)
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return changed, err
	}
	err = t.d.engine.Explain(err)
	if done < own || !t.careful {
		t.failed = err
	}
	return 0, err
}

// oneByOne runs statements, which are prepared once. It returns how many succeeded, and
// how many rows the last one changed, or scans the row of that one.
func (d *DB) oneByOne(ctx context.Context, conn *sql.Conn, all []Statement, into []any) (done int, changed int64, err error) {
	for i, s := range all {
		stmt := d.stmts[s.Query]
		if stmt == nil {
			if stmt, err = conn.PrepareContext(ctx, d.rewrite(s.Query)); err != nil {
				return i, 0, err
			}
			d.stmts[s.Query] = stmt
		}
		if i == len(all)-1 && into != nil {
			return i, 0, stmt.QueryRowContext(ctx, s.Args...).Scan(into...)
		}
		result, err := stmt.ExecContext(ctx, s.Args...)
		if err == nil {
			changed, err = result.RowsAffected()
		}
		if err != nil {
			return i, 0, err
		}
	}
	return len(all), changed, nil
}

// stored returns the events of parts that are stored.
func stored(parts []*part) (events []approval.Event) {
	for _, p := range parts {
		events = append(events, p.events...)
	}
	return events
}
