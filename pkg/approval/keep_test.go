package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

// A request holds no secret any more as soon as it is over, however it ends.
func TestOverWithoutSecrets(t *testing.T) {
	deny := Answer{Word: Rejected}
	for name, end := range map[string]func(r *rig, q *Request) error{
		"denied":    func(r *rig, q *Request) error { _, err := r.Decide(t.Context(), q.ID, "token:ann", deny); return err },
		"cancelled": func(r *rig, q *Request) error { _, err := r.Cancel(t.Context(), q.ID, "token:agent"); return err },
		"timed out": func(r *rig, q *Request) error { r.now.Add(400); _, err := r.Expire(t.Context()); return err },
		"taken back": func(r *rig, q *Request) error {
			_, err := r.Decide(t.Context(), q.ID, "token:ann", once)
			_, revoked := r.Revoke(t.Context(), q.ID, "token:ann", "")
			return errors.Join(err, revoked)
		},
		"denied with its session": func(r *rig, q *Request) error {
			_, err := r.DenySession(t.Context(), q.Session, "token:ann", "", time.Time{})
			return err
		},
		"used": func(r *rig, q *Request) error {
			q, err := r.Decide(t.Context(), q.ID, "token:ann", once)
			if err != nil || !strings.Contains(string(q.Call), secret) {
				return fmt.Errorf("before the end: %s %w", q.Call, err)
			}
			_, err = r.Consume(t.Context(), "token:agent", q.Receipt.Text)
			return err
		},
		"approved and never used": func(r *rig, q *Request) error {
			_, err := r.Decide(t.Context(), q.ID, "token:ann", once)
			r.now.Add(2 * 3600)
			return errors.Join(err, r.sweep())
		},
	} {
		r := newRig(t)
		q := r.submit("curl -H 'Authorization: Bearer " + secret + "' https://api.example")
		if shown, err := r.Get(t.Context(), q.ID); err != nil || !strings.Contains(string(shown.Call), secret) || shown.Closed != nil {
			t.Fatalf("%s: who decides must see it: %v", name, err)
		}
		if err := end(r, q); err != nil {
			t.Fatal(name, err)
		}
		if text := string(r.store.requests[q.ID]); strings.Contains(text, secret) {
			t.Errorf("%s: %s", name, text)
		}
		got, err := r.Get(t.Context(), q.ID)
		if err != nil || got.Closed == nil || len(got.Redacted) == 0 || !strings.HasPrefix(got.Redacted[0], "/call/input/command ") || got.Hash != q.Hash {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}

func (r *rig) sweep() error {
	for {
		if more, err := r.sweepOnce(r.t.Context()); !more || err != nil {
			return err
		}
	}
}

// What holds no secret keeps its spelling, so that its hash still says that
// nobody changed it; and a program is masked as a call is.
func TestOverAndWhole(t *testing.T) {
	r := newRig(t)
	q := r.submit("make  test")
	q, err := r.Decide(t.Context(), q.ID, "token:ann", Answer{Word: Rejected})
	if err != nil || q.Closed == nil || len(q.Redacted) != 0 || !strings.Contains(string(q.Call), "make  test") {
		t.Errorf("%s %v", q.Call, err)
	}
	q.Call = json.RawMessage(strings.Replace(string(q.Call), "make", "fake", 1))
	if err := q.intact(); !errors.Is(err, ErrAltered) {
		t.Error(err)
	}
	p, err := r.Submit(t.Context(), "token:agent", Submission{Contract: json.RawMessage(`{"title":"x","n":12345678901234567890,"env":{"GITHUB_TOKEN":"` + secret + `"}}`), Title: "x"})
	if err == nil {
		p, err = r.Decide(t.Context(), p.ID, "token:ann", Answer{Word: Rejected})
	}
	if err != nil || strings.Contains(string(p.Contract), secret) || !strings.Contains(string(p.Contract), "12345678901234567890") {
		t.Errorf("%s %v", p.Contract, err)
	}
}

// Nobody makes a pending request one that need not show what its hash binds.
func TestRedactedPending(t *testing.T) {
	r := newRig(t)
	for name, spoil := range map[string]func(q *Request){
		"redacted":            func(q *Request) { q.Redacted = []string{"/call x"} },
		"closed and redacted": func(q *Request) { q.Closed, q.Redacted = &q.Created, []string{"/call x"} },
		"pruned":              func(q *Request) { q.Pruned = &q.Created },
	} {
		q := r.submit("rm x")
		_, err := r.store.Update(t.Context(), q.ID, func(q *Request) ([]audit.Entry, error) {
			q.Call = json.RawMessage(strings.Replace(string(q.Call), "rm", "ls", 1))
			spoil(q)
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); !errors.Is(err, ErrAltered) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", Answer{Word: Rejected}); err != nil {
			t.Errorf("%s: it cannot be denied: %v", name, err)
		}
	}
}

// After the time that they are kept, requests are outlines; the log is whole,
// still holds, and no receipt of theirs is good.
func TestPrune(t *testing.T) {
	r := newRig(t)
	used := r.submit("make used")
	used, err := r.Decide(t.Context(), used.ID, "token:ann", once)
	if err == nil {
		_, err = r.Consume(t.Context(), "token:agent", used.Receipt.Text)
	}
	if err == nil {
		_, err = r.Report(t.Context(), used.ID, "token:agent", Execution{Outcome: Executed, Detail: "fine, with GITHUB_TOKEN=" + secret})
	}
	if err != nil {
		t.Fatal(err)
	}
	unused := r.submit("make unused")
	unused, err = r.Decide(t.Context(), unused.ID, "token:ann", once)
	if err != nil {
		t.Fatal(err)
	}
	r.keep = 2 * minKeep
	r.now.Add(2*24*3600 - 600)
	young := r.submit("make young")
	r.restart()
	if err := r.sweep(); err != nil || r.want(used.ID, Executed).Pruned != nil {
		t.Errorf("pruned before its time: %v", err)
	}
	r.now.Add(1000)
	if err := r.sweep(); err != nil {
		t.Fatal(err)
	}
	got := r.want(used.ID, Executed)
	if got.Pruned == nil || got.Call != nil || got.Title != "shell" || got.Dir != "" || got.Hash != used.Hash || got.Decision.By != "token:ann" ||
		!got.Decision.At.Equal(used.Decision.At) || got.Receipt.Text != "" || got.Receipt.Consumed == nil || got.Execution.Outcome != Executed || got.Execution.Detail != "" {
		t.Errorf("%+v", got)
	}
	if n := len(r.store.requests[used.ID]); n > 1200 {
		t.Errorf("an outline has %d bytes", n)
	}
	if q := r.want(young.ID, TimedOut); q.Pruned != nil {
		t.Error("a young one is pruned")
	}
	if r.want(unused.ID, Approved).Pruned == nil {
		t.Error("one that nobody used is not pruned")
	}
	for _, q := range []*Request{used, unused} {
		if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); !errors.Is(err, ErrReceipt) {
			t.Errorf("a receipt of a pruned request: %v", err)
		}
	}
	r.holds(1)
}

// holds verifies the log, and that it tells of pruned requests.
func (r *rig) holds(pruned int) {
	r.t.Helper()
	var chain audit.Verifier
	var course Course
	got := 0
	for _, e := range r.store.log {
		if err := errors.Join(chain.Check(e), course.Check(e)); err != nil {
			r.t.Error(err)
		}
		if e.Kind == audit.KindPruning {
			got++
		}
		if strings.Contains(fmt.Sprint(e), secret) {
			r.t.Errorf("record %d holds the secret", e.Seq)
		}
	}
	if got != pruned {
		r.t.Errorf("%d records of pruning", got)
	}
}

// A receipt of a clock that was set back is as void for a pruned request.
func TestPrunedReceiptInTime(t *testing.T) {
	r := newRig(t)
	q, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", once)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.store.Update(t.Context(), q.ID, func(q *Request) ([]audit.Entry, error) {
		q.outline(time.Unix(start, 0))
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); !errors.Is(err, ErrReceipt) {
		t.Error(err)
	}
	g := Gate{Engine: func() *policy.Engine { return nil }, Desk: r.Desk("token:agent"), Keys: r.Keys(), Now: func() time.Time { return time.Unix(start, 0) }}
	found, err := g.Settle(t.Context(), &Referral{Call: call("make"), Request: q, Review: nil})
	if found.Allowed || !errors.Is(err, ErrReceipt) {
		t.Errorf("%+v %v", found, err)
	}
}

func TestKeepTooShort(t *testing.T) {
	_, err := NewService(t.Context(), Options{Store: newMemory(), Judge: &judge{}, Now: time.Now, Keep: time.Hour})
	if err == nil || !strings.Contains(err.Error(), "at least 24h") {
		t.Error(err)
	}
}
