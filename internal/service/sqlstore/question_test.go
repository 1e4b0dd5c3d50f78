package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// An oracle answers questions in one message: each with 8, where a database that is asked
// one by one says 7. What it is to leave has no answer.
type oracle struct {
	mu       sync.Mutex
	messages []int
	leaves   map[string]bool
	none     bool          // there is no row
	hold     chan struct{} // until which the first message has no answer
}

func (o *oracle) ask(_ context.Context, _ *sql.DB, all []Question) iter.Seq[int] {
	o.mu.Lock()
	o.messages = append(o.messages, len(all))
	first := len(o.messages) == 1
	o.mu.Unlock()
	if first && o.hold != nil {
		<-o.hold
	}
	return func(answered func(int) bool) {
		for i, q := range all {
			if o.leaves[q.Query] {
				return // as behind a statement that fails
			}
			_ = q.Scan(eight{o.none})
			if !answered(i) {
				return
			}
		}
	}
}

type eight struct{ none bool }

func (e eight) Scan(into ...any) error {
	if e.none {
		return sql.ErrNoRows
	}
	*into[0].(*int64) = 8
	return nil
}

// askingOf returns a database that asks an oracle.
func askingOf(t *testing.T, o *oracle) *DB {
	d := onFaulty(t, &faulty{})
	d.dialect.Ask = o.ask
	return d
}

// Those who ask at the same moment share a message, and one alone needs none.
func TestAsksTogether(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	o := &oracle{}
	d := askingOf(t, o)
	if n, err := one(t.Context(), d, scanInt, "SELECT n FROM t"); n != 7 || err != nil || len(o.messages) != 0 {
		t.Errorf("alone: %d, %v, %v", n, err, o.messages)
	}
	const asks = mostAsked + 8
	var all sync.WaitGroup
	for range asks {
		all.Go(func() {
			if n, err := one(t.Context(), d, scanInt, "SELECT n FROM t"); n != 8 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		})
	}
	all.Wait()
	if len(o.messages) != 2 || o.messages[0] != mostAsked || o.messages[1] != asks-mostAsked {
		t.Errorf("messages of %v questions, want %d and 8", o.messages, mostAsked)
	}
}

// What a message leaves without an answer is asked by itself. An answer that is refused, and
// that there is none, are not asked again.
func TestAsksAlone(t *testing.T) {
	o := &oracle{leaves: map[string]bool{"left": true}}
	d := askingOf(t, o)
	var all []*asking
	for _, query := range []string{"first", "refused", "left", "last"} {
		all = append(all, &asking{done: make(chan struct{}), Question: Question{Statement{Query: query}, func(from row) error {
			if query == "refused" {
				return approval.ErrDamaged
			}
			_, err := scanInt(from)
			return err
		}}})
	}
	d.askTogether(all)
	for i, a := range all {
		<-a.done
		if a.answered != (i < 2) || errors.Is(a.err, approval.ErrDamaged) != (i == 1) {
			t.Errorf("%s: answered %t, %v", a.Query, a.answered, a.err)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	o.leaves["SELECT n FROM t"], o.none = true, true
	for query, want := range map[string]error{"SELECT n FROM t": nil, "SELECT n FROM none": sql.ErrNoRows} {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if n, err := one(t.Context(), d, scanInt, query); err != want || err == nil && n != 7 {
					t.Errorf("%s: %d, %v", query, n, err)
				}
			})
		}
		both.Wait()
	}
}

// What reads a row may panic: then the others are asked by themselves.
func TestAsksAfterPanic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	d := askingOf(t, &oracle{})
	var all sync.WaitGroup
	var panics atomic.Int64
	for i := range 4 {
		all.Go(func() {
			defer func() {
				if recover() != nil {
					panics.Add(1)
				}
			}()
			n, err := one(t.Context(), d, func(from row) (int64, error) {
				if i == 2 {
					panic("a bug")
				}
				return scanInt(from)
			}, "SELECT n FROM t")
			if n == 0 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		})
	}
	all.Wait()
	if n, err := one(t.Context(), d, scanInt, "SELECT n FROM t"); n != 7 || err != nil || panics.Load() == 0 || panics.Load() > 2 {
		t.Errorf("%d, %v after %d panics", n, err, panics.Load())
	}
}

// A message that takes long holds up nobody who asks after it: they ask by themselves, and
// who does not wait any more is told.
func TestAsksPastSlow(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	o := &oracle{hold: make(chan struct{})}
	d := askingOf(t, o)
	var slow sync.WaitGroup
	for range 2 {
		slow.Go(func() {
			if n, err := one(t.Context(), d, scanInt, "SELECT n FROM t"); n != 8 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		})
	}
	runtime.Gosched()
	for o.sent() == 0 {
		time.Sleep(time.Millisecond)
	}
	ended, stop := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, stop)
	if _, err := one(ended, d, scanInt, "SELECT n FROM t"); !errors.Is(err, context.Canceled) {
		t.Errorf("who has gone is told %v", err)
	}
	if n, err := one(t.Context(), d, scanInt, "SELECT n FROM t"); n != 7 || err != nil {
		t.Errorf("behind a slow one: %d, %v", n, err)
	}
	close(o.hold)
	slow.Wait()
}

func (o *oracle) sent() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.messages)
}
