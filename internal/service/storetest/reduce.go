package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// mask is what a service does to a request that is over.
func mask(r *approval.Request) { r.Closed = &r.Expires }

// outline is what a service does when its time is over.
func outline(r *approval.Request) {
	mask(r)
	r.Pruned, r.Call = &r.Expires, nil
}

func pruning(n int) []audit.Entry {
	e := entry(audit.KindPruning, "")
	e.Detail = map[string]string{"requests": fmt.Sprint(n)}
	return []audit.Entry{e}
}

// What is over is reduced once, what is not stays, and no event tells of it.
func reduce(t *testing.T, place Place) {
	told := 0
	s := open(t, place, Options{Notify: func(approval.Event) { told++ }})
	late, owing := newRequest("late"), newRequest("owing")
	late.Expires = day.Add(time.Hour)
	put(t, s, newRequest("pending"), newRequest("over"), late, owing)
	settle(t, s, "over", approval.Denied)
	settle(t, s, "late", approval.Denied)
	_, err := s.Update(t.Context(), "owing", func(r *approval.Request) ([]audit.Entry, error) {
		decide(r, approval.Approved)
		r.Owed = []byte("1")
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	before := told
	end := day.Add(30 * time.Minute)
	step := func(to approval.Kept, change func(*approval.Request), want int) {
		t.Helper()
		if n, err := s.Reduce(t.Context(), to, end, 10, change, pruning); err != nil || n != want {
			t.Errorf("%d reduced, %v, want %d", n, err, want)
		}
	}
	step(approval.Masked, func(*approval.Request) {}, 0) // the service thinks better of it
	step(approval.Masked, mask, 1)
	step(approval.Masked, mask, 0)
	step(approval.Outline, outline, 1)
	step(approval.Outline, outline, 0)
	step(approval.Masked, mask, 0)
	for id, want := range map[string]approval.Kept{"pending": approval.Whole, "over": approval.Outline, "late": approval.Whole, "owing": approval.Whole} {
		if r, err := s.Get(t.Context(), id); err != nil || r.Kept() != want {
			t.Errorf("%s: %v, %v", id, r.Kept(), err)
		}
	}
	if r, _ := s.Get(t.Context(), "over"); r.Version != 4 || r.Call != nil {
		t.Errorf("%+v", r)
	}
	if told != before {
		t.Errorf("%d events", told-before)
	}
	if n := ofKind(verify(t, s), audit.KindPruning); n != 2 {
		t.Errorf("%d records", n)
	}
	if _, err := s.Reduce(t.Context(), approval.Masked, day.Add(2*time.Hour), 10, mask, func(int) []audit.Entry { return []audit.Entry{{}} }); err == nil {
		t.Error("a record that is none is no error")
	}
	if r, err := s.Get(t.Context(), "late"); err != nil || r.Kept() != approval.Whole {
		t.Errorf("reduced without a record: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Reduce(ctx, approval.Outline, day.Add(2*time.Hour), 10, outline, pruning); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A limit bounds the work; the first that were over come first.
func reducePage(t *testing.T, place Place) {
	s := open(t, place, Options{})
	for i := range 5 {
		r := newRequest(fmt.Sprint("r", i))
		r.Expires = day.Add(time.Duration(5-i) * time.Minute)
		put(t, s, r)
		settle(t, s, r.ID, approval.Denied)
	}
	for i, want := range []int{2, 2, 1, 0} {
		if n, err := s.Reduce(t.Context(), approval.Outline, day.Add(time.Hour), 2, outline, pruning); err != nil || n != want {
			t.Errorf("%d: %d, %v", i, n, err)
		}
		if i > 0 {
			continue
		}
		for id, want := range map[string]approval.Kept{"r4": approval.Outline, "r3": approval.Outline, "r2": approval.Whole} {
			if r, err := s.Get(t.Context(), id); err != nil || r.Kept() != want {
				t.Errorf("%s: %v, %v", id, r.Kept(), err)
			}
		}
	}
}
