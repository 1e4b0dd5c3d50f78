package approval

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// running has a service that runs on the time of a bubble until the test ends, and what it
// told of.
func running(t *testing.T, o Options, during func(s *Service, store *memory, failed *[]error)) {
	synctest.Test(t, func(t *testing.T) {
		store, failed := newMemory(), new([]error)
		o.Store, o.Judge, o.Now = store, &judge{}, time.Now
		o.MayDecide = func(context.Context, string) bool { return true }
		s, err := NewService(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		s.live.Store(0) // no receipt of before
		store.keysRead, store.reduced = 0, 0
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan bool)
		go func() {
			s.Run(ctx, func(err error) { store.look(func() { *failed = append(*failed, err) }) })
			close(done)
		}()
		synctest.Wait()
		during(s, store, failed)
		stop()
		<-done
	})
}

// A service looks for new keys every five seconds, and for what is over every hour; the
// time is remembered only while something runs out.
func TestRunLooks(t *testing.T) {
	running(t, Options{}, func(s *Service, store *memory, failed *[]error) {
		store.look(func() {
			if store.keysRead != 1 || store.reduced != 1 || len(store.observed) != 1 {
				t.Errorf("at first: keys %d, swept %d, observed %v", store.keysRead, store.reduced, store.observed)
			}
		})
		time.Sleep(20*time.Second + time.Millisecond)
		store.look(func() {
			if store.keysRead != 5 || store.reduced != 1 || len(store.observed) != 1 {
				t.Errorf("after 20 s: keys %d, swept %d, observed %v", store.keysRead, store.reduced, store.observed)
			}
		})
		time.Sleep(2*time.Hour - 20*time.Second)
		store.look(func() {
			if store.reduced != 3 {
				t.Errorf("after two hours: swept %d", store.reduced)
			}
		})
		store.look(func() {
			if len(*failed) != 0 {
				t.Error(*failed)
			}
		})
	})
}

// A request ends when its time is over, to the millisecond; until then the time is
// remembered each second.
func TestRunEnds(t *testing.T) {
	running(t, Options{}, func(s *Service, store *memory, failed *[]error) {
		q, err := s.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Timeout: 2500 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2499 * time.Millisecond)
		store.look(func() {
			if got, _ := store.get(q.ID); got.State != Pending {
				t.Errorf("too early: %s", got.State)
			}
		})
		time.Sleep(2 * time.Millisecond)
		store.look(func() {
			if got, _ := store.get(q.ID); got.State != TimedOut {
				t.Errorf("too late: %s", got.State)
			}
		})
		store.look(func() {
			if n := len(store.observed); n != 2 && n != 3 {
				t.Errorf("observed %v", store.observed)
			}
		})
		n := 0
		store.look(func() { n = len(store.observed) })
		time.Sleep(time.Minute)
		store.look(func() {
			if len(store.observed) != n {
				t.Errorf("observed %v though nothing runs out", store.observed[n:])
			}
		})
	})
}

// An error of the store is told once a second, and the service goes on when it can.
func TestRunFails(t *testing.T) {
	running(t, Options{}, func(s *Service, store *memory, failed *[]error) {
		q, err := s.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Timeout: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		store.mu.Lock()
		store.broken = errors.New("disk full")
		store.mu.Unlock()
		time.Sleep(10*time.Second + time.Millisecond)
		store.look(func() {
			if n := len(*failed); n < 9 || n > 11 {
				t.Errorf("told %d times: %v", n, *failed)
			}
		})
		store.look(func() {
			if store.keysRead != 1 {
				t.Errorf("the keys were read %d times", store.keysRead)
			}
		})
		store.mu.Lock()
		store.broken = nil
		store.mu.Unlock()
		time.Sleep(time.Second)
		store.look(func() {
			if got, _ := store.get(q.ID); got.State != TimedOut {
				t.Errorf("%s", got.State)
			}
		})
	})
}

// Who stops a service is told of no error that comes of it.
func TestRunStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		s, err := NewService(t.Context(), Options{Store: store, Judge: &judge{}, Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		store.fails = func() error { stop(); return context.Canceled }
		s.Run(ctx, func(err error) { t.Error(err) })
	})
}

// Many requests that are over are swept in parts, with short pauses in between.
func TestRunSweepsInParts(t *testing.T) {
	r, q := approved(t)
	q.Closed = nil
	r.fill(q, 2*sweepPart)
	synctest.Test(t, func(t *testing.T) {
		s, err := NewService(t.Context(), Options{Store: r.store, Judge: r.judge, Now: func() time.Time { return time.Unix(start+3*3600, 0) }, Signer: r.key})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go s.Run(ctx, func(err error) { t.Error(err) })
		synctest.Wait()
		for n := 1; n <= 5; n++ {
			r.store.look(func() {
				if want := min(n, 4); r.store.reduced != want { // three parts, and one that finds nothing
					t.Errorf("pause %d: swept %d times, want %d", n, r.store.reduced, want)
				}
			})
			time.Sleep(10 * time.Millisecond)
			synctest.Wait()
		}
	})
	for _, q := range r.store.all() {
		if q.Closed == nil {
			t.Fatalf("%s is not closed", q.ID)
		}
	}
}

// A sweep says that there may be more where it found something, of either kind.
func TestSweepSaysMore(t *testing.T) {
	r := newRig(t)
	r.keep = 2 * minKeep
	old := r.submit("make old")
	if _, err := r.Decide(t.Context(), old.ID, "token:ann", Answer{Word: Rejected}); err != nil { // closed at once
		t.Fatal(err)
	}
	sweep := func(want bool) {
		t.Helper()
		if more, err := r.sweepOnce(t.Context()); err != nil || more != want {
			t.Errorf("more: %t, want %t, %v", more, want, err)
		}
	}
	r.restart()
	sweep(false)
	r.now.Add(2*24*3600 - 2*3600)
	young := r.submit("make young")
	if _, err := r.Decide(t.Context(), young.ID, "token:ann", once); err != nil {
		t.Fatal(err)
	}
	r.now.Add(2*3600 + 600)
	sweep(true) // one masked, and one pruned
	if r.want(old.ID, Denied).Pruned == nil || r.want(young.ID, Approved).Closed == nil {
		t.Error("nothing was swept")
	}
	sweep(false)
	r.now.Add(2 * 24 * 3600)
	sweep(true) // one pruned
	sweep(false)
	r.keep = 0
	r.restart()
	q := r.submit("make")
	if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); err != nil {
		t.Fatal(err)
	}
	r.now.Add(2 * 3600)
	sweep(true) // one masked, and nothing is pruned
	sweep(false)
}

// A time is remembered a second after the last one, while a request is pending or a
// receipt may be used.
func TestObserve(t *testing.T) {
	r := newRig(t)
	at := func(seconds int64) time.Time { return time.Unix(start+seconds, 0).UTC() }
	q, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", once)
	if err != nil {
		t.Fatal(err)
	}
	end := q.Receipt.Expires.Unix() - start
	for _, row := range []struct {
		now, last int64
		pending   bool
		looks     bool
	}{
		{0, 0, true, false}, {1, 0, true, true}, {1, 0, false, true},
		{end, end - 1, false, true}, {end + 1, end, false, false}, {end + 1, end, true, true}, {end + 5, end + 1, false, false},
	} {
		r.now.Store(start + row.now)
		n := len(r.store.observed)
		got, err := r.observe(t.Context(), at(row.last), row.pending)
		if looks := len(r.store.observed) > n; err != nil || looks != row.looks || looks == got.Equal(at(row.last)) {
			t.Errorf("%+v: %t, %s, %v", row, looks, got, err)
		}
	}
}

// What is over ends, however many of it the store finds at once, and one that is damaged
// keeps nothing else from ending.
func TestExpireInParts(t *testing.T) {
	r := newRig(t)
	r.store.due = 1
	var ids []string
	for i := range 3 {
		ids = append(ids, r.submit(fmt.Sprint("make ", i)).ID)
	}
	r.now.Add(301)
	if next, err := r.Expire(t.Context()); err != nil || !next.IsZero() {
		t.Errorf("%v %v", next, err)
	}
	for _, id := range ids {
		if q, _ := r.store.get(id); q.State != TimedOut {
			t.Errorf("%s", q.State)
		}
	}
	r.store.due = 0
	bad, good := r.submit("make bad"), r.submit("make good")
	r.store.damaged = bad.ID
	r.now.Add(301)
	for range 2 {
		if _, err := r.Expire(t.Context()); err != nil {
			t.Error(err)
		}
	}
	r.want(good.ID, TimedOut)
}

// Where nobody could have been reached, silence is no consent.
func TestUnreachable(t *testing.T) {
	for cause, want := range map[string]State{"": Approved, "the phone is off": TimedOut} {
		r := newRig(t)
		r.o.Unreachable = func(*Request) string { return cause }
		r.judge.terms = policy.AskTerms{Timeout: time.Minute, OnTimeout: policy.Allow}
		q := r.submit("make")
		r.now.Add(61)
		if q = r.want(q.ID, want); cause != "" && q.Decision.Reason != "nobody decided within 1m0s, and their silence allows nothing: the phone is off" {
			t.Errorf("%+v", q.Decision)
		}
	}
}
