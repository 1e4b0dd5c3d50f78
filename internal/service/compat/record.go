package compat

import (
	"encoding/json"
	"strings"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A programRecord is a program as its submitter sent it, with what the service says
// of it beside that.
type programRecord map[string]any

// ownKeys are the keys of a record that the service sets, request_id aside. A
// submission has none of them.
var ownKeys = []string{"id", "status", "approval", "title", "submitter", "created_at", "expires_at", "decided_by", "decided_at", "reason_code", "risk", "dangerous", "revision"}

// recordOf returns a program that an identity may see. Whoever may neither
// have nor decide it sees no receipt, and nobody sees one that is still good.
func recordOf(who auth.Identity, r *approval.Request) programRecord {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(r.Contract, &keys) // it was read before it was stored
	out := programRecord{}
	for key, value := range keys {
		out[key] = value
	}
	for _, key := range ownKeys {
		delete(out, key)
	}
	out["request_id"], out["id"], out["status"], out["title"] = nameOf(r), r.ID, status(r), r.Title
	out["submitter"], out["created_at"], out["expires_at"] = r.Submitter, r.Created, r.Expires
	out["reason_code"] = r.Reason()
	if r.Revision != "" {
		out["revision"] = r.Revision
	}
	h := harmOf(r)
	if h.Risk != "" {
		out["risk"] = h.Risk
	}
	if len(h.Dangerous) > 0 {
		out["dangerous"] = h.Dangerous
	}
	if d := r.Decision; d != nil {
		out["decided_by"], out["decided_at"] = d.By, d.At
	}
	if r.State == approval.Pending {
		return out
	}
	said := decisionOf(r)
	if r.Receipt == nil || r.Receipt.Consumed == nil || who.Name != r.Submitter && !who.Scopes.Has(auth.Approve) {
		said.Receipt = ""
	}
	out["approval"] = said
	return out
}

// decisionOf returns the decision on a program that is over.
func decisionOf(r *approval.Request) programDecision {
	out := programDecision{Decision: approval.Rejected, ID: nameOf(r)}
	d := r.Decision
	if d == nil {
		out.Feedback = "the request was " + strings.ToLower(string(r.State))
		return out
	}
	if r.Revocation != nil {
		out.Feedback = r.Outcome()
		return out
	}
	out.Decision, out.Feedback = d.Word, d.Reason
	if out.Feedback == "" && !d.Word.Approves() {
		out.Feedback = r.Outcome()
	}
	if r.Receipt != nil {
		out.Receipt = r.Receipt.Text
	}
	return out
}
