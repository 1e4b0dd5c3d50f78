package approval

import (
	"errors"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A request has more time than it had, until its submitter stops waiting, and is decided
// in it.
func TestExtend(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	q, err := r.Submit(ctx, "token:agent", Submission{Call: call("make"), Waits: 12 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	end := q.Expires
	if !q.Extensible() || !q.Latest.Equal(q.Created.Add(12*time.Minute)) {
		t.Fatalf("latest %v of %v", q.Latest, q.Created)
	}
	over := r.submit("make over")
	if _, err := r.Decide(ctx, over.ID, "token:ann", once); err != nil {
		t.Fatal(err)
	}
	short, err := r.Submit(ctx, "token:agent", Submission{Call: call("make short"), Timeout: time.Minute})
	if err != nil || short.Extensible() {
		t.Fatal(short, err)
	}
	for _, row := range []struct {
		id, by string
		more   time.Duration
		want   error
	}{
		{"req_none", "token:ann", time.Minute, ErrNotFound},
		{q.ID, "token:agent", time.Minute, ErrSelf},
		{over.ID, "token:ann", time.Minute, ErrDecided},
		{short.ID, "token:ann", time.Minute, ErrNoTime},
		{q.ID, "token:ann", 5 * time.Minute, nil},
		{q.ID, "token:bob", 5 * time.Minute, nil}, // of which the submitter waits for two
		{q.ID, "token:ann", time.Minute, ErrNoTime},
	} {
		if _, err := r.Extend(ctx, row.id, row.by, row.more); !errors.Is(err, row.want) {
			t.Errorf("%s by %s for %s: %v, want %v", row.id, row.by, row.more, err, row.want)
		}
	}
	var invalid *Invalid
	for _, more := range []time.Duration{0, -time.Minute, 25 * time.Hour} {
		if _, err := r.Extend(ctx, q.ID, "token:ann", more); !errors.As(err, &invalid) {
			t.Errorf("%s: %v", more, err)
		}
	}
	r.restart()
	if q = r.want(q.ID, Pending); !q.Expires.Equal(*q.Latest) || q.Extensible() {
		t.Errorf("it ends at %v, latest %v", q.Expires, q.Latest)
	}
	r.now.Store(end.Add(time.Minute).Unix())
	if _, err := r.Expire(ctx); err != nil {
		t.Fatal(err)
	}
	r.want(short.ID, TimedOut)
	r.want(q.ID, Pending)
	if q, err = r.Decide(ctx, q.ID, "token:ann", once); err != nil || q.State != Approved {
		t.Errorf("decided: %v", err)
	}
	told := 0
	for _, e := range r.store.log {
		if e.Kind == audit.KindExtension && e.RequestID == q.ID {
			told++
		}
	}
	if told != 2 {
		t.Errorf("%d extensions are on record", told)
	}
}

// Who does not say how long it waits leaves a request a day at most.
func TestExtendDay(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	q := r.submit("make")
	for range 2 {
		if _, err := r.Extend(ctx, q.ID, "token:ann", 20*time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if q = r.want(q.ID, Pending); !q.Expires.Equal(q.Created.Add(24 * time.Hour)) {
		t.Errorf("it ends at %v, created at %v", q.Expires, q.Created)
	}
	r.now.Store(q.Expires.Unix())
	if got, err := r.Extend(ctx, q.ID, "token:ann", time.Hour); !errors.Is(err, ErrDecided) || got == nil {
		t.Errorf("after its end: %v", err)
	}
}
