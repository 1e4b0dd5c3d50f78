package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A ledger is a database of which only the ends of the log and of the events are there.
type ledger struct {
	seq, event int64
	hash       string
	denials    bool
	fails      string // a statement that fails

	// asked is how the transactions began: read, hold or failed.
	asked []string
	seqs  []int64 // of the records that are stored
}

func (l *ledger) send(_ context.Context, _ *sql.Conn, all []Statement, into []any) (int, int64, error) {
	next := *l
	for i, s := range all {
		switch {
		case s.Query == holdEnd:
			if s.Args[0] != l.seq || s.Args[1] != l.hash || s.Args[2] != l.event || s.Args[3] != l.denials {
				l.asked = append(l.asked, "failed")
				return i, 0, errNo
			}
			next.asked = append(next.asked, "hold")
		case s.Query == readEnd:
			next.asked = append(next.asked, "read")
			*into[0].(*int64), *into[1].(*string), *into[3].(*int64), *into[4].(*bool) = l.seq, l.hash, l.event, l.denials
		case l.fails != "" && strings.Contains(s.Query, l.fails):
			l.asked = next.asked
			return i, 0, errNo
		case strings.HasPrefix(s.Query, "INSERT INTO audit"):
			next.seq, next.hash = s.Args[0].(int64), s.Args[1].(string)
			next.seqs = append(next.seqs, next.seq)
		}
	}
	*l = next
	return len(all), 0, nil
}

// A process that writes alone presumes where the log ends, and is told where it does not: the
// transaction is repeated then, on what another one has left.
func TestPresumesEnd(t *testing.T) {
	const hash = "0000000000000000000000000000000000000000000000000000000000000000"
	other := func(change func(l *ledger)) func(*DB, *ledger) { return func(_ *DB, l *ledger) { change(l) } }
	for name, row := range map[string]struct {
		before func(*DB, *ledger) // the fourth transaction
		want   string             // how that and two more begin
		last   int64              // record
	}{
		"alone":             {func(*DB, *ledger) {}, "hold hold hold", 6},
		"another record":    {other(func(l *ledger) { l.seq, l.hash = 40, hash }), "failed read read hold", 43},
		"another hash":      {other(func(l *ledger) { l.hash = hash }), "failed read read hold", 6},
		"another event":     {other(func(l *ledger) { l.event++ }), "failed read read hold", 6},
		"a session denied":  {other(func(l *ledger) { l.denials = true }), "failed read read hold", 6},
		"another each time": {other(func(l *ledger) { l.event, l.fails = l.event+1, "" }), "failed read read hold", 6},
		"a new connection":  {func(d *DB, _ *ledger) { d.conn = nil }, "read read hold", 6},
	} {
		l := &ledger{}
		d := New(&wire{}, &Dialect{Send: l.send}, nil, Options{})
		record := func() {
			if err := d.Record(t.Context(), audit.Entry{Time: time.Unix(1, 0), Kind: audit.KindKey, Actor: "service"}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for range 3 {
			record()
		}
		if got := strings.Join(l.asked, " "); got != "read read hold" {
			t.Errorf("at first: %s", got)
		}
		l.asked = nil
		row.before(d, l)
		for range 3 {
			record()
		}
		if got := strings.Join(l.asked, " "); got != row.want || l.seq != row.last {
			t.Errorf("%s: %s up to record %d, want %s up to %d", name, got, l.seq, row.want, row.last)
		}
	}
}

// After a transaction that failed nothing is presumed, and one that is careful looks.
func TestPresumesNothing(t *testing.T) {
	l := &ledger{}
	d := New(&wire{}, &Dialect{Send: l.send}, nil, Options{})
	record := func() error {
		return d.Record(t.Context(), audit.Entry{Time: time.Unix(1, 0), Kind: audit.KindKey, Actor: "service"})
	}
	for range 3 {
		if err := record(); err != nil {
			t.Fatal(err)
		}
	}
	l.asked, l.fails = nil, "COMMIT"
	if err := record(); !errors.Is(err, errNo) {
		t.Errorf("it fails: %v", err)
	}
	l.fails = ""
	for range 3 {
		if err := record(); err != nil {
			t.Fatal(err)
		}
	}
	// As presumed, with a look, and carefully; then until it is alone again.
	if got := fmt.Sprint(l.asked, l.seq); got != "[hold read read read read hold] 6" {
		t.Errorf("it asked %s", got)
	}
}

// A database that is asked one by one is asked where all ends each time.
func TestLooksOneByOne(t *testing.T) {
	looks := 0
	d := onFaulty(t, &faulty{answer: func(query string, _ []driver.Value) ([]driver.Value, error) {
		if query == readEnd {
			looks++
		}
		return []driver.Value{int64(7), "sha256:7", int64(0), int64(7), false}, nil
	}})
	for n := range 5 {
		if err := d.write(t.Context(), func(*Tx) error { return nil }); err != nil || looks != n+1 {
			t.Errorf("%d looks, %v", looks, err)
		}
	}
}
