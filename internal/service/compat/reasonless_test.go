package compat

import (
	"fmt"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A denial needs no reason on any route, and the agent is told that there is
// none, not nothing.
func TestDenyWithoutReason(t *testing.T) {
	r := newRig(t, nil)
	const want = "rejected by token:boss, who gave no reason"
	done := stock{r.url()}.start(body("clr_1", "print(1)", nil))
	r.pending("clr_1")
	if a := r.do(200, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"rejected"}`); a.At("feedback") != want {
		t.Error(a.Text)
	}
	if o := wait(t, done); o.err != nil || o.runs() || o.feedback() != want {
		t.Errorf("%+v", o)
	}
	for i, deny := range []struct{ before, after, body string }{
		{"/api/approvals/", "/deny", ""}, {"/api/approvals/", "/deny", "{}"}, {"/api/pending-actions/", "/decision", `{"decision":"deny"}`},
	} {
		id := r.propose(fmt.Sprint("s", i), "make")
		r.do(200, r.boss, "POST", deny.before+id+deny.after, deny.body)
		if a := r.do(200, r.boss, "GET", "/api/approvals/"+id, ""); a.At("status") != "denied" || a.At("reason_code") != "rejected" {
			t.Errorf("%s: %s", deny.after, a.Text)
		}
	}
}

// An approval that was taken back shows no receipt in any form, and why.
func TestTakenBack(t *testing.T) {
	r := newRig(t, nil)
	id := r.propose("s1", "make")
	r.do(200, r.boss, "POST", "/api/approvals/"+id+"/approve", "")
	r.do(200, r.boss, "POST", "/v1/requests/"+id+"/revoke", `{"reason":"not now"}`)
	a := r.do(200, r.boss, "GET", "/api/approvals/"+id, "")
	if a.At("status") != "revoked" || a.At("reason") != "the approval was taken back by token:boss: not now" || a.At("reason_code") != "rejected" {
		t.Error(a.Text)
	}
	q, err := r.Backend.Service.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if d := decisionOf(q); d.Decision != approval.Rejected || d.Receipt != "" || d.Feedback != "the approval was taken back by token:boss: not now" {
		t.Errorf("%+v", d)
	}
}
