package approval

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

func (r *rig) submitIn(by, session, command string) (*Request, error) {
	c := policy.Shell(command, "/work")
	c.Session = session
	return r.Submit(r.t.Context(), by, Submission{Call: c})
}

// What is pending of a session is denied, and what comes of it, until the time
// is over; other sessions go on, and what the policy allows needs nobody.
func TestDenySession(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	first, other := r.submit("make"), call("make")
	other.Session = "s2"
	elsewhere, err := r.Submit(ctx, "token:agent", Submission{Call: other})
	if err != nil {
		t.Fatal(err)
	}
	own, err := r.submitIn("token:ann", "s1", "make own")
	if err != nil {
		t.Fatal(err)
	}
	until := time.Unix(start+60, 0)
	d, err := r.DenySession(ctx, "s1", "token:ann", "it runs wild", until)
	if err != nil || d.Denied != 1 {
		t.Fatalf("%+v %v", d, err)
	}
	const why = "all requests of this session are denied until 2027-01-15T08:01:00Z: it runs wild"
	if q := r.want(first.ID, Denied); q.Decision.By != "token:ann" || q.Decision.Source != Human || q.Decision.Reason != why {
		t.Errorf("%+v", q.Decision)
	}
	r.want(elsewhere.ID, Pending)
	r.want(own.ID, Pending) // who submits decides nothing
	for range 2 {
		if q := r.submit("make again"); q.State != Denied || q.Decision.Reason != why {
			t.Errorf("%+v", q)
		}
		if q := r.submit("ls"); q.State != Approved {
			t.Errorf("%+v", q)
		}
		r.restart()
	}
	r.now.Store(start + 60)
	if q := r.submit("make late"); q.State != Pending {
		t.Errorf("after its end: %+v", q)
	}
	if list, err := r.SessionDenials(ctx); err != nil || len(list) != 0 {
		t.Errorf("%+v %v", list, err)
	}
}

// The end of a session is no end of its denial: the agent could say so itself.
func TestDeniedSessionEnds(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	if _, err := r.DenySession(ctx, "s1", "token:ann", "", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.EndSession(ctx, "s1", "token:agent"); err != nil {
		t.Fatal(err)
	}
	if q := r.submit("make"); q.State != Denied || q.Decision.Reason != "all requests of this session are denied" {
		t.Errorf("%+v", q)
	}
	if err := r.ReleaseSession(ctx, "s1", "token:bob"); err != nil {
		t.Fatal(err)
	}
	if err := r.ReleaseSession(ctx, "s1", "token:bob"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	r.restart()
	if q := r.submit("make"); q.State != Pending {
		t.Errorf("%+v", q)
	}
	if last := r.store.log[len(r.store.log)-2]; last.Kind != "session" || last.Actor != "token:bob" || last.Detail["change"] != "released" {
		t.Errorf("%+v", last)
	}
}

func TestDenySessionInvalid(t *testing.T) {
	r := newRig(t)
	for _, row := range []struct {
		session, reason string
		until           time.Time
	}{
		{"", "", time.Time{}},
		{strings.Repeat("s", maxName+1), "", time.Time{}},
		{"s1", strings.Repeat("x", maxReason), time.Time{}},
		{"s1", "", time.Unix(start, 0)},
		{"s1", "", time.Unix(start, 0).Add(maxSessionDenial + time.Second)},
	} {
		var invalid *Invalid
		if _, err := r.DenySession(t.Context(), row.session, "token:ann", row.reason, row.until); !errors.As(err, &invalid) {
			t.Errorf("%.10q %.10q %s: %v", row.session, row.reason, row.until, err)
		}
	}
}

// Nothing that is submitted while a session is denied stays pending.
func TestDenySessionRace(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	r.o.MaxPending = 1000
	r.store.slow = 20 * time.Microsecond // between the look at the denial and the request in the store
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() { _, _ = r.submitIn("token:agent", "s1", fmt.Sprintf("make %d", i)) })
		if i == 50 {
			all.Go(func() { _, _ = r.DenySession(ctx, "s1", "token:ann", "", time.Time{}) })
		}
	}
	all.Wait()
	if list, err := r.List(ctx, Filter{States: []State{Pending}}); err != nil || len(list) > 0 {
		t.Errorf("%d stay pending, %v", len(list), err)
	}
}

// A request that is being stored while its session is denied is denied too.
func TestDenySessionOvertakes(t *testing.T) {
	r := newRig(t)
	r.store.slow = 100 * time.Millisecond
	var q *Request
	var err error
	var all sync.WaitGroup
	all.Go(func() { q, err = r.submitIn("token:agent", "s1", "make") })
	time.Sleep(30 * time.Millisecond)
	if d, err := r.DenySession(t.Context(), "s1", "token:ann", "", time.Time{}); err != nil || d.Denied != 0 {
		t.Fatalf("%+v %v", d, err)
	}
	all.Wait()
	if err != nil || q.State != Denied || q.Decision.By != "token:ann" {
		t.Errorf("%+v %v", q, err)
	}
}

// A submitter has so many pending requests in all its sessions, however many at
// once, and another one is not locked out.
func TestSubmittedCap(t *testing.T) {
	r := newRig(t)
	r.o.MaxSubmitted = 5
	r.store.slow = time.Millisecond
	var all sync.WaitGroup
	var taken atomic.Int64
	for i := range 20 {
		all.Go(func() {
			switch _, err := r.submitIn("token:agent", fmt.Sprint("s", i), "make"); {
			case err == nil:
				taken.Add(1)
			case !errors.Is(err, ErrTooMany) || !strings.Contains(err.Error(), "of token:agent in all its sessions"):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := taken.Load(); n > 5 || n == 0 {
		t.Errorf("%d are pending", n)
	}
	for i := range 5 - int(taken.Load()) {
		if _, err := r.submitIn("token:agent", fmt.Sprint("more", i), "make"); err != nil {
			t.Error(err)
		}
	}
	if _, err := r.submitIn("token:agent", "s99", "make"); !errors.Is(err, ErrTooMany) {
		t.Error(err)
	}
	if _, err := r.submitIn("token:other", "s99", "make"); err != nil {
		t.Errorf("another submitter: %v", err)
	}
	r.now.Store(start + int64(policy.DefaultTimeout.Seconds()))
	if _, err := r.submitIn("token:agent", "s99", "make"); err != nil {
		t.Errorf("when their time is over: %v", err)
	}
}

// counting is a store that counts what a submission asks it.
type counting struct {
	*memory
	asked map[string]int
}

func (c *counting) Pending(ctx context.Context, submitter, session string) (there, all int, d *SessionDenial, err error) {
	c.asked["pending"]++
	return c.memory.Pending(ctx, submitter, session)
}

func (c *counting) SessionDenial(ctx context.Context, session string) (*SessionDenial, error) {
	c.asked["denial"]++
	return c.memory.SessionDenial(ctx, session)
}

func (c *counting) Get(ctx context.Context, id string) (*Request, error) {
	c.asked["get"]++
	return c.memory.Get(ctx, id)
}

func (c *counting) Create(ctx context.Context, r *Request, log ...audit.Entry) (stored *Request, created, undenied bool, err error) {
	c.asked["create"]++
	return c.memory.Create(ctx, r, log...)
}

// A submission asks the store once what waits and whether its session is denied, and only
// where some session is denied once more when it is stored.
func TestAskedOfStore(t *testing.T) {
	for _, row := range []struct{ denied, want string }{
		{"", "map[create:1 pending:1]"}, {"other", "map[create:1 denial:1 pending:1]"}, {"s1", "map[create:1 pending:1]"},
	} {
		r := newRig(t)
		store := &counting{r.store, map[string]int{}}
		r.o.Store = store
		if row.denied != "" {
			if _, err := r.DenySession(t.Context(), row.denied, "token:ann", "", time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		clear(store.asked)
		c := call("make")
		c.Session = "s1"
		q, err := r.Submit(t.Context(), "token:agent", Submission{Call: c})
		if err != nil || (q.State == Denied) != (row.denied == "s1") {
			t.Fatalf("%q is denied: %+v %v", row.denied, q, err)
		}
		if got := fmt.Sprint(store.asked); got != row.want {
			t.Errorf("%q is denied: asks %s, want %s", row.denied, got, row.want)
		}
	}
}
