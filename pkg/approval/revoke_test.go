package approval

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// approved returns a request that ann has approved.
func (r *rig) approved(command string) *Request {
	r.t.Helper()
	q, err := r.Decide(r.t.Context(), r.submit(command).ID, "token:ann", once)
	if err != nil {
		r.t.Fatal(err)
	}
	return q
}

// One row for each attempt to take an approval back, and what the executor may
// do after it.
func TestRevoke(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	used := r.approved("make used")
	if _, err := r.Consume(ctx, "token:agent", used.Receipt.Text); err != nil {
		t.Fatal(err)
	}
	q := r.approved("make")
	for _, row := range []struct {
		id, by string
		want   error
	}{
		{"req_none", "token:ann", ErrNotFound},
		{r.submit("make pending").ID, "token:ann", ErrNotApproved},
		{used.ID, "token:ann", ErrConsumed},
		{q.ID, "token:agent", ErrSelf},
		{q.ID, "token:bob", nil},
		{q.ID, "token:ann", nil}, // again, which changes nothing
	} {
		if _, err := r.Revoke(ctx, row.id, row.by, "the wrong branch"); !errors.Is(err, row.want) {
			t.Errorf("%s by %s: %v, want %v", row.id, row.by, err, row.want)
		}
	}
	r.restart()
	q = r.want(q.ID, Revoked)
	if q.Revocation.By != "token:bob" || q.Reason() != policy.ReasonRejected || q.Outcome() != "the approval was taken back by token:bob: the wrong branch" {
		t.Errorf("%+v %s %s", q.Revocation, q.Reason(), q.Outcome())
	}
	if _, err := r.Consume(ctx, "token:agent", q.Receipt.Text); !errors.Is(err, ErrRevoked) || !strings.Contains(err.Error(), "the wrong branch") {
		t.Errorf("consumed: %v", err)
	}
	if _, err := r.Verify(ctx, "", q.Receipt.Text); !errors.Is(err, ErrRevoked) {
		t.Errorf("verified: %v", err)
	}
	if _, err := r.Report(ctx, q.ID, "token:agent", Execution{Outcome: Executed}); !errors.Is(err, ErrNotConsumed) {
		t.Errorf("reported: %v", err)
	}
	var course Course
	for _, e := range r.store.log {
		if err := course.Check(e); err != nil {
			t.Error(err)
		}
	}
}

// Of a use and a taking back at once exactly one succeeds.
func TestRevokeRace(t *testing.T) {
	for range 50 {
		r, ctx := newRig(t), t.Context()
		q := r.approved("make")
		var used, taken error
		var both sync.WaitGroup
		both.Go(func() { _, used = r.Consume(ctx, "token:agent", q.Receipt.Text) })
		both.Go(func() { _, taken = r.Revoke(ctx, q.ID, "token:ann", "") })
		both.Wait()
		if (used == nil) == (taken == nil) {
			t.Fatalf("used: %v, taken back: %v", used, taken)
		}
	}
}

// What an approval owes when it is taken back is never stored.
func TestRevokeOwed(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	r.judge.offers, r.judge.fails = []Offer{{Scope: Once, Stores: []string{}}, {Scope: Here, Stores: []string{"make in /work"}}}, errors.New("the disk is full")
	r.restartQuietly()
	q, err := r.Decide(ctx, r.submit("make").ID, "token:ann", Answer{Word: ApprovedRemember, Scope: Here})
	if err != nil || q.Owed == nil {
		t.Fatalf("%+v %v", q, err)
	}
	if _, err := r.Revoke(ctx, q.ID, "token:ann", ""); err != nil {
		t.Fatal(err)
	}
	r.judge.fails = nil
	r.restart()
	if len(r.judge.stored) > 0 {
		t.Errorf("stored %q", r.judge.stored)
	}
}

// An agent that was told of an approval and finds it taken back is told by whom.
func TestRevokedGate(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	q := r.approved("make")
	g := Gate{Desk: late{r.Desk("token:agent"), func() { _, _ = r.Revoke(ctx, q.ID, "token:ann", "not now") }}, Keys: r.Keys(),
		Now: func() time.Time { return time.Unix(start, 0) }}
	v := policy.Verdict{Decision: policy.Ask, Stage: policy.StageConfirm}
	got, err := g.Settle(ctx, &Referral{Call: call("make"), Asked: v, Request: q, Review: func(context.Context) (policy.Verdict, error) { return v, nil }})
	if err != nil || got.Allowed || got.Verdict.Reason != policy.ReasonRejected || got.Verdict.Why != "the approval was taken back by token:ann: not now" {
		t.Errorf("%+v %v", got.Verdict, err)
	}
}

// A late desk has something happen between the answer and the use.
type late struct {
	Desk
	first func()
}

func (l late) Consume(ctx context.Context, receipt string) (*Request, error) {
	l.first()
	return l.Desk.Consume(ctx, receipt)
}
