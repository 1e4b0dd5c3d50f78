package compat

import (
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/policy"
)

// quorate is a rig whose policy wants ann and bob to agree to all that asks.
func quorate(t *testing.T) (r *rig, ann, bob string) {
	t.Helper()
	settings := policy.Defaults()
	settings.Approval = policy.Approval{Supervisor: "ann,bob", Quorum: 2, Timeout: time.Minute}
	r = newRig(t, func(o *servertest.Options, _ *Handler) { o.Settings = &settings })
	return r, r.Token(t, "ann", "approve,read"), r.Token(t, "bob", "approve,read")
}

// A program waits until both have approved. The first approval is no decision yet.
func TestProgramVotes(t *testing.T) {
	r, ann, bob := quorate(t)
	answer := stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	a := r.do(202, ann, "POST", "/requests/clr_1/decision", `{"decision":"approved_once"}`)
	if a.At("status") != "pending" || a.At("request_id") != "clr_1" || a.At("feedback") != "your approval counts as 1 of 2; waiting for one more of bob" || a.At("decision") != nil {
		t.Errorf("%s", a.Text)
	}
	r.do(403, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"rejected"}`)
	select {
	case got := <-answer:
		t.Fatalf("it waited for one alone: %+v", got)
	case <-time.After(300 * time.Millisecond):
	}
	r.do(200, bob, "POST", "/requests/clr_1/decision", `{"decision":"approved_once"}`)
	if got := <-answer; !got.runs() {
		t.Errorf("%+v", got)
	}
}

// The routes of supervised tools and of a queue say how the votes stand.
func TestSupervisedVotes(t *testing.T) {
	r, ann, bob := quorate(t)
	id := r.propose("s1", "make deploy")
	if a := r.do(200, ann, "POST", "/api/approvals/"+id+"/approve", ""); a.At("status") != "pending" || a.At("votes") != "1 of 2 approved by ann" || a.At("decided_by") != nil {
		t.Errorf("%s", a.Text)
	}
	if a := r.do(200, ann, "POST", "/api/pending-actions/"+id+"/decision", `{"decision":"allow"}`); a.At("status") != "pending" {
		t.Errorf("%s", a.Text)
	}
	if a := r.do(200, bob, "POST", "/api/approvals/"+id+"/approve", ""); a.At("status") != "approved" || a.At("votes") != nil || a.At("decided_by") != "token:ann and token:bob" {
		t.Errorf("%s", a.Text)
	}
}
