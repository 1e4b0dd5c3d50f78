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

	"github.com/policyctl/policyctl/pkg/approval"
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

// A log that was cut off, and has no record behind that, takes no other one.
func TestLostLog(t *testing.T) {
	d := onFaulty(t, &faulty{answer: func(string, []driver.Value) ([]driver.Value, error) {
		return []driver.Value{int64(0), "", int64(5), int64(7), false}, nil
	}})
	err := d.Record(t.Context(), audit.Entry{Time: time.Unix(1, 0), Kind: audit.KindKey, Actor: "service"})
	var broken *audit.Broken
	if !errors.As(err, &broken) || broken.Seq != 6 {
		t.Errorf("%v", err)
	}
}

// What is due is asked for with one more than is wanted, which tells when the next one is; of a
// number below zero it is that alone.
func TestDueLimits(t *testing.T) {
	for limit, want := range map[int]int64{-3: 1, 0: 1, 5: 6} {
		d := onFaulty(t, &faulty{answer: func(_ string, args []driver.Value) ([]driver.Value, error) {
			if args[0] != want {
				t.Errorf("%d: asks for %v", limit, args)
			}
			return []driver.Value{"req_1", int64(9_000_000)}, nil
		}})
		ids, next, err := d.Due(t.Context(), time.Unix(8, 0), limit)
		if len(ids) > 0 || !next.Equal(time.Unix(9, 0)) || err != nil {
			t.Errorf("%d: %v, %v, %v", limit, ids, next, err)
		}
	}
}

// Where nothing stands behind a cut the log is lost, and where nothing was ever cut off it is
// empty.
func TestHeadOfNothing(t *testing.T) {
	for cut, want := range map[int64]int64{0: 0, 5: 6} {
		d := onFaulty(t, &faulty{answer: func(query string, _ []driver.Value) ([]driver.Value, error) {
			if strings.Contains(query, "DESC") {
				return nil, nil
			}
			return []driver.Value{cut}, nil
		}})
		r, err := d.AuditHead(t.Context())
		var broken *audit.Broken
		if errors.As(err, &broken) != (want > 0) || want > 0 && broken.Seq != want || want == 0 && err != nil || r != nil {
			t.Errorf("cut behind %d: %+v, %v", cut, r, err)
		}
	}
}

// A record before the first one was added: who reads the log from its beginning is told, and
// nobody else looks.
func TestAddedBefore(t *testing.T) {
	for after, want := range map[int64]bool{0: true, 1: false} {
		looks := 0
		d := onFaulty(t, &faulty{answer: func(query string, _ []driver.Value) ([]driver.Value, error) {
			if strings.Contains(query, "seq < 1") {
				looks++
			}
			return []driver.Value{int64(-3)}, nil
		}})
		_, err := d.Audit(t.Context(), after, 9)
		var broken *audit.Broken
		if (looks == 1) != want || (errors.As(err, &broken) && broken.Seq == -3) != want {
			t.Errorf("after %d: %d looks, %v", after, looks, err)
		}
	}
}

// What is stored is remembered for the indexes, and nothing that is not stored.
func TestRemembersStored(t *testing.T) {
	l := &ledger{}
	d := New(&wire{}, &Dialect{Send: l.send}, nil, Options{})
	create := func(id string) {
		r := &approval.Request{ID: id, State: approval.Pending, Title: "make"}
		_, _, _, err := d.Create(t.Context(), r, audit.Entry{Time: time.Unix(1, 0), Kind: audit.KindRequest, Actor: "service", RequestID: id})
		if (err != nil) != (l.fails != "") {
			t.Fatal(err)
		}
	}
	create("req_1")
	l.fails = "COMMIT"
	create("req_2")
	first, ok := d.fresh.requests.Get("req_1")
	if !ok || first.version != 1 || !strings.Contains(first.words, "make") || d.fresh.requests.Contains("req_2") {
		t.Errorf("%+v, and of the other: %t", first, d.fresh.requests.Contains("req_2"))
	}
	if r, ok := d.fresh.records.Get(1); !ok || r.RequestID != "req_1" || d.fresh.records.Contains(2) {
		t.Errorf("%+v, and of the other: %t", r, d.fresh.records.Contains(2))
	}
}
