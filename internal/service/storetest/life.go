package storetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// all are the methods of a store, each with what it returns but errors.
func all(ctx context.Context, s Store) map[string]func() (any, error) {
	log := entry(audit.KindLogin, "")
	return map[string]func() (any, error){
		"Create": func() (any, error) { r, _, _, err := s.Create(ctx, newRequest("new"), log); return r, err },
		"Update": func() (any, error) {
			return s.Update(ctx, "a", func(*approval.Request) ([]audit.Entry, error) { return []audit.Entry{log}, nil })
		},
		"AddKey": func() (any, error) { return nil, s.AddKey(ctx, newKey(day), log) },
		"ChangeRules": func() (any, error) {
			r := newRow("new", 1)
			return nil, s.ChangeRules(ctx, []ruledb.Change{{Rule: "new", At: day, By: "x", After: &r}}, log)
		},
		"AddToken":           func() (any, error) { return nil, s.AddToken(ctx, newToken("new"), log) },
		"RevokeToken":        func() (any, error) { return s.RevokeToken(ctx, "id-a", day, log) },
		"TouchToken":         func() (any, error) { return nil, s.TouchToken(ctx, "id-a", day) },
		"Record":             func() (any, error) { return nil, s.Record(ctx, log) },
		"RecordCalls":        func() (any, error) { return nil, s.RecordCalls(ctx, ruledb.Recorded{At: day, JSON: []byte("{}")}) },
		"Get":                func() (any, error) { return s.Get(ctx, "a") },
		"ByKey":              func() (any, error) { return s.ByKey(ctx, "token:agent", "k") },
		"List":               func() (any, error) { return s.List(ctx, approval.Filter{}) },
		"Pending":            func() (any, error) { there, _, _, err := s.Pending(ctx, "token:agent", "s1"); return there, err },
		"SessionDenial":      func() (any, error) { return s.SessionDenial(ctx, "s1") },
		"SessionDenials":     func() (any, error) { return s.SessionDenials(ctx) },
		"PutSessionDenial":   func() (any, error) { return nil, s.PutSessionDenial(ctx, newDenial("s9"), log) },
		"DropSessionDenial":  func() (any, error) { return nil, s.DropSessionDenial(ctx, "s9", log) },
		"Due":                func() (any, error) { ids, _, err := s.Due(ctx, day, 9); return ids, err },
		"Keys":               func() (any, error) { return s.Keys(ctx) },
		"Rules":              func() (any, error) { return s.Rules(ctx) },
		"Rule":               func() (any, error) { r, _, err := s.Rule(ctx, "a"); return r, err },
		"Search":             func() (any, error) { r, _, _, err := s.Search(ctx, ruledb.Search{}); return r, err },
		"Tombstones":         func() (any, error) { return s.Tombstones(ctx, 0) },
		"Changes":            func() (any, error) { return s.Changes(ctx, "", 0, 0) },
		"Change":             func() (any, error) { return s.Change(ctx, 1) },
		"TokenByID":          func() (any, error) { k, _, err := s.TokenByID(ctx, "id-a"); return k, err },
		"Tokens":             func() (any, error) { return s.Tokens(ctx) },
		"Audit":              func() (any, error) { return s.Audit(ctx, 0, 0) },
		"AuditBase":          func() (any, error) { return s.AuditBase(ctx) },
		"AuditHead":          func() (any, error) { return s.AuditHead(ctx) },
		"EventsAfter":        func() (any, error) { return s.EventsAfter(ctx, 0, 0) },
		"EventBounds":        func() (any, error) { first, last, err := s.EventBounds(ctx); return [2]int64{first, last}, err },
		"Calls":              func() (any, error) { return s.Calls(ctx, 0) },
		"Passkeys":           func() (any, error) { return s.Passkeys(ctx) },
		"AddPasskey":         func() (any, error) { return nil, s.AddPasskey(ctx, newPasskey("new"), log) },
		"UsePasskey":         func() (any, error) { return s.UsePasskey(ctx, "id-a", 99, day) },
		"RemovePasskey":      func() (any, error) { return s.RemovePasskey(ctx, "id-a", log) },
		"Subscriptions":      func() (any, error) { return s.Subscriptions(ctx) },
		"AddSubscription":    func() (any, error) { return nil, s.AddSubscription(ctx, newSubscription("new")) },
		"RemoveSubscription": func() (any, error) { return s.RemoveSubscription(ctx, "id-a") },
	}
}

// writes are the methods that change something.
var writes = []string{
	"Create", "Update", "AddKey", "ChangeRules", "AddToken", "RevokeToken", "TouchToken", "Record", "RecordCalls",
	"PutSessionDenial", "DropSessionDenial",
	"AddPasskey", "UsePasskey", "RemovePasskey", "AddSubscription", "RemoveSubscription",
}

// fill stores one of each.
func fill(t *testing.T, s Store) { t.Helper(); Fill(t, "", s) }

// Fill stores one of each, whose ids end in a text.
func Fill(t *testing.T, end string, s Store) {
	t.Helper()
	a, b := newRequest("a"+end), newRequest("b"+end)
	a.Key = "k" + end
	put(t, s, a, b)
	settle(t, s, b.ID, approval.Denied)
	_, errCall := deleteRule(t.Context(), s, "gone", "x", day)
	passkey, subscription, delivery := newPasskey("a"+end), newSubscription("a"+end), newDelivery(a.ID, "phone")
	for _, err := range []error{
		errCall, s.PutSessionDenial(t.Context(), newDenial("s1"+end)), s.AddToken(t.Context(), newToken("a"+end)), s.AddKey(t.Context(), newKey(day)),
		putRule(t.Context(), s, newRow("a"+end, 1)), putRule(t.Context(), s, ruledb.Row{ID: "dead", CreatedAt: day, UpdatedAt: day}),
		s.RecordCalls(t.Context(), ruledb.Recorded{At: day, JSON: []byte("{}")}),
		s.AddPasskey(t.Context(), passkey), s.AddSubscription(t.Context(), subscription), s.Observe(t.Context(), day),
		s.NoteUses(t.Context(), map[string]time.Time{"grant" + end: day}),
		s.Follow(t.Context(), channel.Step{Event: 1, Asks: []channel.Delivery{delivery}}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	delivery.State, delivery.Tries = channel.Sent, 1
	change(t, s, delivery, channel.Due, channel.Token{Hash: sha256.Sum256([]byte(end)), Delivery: delivery.ID, Word: approval.ApprovedOnce, Scope: approval.Once})
	if err := s.Press(t.Context(), sha256.Sum256([]byte(end)), "ann", day); err != nil {
		t.Fatal(err)
	}
	if done, err := deleteRule(t.Context(), s, "dead", "x", day); err != nil || !done {
		t.Fatal(done, err)
	}
}

// contents are all that can be read.
func contents(t *testing.T, s Store) map[string]any {
	t.Helper()
	out := map[string]any{}
	for name, do := range reads(t.Context(), s) {
		v, err := do()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = v
	}
	return out
}

func reads(ctx context.Context, s Store) map[string]func() (any, error) {
	out := all(ctx, s)
	for _, name := range writes {
		delete(out, name)
	}
	return out
}

// A context that has ended ends what is not stored yet: the error is its own,
// and nothing has changed.
func endedContext(t *testing.T, place Place) {
	s := open(t, place, Options{})
	fill(t, s)
	before := contents(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, do := range all(ctx, s) {
		if _, err := do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	same(t, "contents", contents(t, s), before)
}

// What was stored is there after the store was closed and opened.
func reopen(t *testing.T, place Place) {
	s := place(Options{})
	fill(t, s)
	before := contents(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, place, Options{})
	same(t, "contents", contents(t, s), before)
	put(t, s, newRequest("c"))
	verify(t, s)
	if got := ids(t, s, approval.Filter{}); got != "c b a" {
		t.Errorf("requests: %s", got)
	}
}

// A closed store says so.
func closed(t *testing.T, place Place) {
	s := place(Options{})
	fill(t, s)
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, do := range all(t.Context(), s) {
		if _, err := do(); err == nil {
			t.Errorf("%s works", name)
		}
	}
}
