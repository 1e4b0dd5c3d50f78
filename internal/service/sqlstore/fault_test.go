package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A faulty database answers each query with one row, behind which something may be wrong.
type faulty struct {
	answer  func(query string, args []driver.Value) ([]driver.Value, error) // nil for a 7
	behind  error                                                           // the row, nil for the end
	execute func(query string) error                                        // what becomes of a statement that changes something
	gone    error                                                           // of all that is prepared, asked and closed
	broken  bool                                                            // the connection that writes

	opened, prepared int
}

func (f *faulty) Connect(context.Context) (driver.Conn, error) { f.opened++; return f, nil }
func (f *faulty) Driver() driver.Driver                        { return nil }
func (f *faulty) Close() error                                 { return nil }
func (f *faulty) Begin() (driver.Tx, error)                    { return nil, errNo }
func (f *faulty) Prepare(query string) (driver.Stmt, error) {
	f.prepared++
	return stmt{f, query}, f.gone
}

type stmt struct {
	f     *faulty
	query string
}

func (s stmt) Close() error  { return s.f.gone }
func (s stmt) NumInput() int { return -1 }
func (s stmt) Exec([]driver.Value) (driver.Result, error) {
	if s.f.execute != nil {
		return driver.RowsAffected(0), s.f.execute(s.query)
	}
	return driver.RowsAffected(0), s.f.gone
}

func (s stmt) Query(args []driver.Value) (driver.Rows, error) {
	if s.f.answer == nil && strings.Contains(s.query, "FROM events") { // with which a transaction begins
		return &rows{[]driver.Value{int64(0), "", int64(0), int64(0), false}, nil}, s.f.gone
	}
	if s.f.answer == nil {
		return &rows{[]driver.Value{int64(7)}, s.f.behind}, s.f.gone
	}
	row, err := s.f.answer(s.query, args)
	return &rows{row, s.f.behind}, err
}

// Rows are one row and what is behind it.
type rows struct {
	row    []driver.Value
	behind error
}

func (r *rows) Columns() []string { return make([]string, len(r.row)) }
func (r *rows) Close() error      { return nil }
func (r *rows) Next(into []driver.Value) error {
	if r.row == nil {
		return cmp.Or(r.behind, io.EOF)
	}
	copy(into, r.row)
	r.row = nil
	return nil
}

// An explaining engine is that of a faulty database: what it says of an error begins with
// what to do.
type explaining struct {
	Engine
	db *sql.DB
	f  *faulty
}

func (e *explaining) Check() error                  { return nil }
func (e *explaining) Broken() bool                  { return e.f.broken }
func (e *explaining) Stored([]approval.Event) error { return nil }

func (e *explaining) Begin(t *Tx) error {
	_, err := t.Exec("BEGIN")
	return err
}

func (e *explaining) Connect(ctx context.Context) (*sql.Conn, error) {
	e.f.broken = false
	return e.db.Conn(ctx)
}

func (e *explaining) Explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("look at the disk: %w", err)
}

// onFaulty returns a store on a faulty database.
func onFaulty(t *testing.T, f *faulty) *DB {
	db := sql.OpenDB(f)
	t.Cleanup(func() { db.Close() })
	return New(&explaining{db: db, f: f}, &Dialect{}, db, Options{KeepEvents: 1})
}

// What goes wrong while rows are read is told and explained, and a caller who has gone is
// told that.
func TestReadFaults(t *testing.T) {
	ended, stop := context.WithCancel(t.Context())
	stop()
	for name, row := range map[string]struct {
		f    *faulty
		ctx  context.Context
		list error
		one  error
		rows int
	}{
		"nothing":       {&faulty{}, t.Context(), nil, nil, 1},
		"the query":     {&faulty{gone: errNo}, t.Context(), errNo, errNo, 0},
		"behind a row":  {&faulty{behind: errNo}, t.Context(), errNo, nil, 1},
		"nobody waits":  {&faulty{}, ended, context.Canceled, context.Canceled, 0},
		"no row at all": {&faulty{gone: sql.ErrNoRows}, t.Context(), sql.ErrNoRows, sql.ErrNoRows, 0},
	} {
		d := onFaulty(t, row.f)
		all, listErr := list(row.ctx, d, scanInt, "SELECT n FROM t")
		_, oneErr := one(row.ctx, d, scanInt, "SELECT n FROM t")
		if !errors.Is(listErr, row.list) || !errors.Is(oneErr, row.one) || len(all) != row.rows {
			t.Errorf("%s: %v, %v and %v", name, all, listErr, oneErr)
		}
		for _, err := range []error{listErr, oneErr} {
			if err != nil && errors.Is(err, errNo) != strings.HasPrefix(err.Error(), "look at the disk: ") && !errors.Is(err, sql.ErrNoRows) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A statement that reads is prepared once, and what could not be prepared is not kept.
func TestPreparedOnce(t *testing.T) {
	f := &faulty{gone: errNo}
	d := onFaulty(t, f)
	if s := d.asked.of(t.Context(), d.readers, "SELECT n FROM t"); s != nil {
		t.Error("prepared what cannot be")
	}
	f.gone = nil
	first := d.asked.of(t.Context(), d.readers, "SELECT n FROM t")
	if first == nil || d.asked.of(t.Context(), d.readers, "SELECT n FROM t") != first {
		t.Error("it is prepared again")
	}
	for i := range mostStatements {
		s := d.asked.of(t.Context(), d.readers, fmt.Sprint("SELECT ", i))
		if (s == nil) != (i == mostStatements-1) {
			t.Errorf("statement %d is kept: %t", i+2, s != nil)
		}
	}
	if d.asked.of(t.Context(), d.readers, "SELECT n FROM t") != first {
		t.Error("where no more are kept, those of before are not used")
	}
}

// What is read is asked for again while connections were lost, for as many as may wait, and
// no other error has it asked again.
func TestAskedAgain(t *testing.T) {
	lost := errors.New("lost")
	for name, row := range map[string]struct {
		lost func(error) bool
		errs []error // of the first times
		want error
		asks int
	}{
		"at once":        {nil, nil, nil, 1},
		"never lost":     {nil, []error{lost}, lost, 1},
		"another error":  {func(err error) bool { return err == lost }, []error{errNo}, errNo, 1},
		"lost twice":     {func(err error) bool { return err == lost }, []error{lost, lost}, nil, 3},
		"lost, then not": {func(err error) bool { return err == lost }, []error{lost, errNo}, errNo, 2},
		"always lost":    {func(err error) bool { return err == lost }, slices.Repeat([]error{lost}, 9), lost, mostLost},
	} {
		d := New(&wire{}, &Dialect{Lost: row.lost}, nil, Options{})
		asks := 0
		err := d.again(func() error {
			if asks++; asks <= len(row.errs) {
				return row.errs[asks-1]
			}
			return nil
		})
		if err != row.want || asks != row.asks {
			t.Errorf("%s: %v, asked %d times", name, err, asks)
		}
	}
}

// A database that is sent statements one by one has each that reads prepared once; another
// one prepares by itself.
func TestPreparesReads(t *testing.T) {
	for _, alone := range []bool{true, false} {
		f := &faulty{}
		d := onFaulty(t, f)
		if !alone {
			d.dialect.Send = new(wire).send
		}
		for range 3 {
			if n, err := one(t.Context(), d, scanInt, "SELECT n FROM t"); n != 7 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		}
		if (f.prepared == 1) != alone {
			t.Errorf("one by one %t: prepared %d times", alone, f.prepared)
		}
	}
}
