package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// day is when the tests take place.
var day = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

// newRequest returns a pending request.
func newRequest(id string) *approval.Request {
	return &approval.Request{
		ID: id, Version: 1, State: approval.Pending, Kind: approval.KindCall, Submitter: "token:agent", Digest: "sha256:" + id, Tool: "Bash",
		Call: json.RawMessage(`{"tool":"Bash","input":{"command":"make"}}`), Session: "s1", Title: "Bash: make",
		Offers: []approval.Offer{{Scope: approval.Once, Stores: []string{}}}, OnTimeout: approval.TimedOut,
		Created: day, Expires: day.Add(5 * time.Minute),
	}
}

// newDenial returns the denial of a session.
func newDenial(session string) approval.SessionDenial {
	until := day.Add(time.Hour)
	return approval.SessionDenial{Session: session, By: "token:ann", At: day, Until: &until, Reason: "it runs wild"}
}

// entry returns an entry of the audit log.
func entry(kind, id string) audit.Entry {
	return audit.Entry{Time: day, Kind: kind, Actor: "token:agent", RequestID: id}
}

// put stores requests.
func put(t *testing.T, s Store, all ...*approval.Request) {
	t.Helper()
	for _, r := range all {
		if _, created, _, err := s.Create(t.Context(), r, entry(audit.KindRequest, r.ID)); err != nil || !created {
			t.Fatalf("create %s: created %v, %v", r.ID, created, err)
		}
	}
}

// decide gives a request a state and the decision that goes with it.
func decide(r *approval.Request, to approval.State) {
	r.State, r.Decision = to, &approval.Decision{Word: approval.Rejected, By: "token:ann", Source: approval.Human, At: day}
}

// settle moves a request to a state.
func settle(t *testing.T, s Store, id string, to approval.State) {
	t.Helper()
	_, err := s.Update(t.Context(), id, func(r *approval.Request) ([]audit.Entry, error) {
		decide(r, to)
		return []audit.Entry{entry(audit.KindDecision, id)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// same fails if two values have different JSON.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	g, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	w, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if string(g) != string(w) {
		t.Errorf("%s:\n%.2000s, want\n%.2000s", what, g, w)
	}
}

// counts are how much of a store's logs there is.
type counts struct{ Audit, Events int64 }

func countsOf(t *testing.T, s Store) (c counts) {
	t.Helper()
	head, err := s.AuditHead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if head != nil {
		c.Audit = head.Seq
	}
	if _, c.Events, err = s.EventBounds(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// verify checks the chain of the audit log of a store from its beginning and returns it.
func verify(t *testing.T, s Store) (all []*audit.Record) {
	t.Helper()
	v, err := backend.Begin(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for after := int64(0); ; {
		page, err := s.Audit(t.Context(), after, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			if err := v.Verifier.Check(r); err != nil {
				t.Fatal(err)
			}
			all, after = append(all, r), r.Seq
		}
		if len(page) < 100 {
			return all
		}
	}
}

// ofKind counts the records of a kind.
func ofKind(all []*audit.Record, kind string) (n int) {
	for _, r := range all {
		if r.Kind == kind {
			n++
		}
	}
	return n
}

// race runs do n times at once.
func race(n int, do func(i int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	all.Wait()
}

// asks is a judge that asks about everything.
type asks struct{}

func (asks) Judge(context.Context, *policy.Call) (v, own policy.Verdict, offers []approval.Offer, err error) {
	v.Decision = policy.Ask
	return v, v, nil, nil
}

func (asks) Anew(context.Context, *policy.Call) (policy.Verdict, error) {
	return policy.Verdict{Decision: policy.Ask}, nil
}

func (asks) Plan(context.Context, *approval.Request, approval.Scope) (approval.Plan, error) {
	return approval.Plan{}, nil
}

func (asks) Save(context.Context, approval.Plan) (string, error) { return "", nil }

// newService returns a service on a store, whose policy asks.
func newService(t *testing.T, s Store) *approval.Service {
	t.Helper()
	var n atomic.Int64
	service, err := approval.NewService(t.Context(), approval.Options{
		Store: s, Judge: asks{}, Now: func() time.Time { return day }, MaxPending: 1 << 20, MaxSubmitted: 1 << 20,
		NewID: func(prefix string) string { return fmt.Sprintf("%s%d", prefix, n.Add(1)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return service
}

// submission asks for a command.
func submission(key, command string) approval.Submission {
	return approval.Submission{Key: key, Call: &policy.Call{Tool: "Bash", Input: map[string]any{"command": command}, Session: "s1"}}
}
