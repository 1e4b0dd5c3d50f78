package approval

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// The store counts what is pending, unless it did a moment ago and found less than half of
// what there may be.
func TestCountsSeldom(t *testing.T) {
	const agent, other = "token:agent", "token:other"
	type step struct {
		after       time.Duration
		by, session string
		asks        string // yes or no
	}
	for name, row := range map[string]struct {
		most, mostInAll int
		steps           []step
	}{
		"in one session": {10, 100, []step{
			{0, agent, "s1", "yes"}, {0, agent, "s1", "no"}, {0, agent, "s1", "no"}, {0, agent, "s1", "no"}, {0, agent, "s1", "no"},
			{0, agent, "s1", "yes"}, {0, agent, "s1", "yes"},
		}},
		"in all": {100, 10, []step{
			{0, agent, "s1", "yes"}, {0, agent, "s1", "no"}, {0, agent, "s1", "no"}, {0, agent, "s1", "no"}, {0, agent, "s1", "no"},
			{0, agent, "s1", "yes"},
		}},
		"another session": {10, 100, []step{{0, agent, "s1", "yes"}, {0, agent, "s2", "yes"}, {0, agent, "s1", "no"}, {0, agent, "", "yes"}, {0, agent, "", "no"}}},
		"another agent":   {10, 100, []step{{0, agent, "s1", "yes"}, {0, other, "s1", "yes"}, {0, agent, "s1", "no"}}},
		"later":           {10, 100, []step{{0, agent, "s1", "yes"}, {time.Second, agent, "s1", "yes"}, {0, agent, "s1", "no"}, {2 * time.Second, agent, "s1", "yes"}}},
		"one at a time":   {1, 100, []step{{0, agent, "s1", "yes"}}},
	} {
		r := newRig(t)
		store := &counting{r.store, map[string]int{}}
		r.o.Store, r.o.MaxPending, r.o.MaxSubmitted = store, row.most, row.mostInAll
		for i, s := range row.steps {
			r.now.Add(int64(s.after / time.Second))
			clear(store.asked)
			if _, err := r.submitIn(s.by, s.session, fmt.Sprint("make ", i)); err != nil {
				t.Fatalf("%s, step %d: %v", name, i, err)
			}
			if asks := [...]string{"no", "yes"}[store.asked["pending"]]; asks != s.asks {
				t.Errorf("%s, step %d: the store counts: %s, want %s", name, i, asks, s.asks)
			}
		}
	}
}

// However few are counted, no more wait than may, also of two instances of the service that
// store at the same moment.
func TestBoundsOfInstances(t *testing.T) {
	a := newRig(t)
	b := a.other()
	for _, r := range []*rig{a, b} {
		r.o.MaxPending, r.o.MaxSubmitted = 10, 30
	}
	taken, full := map[string]int{}, map[string]int{}
	for i := range 240 {
		r, session := []*rig{a, b}[i%2], fmt.Sprint("s", i/30%4)
		switch _, err := r.submitIn("token:agent", session, fmt.Sprint("make ", i)); {
		case err == nil:
			taken[session]++
		case errors.Is(err, ErrTooMany):
			full[session]++
		default:
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(taken); got != "map[s0:10 s1:10 s2:10]" || full["s3"] != 60 {
		t.Errorf("%s are pending, and of s3 %d were refused", got, full["s3"])
	}
}

// A denial counts for what is submitted after it, although the store has counted before: who
// denies here has the store counting again, and what another instance denies is found when
// a request is stored.
func TestDeniedSinceCounted(t *testing.T) {
	for _, elsewhere := range []bool{false, true} {
		r := newRig(t)
		r.o.MaxPending, r.o.MaxSubmitted = 10, 30
		store := &counting{r.store, map[string]int{}}
		r.o.Store = store
		denier := r
		if elsewhere {
			denier = r.other()
		}
		first, err := r.submitIn("token:agent", "s1", "make")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := denier.DenySession(t.Context(), "s1", "token:ann", "it runs wild", time.Time{}); err != nil {
			t.Fatal(err)
		}
		clear(store.asked)
		next, err := r.submitIn("token:agent", "s1", "make all")
		if err != nil || next.State != Denied || !strings.Contains(next.Decision.Reason, "it runs wild") {
			t.Errorf("elsewhere %t: %+v %v", elsewhere, next, err)
		}
		if (store.asked["pending"] == 0) != elsewhere {
			t.Errorf("elsewhere %t: asked %v", elsewhere, store.asked)
		}
		r.want(first.ID, Denied)
		if next, err = r.submitIn("token:agent", "s1", "make install"); err != nil || next.State != Denied {
			t.Errorf("elsewhere %t, again: %+v %v", elsewhere, next, err)
		}
	}
}

// What is counted of many sessions is forgotten, rather than kept for ever.
func TestForgetsCounts(t *testing.T) {
	var p places
	at := time.Unix(start, 0)
	for i := range 3 * maxCounts {
		r := &Request{Submitter: "token:agent", Session: fmt.Sprint("s", i)}
		p.counted(r, at, 1, 1)
		if len(p.inSession) > maxCounts || !p.take(r, at, 10, 10) {
			t.Fatalf("%d are kept, or the last is not", len(p.inSession))
		}
	}
}
