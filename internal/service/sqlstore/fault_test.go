package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A faulty database answers each query with one row, behind which something may be wrong,
// and explains what is.
type faulty struct {
	row    []driver.Value                                         // nil for a 7
	answer func(query string, args []driver.Value) (int64, error) // nil for row
	Engine
	rows             error // behind the first row, nil for the end
	gone             error // of each query and each statement that is prepared
	broken           bool  // the connection that writes
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

func (s stmt) Close() error                               { return nil }
func (s stmt) NumInput() int                              { return -1 }
func (s stmt) Exec([]driver.Value) (driver.Result, error) { return driver.RowsAffected(0), s.f.gone }
func (s stmt) Query(args []driver.Value) (driver.Rows, error) {
	if s.f.answer == nil {
		return &rows{f: s.f}, s.f.gone
	}
	n, err := s.f.answer(s.query, args)
	return &rows{f: &faulty{row: []driver.Value{n}}}, err
}

type rows struct {
	f *faulty
	n int
}

func (r *rows) Columns() []string { return make([]string, max(1, len(r.f.row))) }
func (r *rows) Close() error      { return nil }
func (r *rows) Next(into []driver.Value) error {
	if r.n++; r.n == 1 {
		into[0] = int64(7)
		copy(into, r.f.row)
		return nil
	}
	if r.f.rows != nil {
		return r.f.rows
	}
	return io.EOF
}

// An explaining engine is that of a faulty database.
type explaining struct {
	Engine
	db *sql.DB
	f  *faulty
}

func (e *explaining) Check() error { return nil }
func (e *explaining) Broken() bool { return e.f.broken }
func (e *explaining) Begin(t *Tx) error {
	_, err := t.Exec("BEGIN")
	return err
}
func (e *explaining) Stored([]approval.Event) error { return nil }

func (e *explaining) Connect(ctx context.Context) (*sql.Conn, error) { return e.db.Conn(ctx) }

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
		"behind a row":  {&faulty{rows: errNo}, t.Context(), errNo, nil, 1},
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

// A record that was cut off since it was read is not read into the index.
func TestIndexesNoneCut(t *testing.T) {
	for gone, want := range map[int64]int{6: 1, 7: 0, 8: 0} {
		d := onFaulty(t, &faulty{row: []driver.Value{int64(7), []byte("{}")}})
		d.dialect.Search = Search{Put: "PUT %s", Entry: func(string, []string) []any { return nil }}
		puts := 0
		d.dialect.Send = func(_ context.Context, _ *sql.Conn, all []Statement, into []any) (int, int64, error) {
			for _, s := range all {
				if s.Query == "PUT audit_search" && s.Args[0] == int64(7) {
					puts++
				}
			}
			if len(into) == 1 {
				*into[0].(*int64) = gone
			}
			return len(all), 0, nil
		}
		if n, err := d.indexRecords(t.Context()); n != 1 || err != nil || puts != want {
			t.Errorf("cut behind record %d: %d read, %v, and %d in the index, want %d", gone, n, err, puts, want)
		}
	}
}

// A search by time looks at the records of that time and of a minute around it, however long
// the log is, and tells what went wrong while it looked for them.
func TestAuditSpan(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) } // of record 1 is minute 1
	const last = 1000
	for name, row := range map[string]struct {
		f    audit.Filter
		gone int64
		want span
	}{
		"all":             {audit.Filter{}, 0, span{1, math.MaxInt64}},
		"behind a cut":    {audit.Filter{}, 9, span{10, math.MaxInt64}},
		"after":           {audit.Filter{After: 20}, 9, span{21, math.MaxInt64}},
		"after, cut":      {audit.Filter{After: 5}, 9, span{10, math.MaxInt64}},
		"before":          {audit.Filter{Before: 20}, 0, span{1, 20}},
		"from":            {audit.Filter{From: at(300)}, 0, span{299, math.MaxInt64}},
		"from, cut":       {audit.Filter{From: at(300)}, 400, span{401, math.MaxInt64}},
		"to":              {audit.Filter{To: at(300)}, 0, span{1, 301}},
		"from to":         {audit.Filter{From: at(200), To: at(300)}, 0, span{199, 301}},
		"to, before":      {audit.Filter{To: at(300), Before: 250}, 0, span{1, 250}},
		"from the future": {audit.Filter{From: at(2 * last)}, 0, span{last + 1, math.MaxInt64}},
		"to the future":   {audit.Filter{To: at(2 * last)}, 0, span{1, last + 1}},
	} {
		asks, most := 0, math.MaxInt
		f := &faulty{answer: func(query string, args []driver.Value) (int64, error) {
			if asks++; asks > most {
				return 0, errNo
			}
			switch {
			case len(args) == 2:
				return int64(number(at(int(args[0].(int64))).Format(SecondForm) < args[1].(string))), nil
			case strings.Contains(query, "max(seq)"):
				return last, nil
			}
			return row.gone, nil
		}}
		d := onFaulty(t, f)
		got, err := d.auditSpan(t.Context(), &row.f)
		if err != nil || got != row.want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, row.want)
		}
		if asks > 25 {
			t.Errorf("%s: asked %d times", name, asks)
		}
		for all := asks; all > 0; all-- {
			asks, most = 0, all-1
			if _, err := d.auditSpan(t.Context(), &row.f); !errors.Is(err, errNo) {
				t.Errorf("%s: question %d fails, and the error is %v", name, all, err)
			}
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

// A connection that has ended is dropped, and the next transaction has a new one; one that
// stands is kept.
func TestDropsConnection(t *testing.T) {
	for _, broken := range []bool{false, true} {
		f := &faulty{}
		d := onFaulty(t, f)
		write := func() error { return d.write(t.Context(), func(*Tx) error { return nil }) }
		if err := write(); err != nil {
			t.Fatal(err)
		}
		was := f.opened
		f.broken = broken
		d.drop()
		f.broken = false
		if err := write(); err != nil || (f.opened > was) != broken {
			t.Errorf("broken %t: %d connections, then %d, %v", broken, was, f.opened, err)
		}
	}
}
