package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A tx is the transaction that is being written. Nothing interrupts it.
type tx struct {
	d    *DB
	part *part // that is being added
	open bool
}

func (t *tx) begin() error {
	_, err := t.exec("BEGIN IMMEDIATE")
	t.open = err == nil
	return err
}

// commit stores parts. A part that fails has its error, and leaves nothing
// behind. An error that is returned is one of the transaction: then nothing of
// any part is stored.
func (t *tx) commit(parts []*part) error {
	for _, p := range parts {
		if err := t.add(p); err != nil {
			return err
		}
	}
	_, err := t.exec("COMMIT")
	t.open = t.open && err != nil
	return err
}

// rollback ends a transaction that is not committed.
func (t *tx) rollback() {
	if t.open {
		_, _ = t.exec("ROLLBACK") // an error means that SQLite has done it already
		t.open = false
	}
}

// add runs a part between savepoints. Some errors of SQLite, such as a full
// disk, end the whole transaction: then the savepoint is gone.
func (t *tx) add(p *part) error {
	t.part, p.events, p.err, p.panicked = p, nil, nil, nil
	if _, err := t.exec("SAVEPOINT part"); err != nil {
		return err
	}
	if p.err = t.run(p); p.err != nil {
		p.events = nil
		if _, err := t.exec("ROLLBACK TO part"); err != nil {
			return p.err
		}
	}
	_, err := t.exec("RELEASE part")
	return err
}

// run turns a panic into an error for the transaction.
func (t *tx) run(p *part) (err error) {
	defer func() {
		if p.panicked = recover(); p.panicked != nil {
			err = fmt.Errorf("panic: %v", p.panicked)
		}
	}()
	return p.do(t)
}

// stmt returns a prepared statement. There are few, all of them constants.
func (t *tx) stmt(query string) (*sql.Stmt, error) {
	if s := t.d.stmts[query]; s != nil {
		return s, nil
	}
	s, err := t.d.conn.PrepareContext(context.Background(), query)
	if err == nil {
		t.d.stmts[query] = s
	}
	return s, err
}

func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	s, err := t.stmt(query)
	if err != nil {
		return nil, t.d.explain(err)
	}
	result, err := s.ExecContext(context.Background(), args...)
	return result, t.d.explain(err)
}

// get scans the one row of a query. Without a row the error is sql.ErrNoRows.
func (t *tx) get(into []any, query string, args ...any) error {
	s, err := t.stmt(query)
	if err != nil {
		return t.d.explain(err)
	}
	err = s.QueryRowContext(context.Background(), args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return t.d.explain(err)
}
