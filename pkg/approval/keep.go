package approval

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// Kept is how much of a request is kept.
type Kept int

// What is kept: all that was submitted; all but secrets, once the request is
// over; what the audit log refers to.
const (
	Whole Kept = iota
	Masked
	Outline
)

// minKeep is the shortest time that requests may be kept: no receipt is valid
// for longer.
const minKeep = 24 * time.Hour

// Kept returns how much of the request is kept.
func (r *Request) Kept() Kept {
	switch {
	case r.Pruned != nil:
		return Outline
	case r.Closed != nil:
		return Masked
	}
	return Whole
}

// over says that nobody needs the arguments of a request any more: it is
// decided, what its decision stores is stored, and its receipt is used or has
// ended.
func (r *Request) over(now time.Time) bool {
	if r.State == Pending || r.Owed != nil {
		return false
	}
	return r.State != Approved || r.Receipt == nil || r.Receipt.Consumed != nil || r.Receipt.over(now) != nil
}

// mask takes the secrets out of a request that is over. The audit log never had
// them.
func (r *Request) mask(now time.Time) {
	if r.Closed != nil || !r.over(now) {
		return
	}
	r.Closed, r.Own = &now, nil
	r.Call = r.masked("/call", r.Call, "input", "record")
	r.Contract = r.masked("/contract", r.Contract)
	for i := range r.Offers {
		r.Offers[i].Why = "" // it quotes a part of the line, cut, and nobody chooses any more
	}
	for at, text := range r.said() {
		clean, found := redact.Text(*text)
		*text = clean
		r.redacted(at, found)
	}
	slices.Sort(r.Redacted)
}

// said are the texts that may repeat parts of the arguments, by the JSON
// pointer to each.
func (r *Request) said() map[string]*string {
	out := map[string]*string{"/asked/why": &r.Asked.Why, "/asked/message": &r.Asked.Message, "/asked/prompt": &r.Asked.Prompt, "/said": &r.Said}
	if r.Judged != nil {
		out["/judged/why"] = &r.Judged.Why
	}
	for i := range r.Reviews {
		v, at := &r.Reviews[i], fmt.Sprintf("/reviews/%d", i)
		out[at+"/why"], out[at+"/quote"], out[at+"/rationale"] = &v.Why, &v.Quote, &v.Rationale
	}
	if r.Decision != nil {
		for i := range r.Decision.Saved {
			out[fmt.Sprintf("/decision/saved/%d", i)] = &r.Decision.Saved[i]
		}
	}
	for at, list := range map[string][]Offer{"/offers": r.Offers, "/denials": r.Denials} {
		for i, o := range list {
			for j := range o.Stores {
				out[fmt.Sprintf("%s/%d/stores/%d", at, i, j)] = &o.Stores[j]
			}
		}
	}
	return out
}

// masked returns an object without the secrets in some of its members, or in
// all of them. One without any keeps its spelling, so that its hash still says
// that nobody changed it.
func (r *Request) masked(at string, text json.RawMessage, members ...string) json.RawMessage {
	if len(text) == 0 {
		return text
	}
	var object map[string]any
	if err := strictjson.DecodeOpen(text, &object); err != nil {
		r.Redacted = append(r.Redacted, at+" not-json")
		return nil
	}
	before := len(r.Redacted)
	if len(members) == 0 {
		members = sorted(object)
	}
	for _, key := range members {
		value, ok := object[key]
		if !ok {
			continue
		}
		clean, found := redact.Value(map[string]any{key: value}) // the name of a member tells a secret too
		delete(object, key)
		for name, value := range clean.(map[string]any) {
			object[name] = value
		}
		r.redacted(at, found)
	}
	if len(r.Redacted) == before {
		return text
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil // it has a hash, and what it said is in the log
	}
	return text
}

func (r *Request) redacted(at string, found []redact.Finding) {
	for _, f := range found {
		r.Redacted = append(r.Redacted, at+f.Path+" "+f.Kind)
	}
}

// outline leaves of a request what says which one it was, and what became of
// it: the audit log has the rest.
func (r *Request) outline(now time.Time) {
	out := Request{
		ID: r.ID, Version: r.Version, State: r.State, Kind: r.Kind, Key: r.Key, Digest: r.Digest, Name: r.Name, Submitter: r.Submitter,
		Hash: r.Hash, Tool: r.Tool, Session: r.Session, Agent: r.Agent, Title: r.Tool, Alike: r.Alike, Offers: []Offer{}, OnTimeout: r.OnTimeout,
		Asked:   Asked{Stage: r.Asked.Stage, Rule: r.Asked.Rule, Origin: r.Asked.Origin, Revision: r.Asked.Revision, Risk: r.Asked.Risk},
		Created: r.Created, Expires: r.Expires, Latest: r.Latest, Closed: r.Closed, Pruned: &now,
	}
	for _, v := range r.Votes {
		out.Votes = append(out.Votes, Vote{Answer: Answer{Word: v.Word, Scope: v.Scope}, By: v.By, Source: v.Source, At: v.At})
	}
	if d := r.Decision; d != nil {
		out.Decision = &Decision{Word: d.Word, Scope: d.Scope, By: d.By, Source: d.Source, Approvers: d.Approvers, At: d.At}
	}
	if i := r.Receipt; i != nil {
		out.Receipt = &Issued{ID: i.ID, KeyID: i.KeyID, Issued: i.Issued, Expires: i.Expires, Consumed: i.Consumed}
	}
	if v := r.Revocation; v != nil {
		out.Revocation = &Revocation{By: v.By, At: v.At}
	}
	if x := r.Execution; x != nil {
		out.Execution = &Execution{At: x.At, Outcome: x.Outcome, ExitCode: x.ExitCode}
	}
	*r = out
}

// sweepPart is how many requests are reduced at once: all writers wait for it.
const sweepPart = 200

// sweepOnce takes the secrets out of some requests that are over, and prunes some
// that were over before the time that they are kept. more says that there may
// be others. The audit log has a record of what was pruned.
func (s *Service) sweepOnce(ctx context.Context) (more bool, err error) {
	now := s.now()
	// A receipt may be used for that long after the time to decide.
	masked, err := s.o.Store.Reduce(ctx, Masked, now.Add(-maxReceiptTime), sweepPart,
		func(r *Request) { r.mask(now) }, func(int) []audit.Entry { return nil })
	if err != nil || s.o.Keep == 0 {
		return masked > 0, err
	}
	before := now.Add(-s.o.Keep)
	pruned, err := s.o.Store.Reduce(ctx, Outline, before, sweepPart, func(r *Request) {
		if r.over(now) {
			r.outline(now)
		}
	}, func(n int) []audit.Entry {
		return []audit.Entry{{Time: now, Kind: audit.KindPruning, Actor: serviceIdentity, Detail: map[string]string{
			"requests": fmt.Sprint(n), "before": before.UTC().Format(time.RFC3339),
		}}}
	})
	return masked+pruned > 0, err
}
