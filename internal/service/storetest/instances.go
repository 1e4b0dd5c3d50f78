package storetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// tries is how often two instances race for each thing. FULL is set in the gate.
func tries() int {
	if testing.Short() || cputime.Slower > 1 || os.Getenv("FULL") == "" {
		return 50
	}
	return 1000
}

// An instance is a service on a store of its own. All have one signing key.
type instance struct {
	Store
	*approval.Service
}

func instances(t *testing.T, place Place, clocks ...time.Time) (out []instance) {
	t.Helper()
	key := approval.NewPrivateKey()
	for i, now := range clocks {
		s := open(t, place, Options{})
		var n atomic.Int64
		service, err := approval.NewService(t.Context(), approval.Options{
			Store: s, Judge: asks{}, Now: func() time.Time { return now }, MaxPending: 1 << 20, MaxSubmitted: 1 << 20, Signer: key,
			NewID: func(prefix string) string { return fmt.Sprintf("%s%d_%d", prefix, i, n.Add(1)) },
		})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, instance{s, service})
	}
	return out
}

// each runs do for many tries, some at once.
func each(n int, do func(i int)) {
	var all sync.WaitGroup
	var next atomic.Int64
	for range 16 {
		all.Go(func() {
			for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
				do(i)
			}
		})
	}
	all.Wait()
}

// duel runs two functions at once and returns how many had no error, and what errors
// there were.
func duel(a, b func() error) (won int, errs []error) {
	var both [2]error
	race(2, func(i int) { both[i] = []func() error{a, b}[i]() })
	for _, err := range both {
		if err == nil {
			won++
			continue
		}
		errs = append(errs, err)
	}
	return won, errs
}

// fair fails unless one of two has won and the other has one of some errors.
func fair(t *testing.T, what string, won int, errs []error, of ...error) {
	t.Helper()
	if won != 1 || !slices.ContainsFunc(of, func(e error) bool { return errors.Is(errs[0], e) }) {
		t.Errorf("%s: %d won, %v", what, won, errs)
	}
}

// Of two instances that do what only one may, one does it: each time.
func instancesRace(t *testing.T, place Place) {
	two := instances(t, place, day, day)
	a, b := two[0], two[1]
	ctx, once := t.Context(), approval.Answer{Word: approval.ApprovedOnce}
	each(tries(), func(i int) {
		r, err := two[i%2].Submit(ctx, "token:agent", submission("", fmt.Sprint("make ", i)))
		if err != nil {
			t.Error(err)
			return
		}
		won, errs := duel(
			func() error { _, err := a.Decide(ctx, r.ID, "token:ann", once); return err },
			func() error {
				_, err := b.Decide(ctx, r.ID, "token:bob", approval.Answer{Word: approval.Rejected})
				return err
			})
		fair(t, "decide", won, errs, approval.ErrDecided)
		again, err := two[1-i%2].Submit(ctx, "token:agent", submission("", fmt.Sprint("make again ", i)))
		if err == nil {
			again, err = b.Decide(ctx, again.ID, "token:ann", once)
		}
		if err != nil {
			t.Error(err)
			return
		}
		consume := func(s instance) func() error {
			return func() error { _, err := s.Consume(ctx, "token:agent", again.Receipt.Text); return err }
		}
		if i%2 == 0 {
			won, errs = duel(consume(a), consume(b))
			fair(t, "consume", won, errs, approval.ErrConsumed)
			return
		}
		won, errs = duel(consume(a), func() error { _, err := b.Revoke(ctx, again.ID, "token:ann", "no"); return err })
		fair(t, "consume and revoke", won, errs, approval.ErrConsumed, approval.ErrRevoked)
	})
	log := verify(t, a.Store)
	same(t, "the log of the other", verify(t, b.Store), log)
	decided, used := ofKind(log, audit.KindDecision), ofKind(log, audit.KindConsumption)+ofKind(log, audit.KindRevocation)
	if decided != 2*tries() || used != tries() {
		t.Errorf("%d decisions, %d receipts used or revoked", decided, used)
	}
}

// What one instance decides while another one has it expire ends once.
func instancesExpire(t *testing.T, place Place) {
	two := instances(t, place, day, day.Add(time.Hour))
	a, late := two[0], two[1]
	ids := make([]string, tries())
	each(len(ids), func(i int) {
		r, err := a.Submit(t.Context(), "token:agent", submission("", fmt.Sprint("make ", i)))
		if err != nil {
			t.Error(err)
			return
		}
		ids[i-1] = r.ID
	})
	var decided atomic.Int64
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for range 20 {
			if _, err := late.Expire(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}()
	each(len(ids), func(i int) {
		id := ids[len(ids)-i]
		r, err := a.Decide(t.Context(), id, "token:ann", approval.Answer{Word: approval.ApprovedOnce})
		switch {
		case err == nil && r.State == approval.Approved:
			decided.Add(1)
		case !errors.Is(err, approval.ErrDecided):
			t.Errorf("%s: %v", id, err)
		}
	})
	<-ended
	if _, err := late.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	log := verify(t, late.Store)
	receipts, expired := ofKind(log, audit.KindReceipt), 0
	for _, id := range ids {
		r, err := a.Store.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if r.State == approval.TimedOut {
			expired++
		}
	}
	if int64(receipts) != decided.Load() || receipts+expired != len(ids) {
		t.Errorf("%d decided, %d receipts, %d expired, of %d", decided.Load(), receipts, expired, len(ids))
	}
}

// Of two instances that deliver a message, one sends it.
func instancesDeliver(t *testing.T, place Place) {
	a, b := open(t, place, Options{}), open(t, place, Options{})
	each(tries(), func(i int) {
		d := newDelivery(fmt.Sprint("r", i), "phone")
		for _, s := range []Store{a, b} {
			if err := s.Follow(t.Context(), channel.Step{Event: int64(i), Asks: []channel.Delivery{d}}); err != nil {
				t.Error(err)
			}
		}
		d.State, d.Tries = channel.Sending, 1
		var sent atomic.Int64
		race(2, func(j int) {
			ok, err := []Store{a, b}[j].ChangeDelivery(t.Context(), channel.Change{Delivery: d, Was: channel.Due})
			if err != nil {
				t.Error(err)
			}
			if ok {
				sent.Add(1)
			}
		})
		if sent.Load() != 1 {
			t.Errorf("%s was sent %d times", d.ID, sent.Load())
		}
	})
}

// Told tests stores that tell of what other instances have stored: each is told of all
// events by ascending id, without a gap and once, and of its own before it goes on.
func Told(t *testing.T, place Place) {
	var mu sync.Mutex
	heard := make([][]approval.Event, 2)
	var stores []Store
	for i := range heard {
		stores = append(stores, open(t, place, Options{Notify: func(e approval.Event) {
			mu.Lock()
			defer mu.Unlock()
			heard[i] = append(heard[i], e)
		}}))
	}
	const own = 100
	race(2*own, func(i int) {
		r := newRequest(fmt.Sprint("req_", i))
		if _, _, _, err := stores[i%2].Create(t.Context(), r); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		if !slices.ContainsFunc(heard[i%2], func(e approval.Event) bool { return e.RequestID == r.ID }) {
			t.Errorf("instance %d goes on before it is told of %s", i%2, r.ID)
		}
	})
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	for done := false; !done && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		mu.Lock()
		done = len(heard[0]) == 2*own && len(heard[1]) == 2*own
		mu.Unlock()
	}
	mu.Lock()
	defer mu.Unlock()
	for i, h := range heard {
		for n, e := range h {
			if e.ID != int64(n+1) {
				t.Fatalf("instance %d: event %d is told after %d", i, e.ID, n)
			}
		}
		if len(h) != 2*own {
			t.Errorf("instance %d: told of %d", i, len(h))
		}
	}
}

// Nothing that one instance submits stays pending in a session that another one denies at
// the same moment.
func instancesDeny(t *testing.T, place Place) {
	both := instances(t, place, day, day)
	var pending, denied atomic.Int64
	each(tries(), func(i int) {
		session := fmt.Sprint("s", i)
		c := submission("", "make")
		c.Call.Session = session
		_, errs := duel(func() error {
			_, err := both[0].Submit(t.Context(), "token:agent", c)
			return err
		}, func() error {
			_, err := both[1].DenySession(t.Context(), session, "token:ann", "", time.Time{})
			return err
		})
		list, err := both[0].Service.List(t.Context(), approval.Filter{Session: session})
		if len(errs) > 0 || err != nil || len(list) != 1 {
			t.Errorf("%s: %v, %v, %d requests", session, errs, err, len(list))
			return
		}
		if list[0].State == approval.Pending {
			pending.Add(1)
		} else if list[0].State == approval.Denied {
			denied.Add(1)
		}
		if err := both[0].ReleaseSession(t.Context(), session, "token:ann"); err != nil { // so that others find none denied
			t.Error(err)
		}
	})
	if pending.Load() > 0 || denied.Load() != int64(tries()) {
		t.Errorf("%d stay pending and %d are denied of %d", pending.Load(), denied.Load(), tries())
	}
}
