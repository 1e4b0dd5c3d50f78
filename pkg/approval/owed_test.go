package approval

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/audit"
)

var always = Answer{Word: ApprovedRemember, Scope: Anywhere}

// remembering returns a rig whose judge offers something lasting.
func remembering(t *testing.T) *rig {
	r := newRig(t)
	r.judge.offers = []Offer{{Once, []string{}}, {Anywhere, []string{"make anywhere"}}}
	return r
}

// A decision that cannot be stored grants nothing, and the next one counts.
func TestNoGrantWithoutDecision(t *testing.T) {
	r := remembering(t)
	q := r.submit("make")
	r.store.broken = errors.New("disk full")
	if _, err := r.Decide(t.Context(), q.ID, "token:ann", always); err == nil {
		t.Fatal("approved on a full disk")
	}
	r.store.broken = nil
	r.want(q.ID, Pending)
	if _, err := r.Decide(t.Context(), q.ID, "token:ann", Answer{Word: Rejected}); err != nil {
		t.Fatal(err)
	}
	if r.restart(); len(r.judge.stored) != 0 {
		t.Errorf("granted %v, and the decision is to deny", r.judge.stored)
	}
}

// A grant that cannot be stored is owed: the approver is told, and it is
// stored as soon as it can be, by whichever process comes next.
func TestOwed(t *testing.T) {
	for name, next := range map[string]func(*rig){
		"a restart": func(r *rig) { r.restart() },
		"the next look": func(r *rig) {
			if err := r.settleOwed(t.Context()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		r := remembering(t)
		r.o.Failed = nil
		q := r.submit("make")
		r.judge.fails = errors.New("no space for grants")
		got, err := r.Decide(t.Context(), q.ID, "token:ann", always)
		if err != nil || got.State != Approved || !strings.Contains(got.Decision.Notice, "no space for grants") {
			t.Fatalf("%s: %+v %v", name, got, err)
		}
		version := r.want(q.ID, Approved).Version
		if err := r.settleOwed(t.Context()); err != nil || r.want(q.ID, Approved).Version != version {
			t.Errorf("%s: each try changes the request: %v", name, err)
		}
		r.judge.fails = nil
		for range 2 {
			next(r)
		}
		got = r.want(q.ID, Approved)
		if fmt.Sprint(r.judge.stored) != "[make anywhere]" || got.Owed != nil || got.Decision.Notice != "" {
			t.Errorf("%s: stored %v, %s owed, %q", name, r.judge.stored, got.Owed, got.Decision.Notice)
		}
		last := r.store.log[len(r.store.log)-1]
		if last.Kind != audit.KindGrant || last.RequestID != q.ID || last.Detail["saved_1"] != "make anywhere" {
			t.Errorf("%s: the log ends with %+v", name, last.Entry)
		}
	}
}

// What the store of grants tells reaches the approver, and what can never be
// stored is not tried for ever.
func TestNotices(t *testing.T) {
	r := remembering(t)
	r.o.Failed = nil
	r.judge.notice = "they were set aside"
	got, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", always)
	if err != nil || got.Decision.Notice != "they were set aside" || got.Owed != nil {
		t.Errorf("%+v %v", got, err)
	}
	r.judge.fails = &Invalid{"it was changed"}
	got, err = r.Decide(t.Context(), r.submit("make 2").ID, "token:ann", always)
	if err != nil || !strings.Contains(got.Decision.Notice, "it was changed") || got.Owed != nil {
		t.Errorf("%+v %v", got, err)
	}
	if last := r.store.log[len(r.store.log)-1]; last.Kind != audit.KindGrant || last.Detail != nil {
		t.Errorf("the log ends with %+v", last.Entry)
	}
}
