package approval

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// approved returns a request that was approved, with its receipt.
func (r *rig) approved(a Answer) *Request {
	r.t.Helper()
	q, err := r.Decide(r.t.Context(), r.submit("make").ID, "token:ann", a)
	if err != nil {
		r.t.Fatal(err)
	}
	return q
}

// An approval that was taken back runs nothing, whoever holds its receipt, and
// also after a restart.
func TestRevoke(t *testing.T) {
	r := newRig(t)
	q := r.approved(once)
	got, err := r.Revoke(t.Context(), q.ID, "token:bob", "wrong branch")
	if err != nil || got.State != Denied || got.Decision.By != "token:bob" || got.Decision.Word != Rejected ||
		got.Decision.Reason != "the approval was taken back before it was used: wrong branch" {
		t.Fatalf("%+v, %v", got, err)
	}
	for range 2 {
		if _, err := r.Consume(t.Context(), q.Submitter, q.Receipt.Text); !errors.Is(err, ErrReceipt) || !strings.Contains(err.Error(), "taken back") {
			t.Errorf("the receipt of a revoked approval: %v", err)
		}
		if _, err := r.Verify(t.Context(), q.Receipt.Text); !errors.Is(err, ErrReceipt) {
			t.Errorf("it verifies: %v", err)
		}
		r.restart()
	}
	version := r.want(q.ID, Denied).Version
	if _, err := r.Revoke(t.Context(), q.ID, "token:bob", "wrong branch"); err != nil || r.want(q.ID, Denied).Version != version {
		t.Errorf("the same again: %v", err)
	}
	for _, a := range []Answer{once, {Word: Rejected}} {
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", a); !errors.Is(err, ErrDecided) {
			t.Errorf("%s afterwards: %v", a.Word, err)
		}
	}
}

// What cannot be taken back stays as it is.
func TestRevokeRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		by    string
		ready func(r *rig) *Request
		want  error
		state State
	}{
		"the submitter": {"uid:1000", func(r *rig) *Request { return r.approved(once) }, ErrSelf, Approved},
		"used": {"token:ann", func(r *rig) *Request {
			q := r.approved(once)
			if _, err := r.Consume(r.t.Context(), q.Submitter, q.Receipt.Text); err != nil {
				r.t.Fatal(err)
			}
			return q
		}, ErrConsumed, Approved},
		"denied": {"token:ann", func(r *rig) *Request { return r.approved(Answer{Word: Rejected}) }, ErrDecided, Denied},
		"cancelled": {"token:ann", func(r *rig) *Request {
			q := r.submit("make")
			if _, err := r.Cancel(r.t.Context(), q.ID, q.Submitter); err != nil {
				r.t.Fatal(err)
			}
			return q
		}, ErrDecided, Cancelled},
	} {
		r := newRig(t)
		q := tc.ready(r)
		by := tc.by
		if name == "the submitter" {
			by = q.Submitter
		}
		if _, err := r.Revoke(t.Context(), q.ID, by, ""); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
		r.want(q.ID, tc.state)
	}
	r := newRig(t)
	r.judge.terms = policy.AskTerms{Timeout: time.Minute, Approver: "ann"}
	if _, err := r.Revoke(t.Context(), r.approved(once).ID, "token:bob", ""); !errors.Is(err, ErrNotApprover) {
		t.Errorf("another than the approver: %v", err)
	}
	r = newRig(t)
	q := r.submit("make")
	var wrong *Invalid
	if _, err := r.Revoke(t.Context(), q.ID, "token:ann", ""); !errors.As(err, &wrong) {
		t.Errorf("a pending request: %v", err)
	}
	if _, err := r.Revoke(t.Context(), r.approved(once).ID, "token:ann", strings.Repeat("x", MaxReason+1)); !errors.As(err, &wrong) {
		t.Errorf("a long reason: %v", err)
	}
	if _, err := r.Revoke(t.Context(), "req_none", "token:ann", ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("no request: %v", err)
	}
}

// What an approval still owes is not stored once it is taken back, and what it
// has stored is told.
func TestRevokeOwed(t *testing.T) {
	r := remembering(t)
	r.o.Failed = nil
	r.judge.fails = errors.New("no space for grants")
	q := r.approved(always)
	r.judge.fails = nil
	if _, err := r.Revoke(t.Context(), q.ID, "token:ann", ""); err != nil {
		t.Fatal(err)
	}
	if owed := r.want(q.ID, Denied).Owed; owed != nil {
		t.Errorf("it still owes %s", owed)
	}
	if r.restart(); len(r.judge.stored) != 0 {
		t.Errorf("stored %v", r.judge.stored)
	}
	r = remembering(t)
	got, err := r.Revoke(t.Context(), r.approved(always).ID, "token:ann", "")
	if err != nil || !strings.Contains(got.Decision.Notice, "make anywhere") {
		t.Errorf("%+v, %v", got.Decision, err)
	}
}

// A use after an approval was taken back is found in the log.
func TestRevokedCourse(t *testing.T) {
	log := []audit.Record{}
	add := func(kind, decision, receipt string) {
		e := audit.Entry{Time: time.Unix(int64(len(log)), 0), Kind: kind, RequestID: "req_1", RequestHash: "h", Decision: decision}
		if receipt != "" {
			e.Detail = map[string]string{"receipt": receipt}
		}
		log = append(log, audit.Record{Seq: int64(len(log) + 1), Entry: e})
	}
	add(audit.KindRequest, "", "")
	add(audit.KindDecision, string(ApprovedOnce), "")
	add(audit.KindReceipt, "", "rcp_1")
	add(audit.KindDecision, string(Rejected), "rcp_1")
	check := func(log []audit.Record) (err error) {
		var c Course
		for i := range log {
			if err = c.Check(&log[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := check(log); err != nil {
		t.Errorf("an approval that was taken back: %v", err)
	}
	add(audit.KindConsumption, "", "rcp_1")
	if check(log) == nil {
		t.Error("it was used all the same, and nothing is said")
	}
	log = slices.Delete(log, 3, 4)
	if err := check(log); err != nil {
		t.Errorf("the use of an approval: %v", err)
	}
}

// Of a use and a revocation at the same time one happens, and the other is
// told.
func TestRevokeRace(t *testing.T) {
	for range 50 {
		r := newRig(t)
		q := r.approved(once)
		var used, revoked error
		var wg sync.WaitGroup
		wg.Go(func() { _, used = r.Consume(t.Context(), q.Submitter, q.Receipt.Text) })
		wg.Go(func() { _, revoked = r.Revoke(t.Context(), q.ID, "token:ann", "") })
		wg.Wait()
		if (used == nil) == (revoked == nil) {
			t.Fatalf("used: %v, revoked: %v", used, revoked)
		}
	}
}
