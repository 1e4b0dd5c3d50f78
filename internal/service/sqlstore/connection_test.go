package sqlstore

import (
	"errors"
	"strings"
	"testing"
)

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

// A connection that has ended while nobody wrote is made anew; where a new one does not
// work either, or nothing has ended, the error is told.
func TestConnectsAnew(t *testing.T) {
	for name, row := range map[string]struct {
		before bool // something was written before
		ended  bool // that a transaction does not begin means that the connection has ended
		fails  int  // how often it does not
		opened int
		stored bool
	}{
		"stands":           {true, false, 0, 1, true},
		"has ended":        {true, true, 1, 2, true},
		"ends again":       {true, true, 2, 2, false},
		"is refused":       {true, false, 1, 1, false},
		"the first one":    {false, true, 1, 1, false},
		"the first stands": {false, true, 0, 1, true},
	} {
		f := &faulty{}
		d := onFaulty(t, f)
		write := func() error { return d.write(t.Context(), func(*Tx) error { return nil }) }
		if row.before {
			if err := write(); err != nil {
				t.Fatal(err)
			}
		}
		left := row.fails
		f.execute = func(query string) error {
			if query != "BEGIN" || left == 0 {
				return nil
			}
			left--
			f.broken = row.ended
			return errNo
		}
		if err := write(); (err == nil) != row.stored || err != nil && !errors.Is(err, errNo) || f.opened != row.opened {
			t.Errorf("%s: %v with %d connections", name, err, f.opened)
		}
	}
}

// Of a transaction whose end was lost with the connection, nobody knows whether it is
// stored; of one that was refused, it is known.
func TestLostEnd(t *testing.T) {
	for name, row := range map[string]struct {
		err             error
		broken, unknown bool
	}{"stored": {nil, false, false}, "stored, and then gone": {nil, true, false}, "refused": {errNo, false, false}, "lost": {errNo, true, true}} {
		f := &faulty{}
		d := onFaulty(t, f)
		f.execute = func(query string) error {
			if query != "COMMIT" {
				return nil
			}
			f.broken = row.broken
			return row.err
		}
		err := d.write(t.Context(), func(*Tx) error { return nil })
		var unknown *Unknown
		if errors.Is(err, errNo) != (row.err != nil) || errors.As(err, &unknown) != row.unknown || unknown != nil && !strings.Contains(err.Error(), "may be stored or not") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What cannot be closed is told, unless the connection was lost anyway.
func TestCloses(t *testing.T) {
	for name, row := range map[string]struct{ written, broken, fails bool }{
		"nothing was written": {false, false, false}, "stands": {true, false, false}, "lost": {true, true, true}, "cannot be closed": {true, false, true},
	} {
		f := &faulty{}
		d := onFaulty(t, f)
		if row.written {
			if err := d.write(t.Context(), func(*Tx) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		f.broken = row.broken
		if row.fails {
			f.gone = errNo
		}
		d.readers = onFaulty(t, &faulty{}).readers // of which nothing is to be told
		if err := d.Close(); errors.Is(err, errNo) != (row.fails && !row.broken) || err != nil && !row.fails {
			t.Errorf("%s: %v", name, err)
		}
	}
}
