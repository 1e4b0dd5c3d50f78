package approval

import (
	"context"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Desk is where an executor brings what its policy asks about: a [Client],
// or a [Service] of the same process by [Service.Desk].
type Desk interface {
	Submit(ctx context.Context, in Submission) (*Request, error)
	// Await returns the request as soon as it is no longer pending, or as it
	// stands when ctx is done.
	Await(ctx context.Context, id string) (*Request, error)
	Consume(ctx context.Context, receipt string) (*Request, error)
	Report(ctx context.Context, id string, x Execution) (*Request, error)
	Cancel(ctx context.Context, id string) (*Request, error)
}

// A Gate stands between an agent and an executor. It is safe for concurrent
// use once its fields are set; all but Now are needed.
type Gate struct {
	// Engine returns the engine in force.
	Engine func() *policy.Engine
	Desk   Desk
	// Keys are the pinned keys of the service. They must not come from the
	// service itself.
	Keys Keys
	// Now is the clock; nil stands for time.Now.
	Now func() time.Time
}

// An Authorization is what Authorize found. The zero value permits nothing.
type Authorization struct {
	// Allowed says that the call may run, now and once.
	Allowed bool
	// Verdict is the answer of the engine, or the denial that came of an ask.
	Verdict policy.Verdict
	// Request is what was asked, nil if the policy allowed or denied by itself.
	Request *Request
	// Claims are those of the receipt that was consumed.
	Claims *Claims

	desk Desk
}

// DecidedBy returns which kind of decision it was: [Static], [Human], [LLM],
// [Timeout] or [Default].
func (g *Authorization) DecidedBy() string {
	if g.Request == nil || g.Request.Decision == nil {
		return Static
	}
	return g.Request.Decision.Source
}

// Report tells what became of the call. It does nothing for a call that
// nobody was asked about.
func (g *Authorization) Report(ctx context.Context, x Execution) error {
	if g.Claims == nil {
		return nil
	}
	_, err := g.desk.Report(ctx, g.Request.ID, x)
	return err
}

// Authorize decides a call. If the policy asks, it submits a request, waits
// for a decision until ctx is done, verifies the receipt against the call,
// decides the call again under the policy that is then in force, and consumes
// the receipt. Whatever fails on the way denies; the error says that it did.
// The call must not be changed before it runs.
func (g *Gate) Authorize(ctx context.Context, s *policy.Session, c *policy.Call) (Authorization, error) {
	v, err := g.Engine().Decide(ctx, s, c)
	if err != nil || v.Decision != policy.Ask {
		return Authorization{Allowed: err == nil && v.Decision == policy.Allow, Verdict: v}, err
	}
	out := Authorization{Verdict: v, desk: g.Desk}
	asked := AskedOf(&v)
	if out.Request, err = g.Desk.Submit(ctx, Submission{Key: keyOf(c), Call: c, Asked: &asked}); err != nil {
		return out.deny(policy.ReasonError, "the approval could not be asked for: "+err.Error()), err
	}
	out, err = g.Settle(ctx, &Referral{c, v, out.Request, func(ctx context.Context) (policy.Verdict, error) {
		e := g.Engine()
		if e.Revision() == v.Revision {
			return v, nil
		}
		return e.Review(ctx, s, c)
	}})
	if err != nil || !out.Allowed || out.DecidedBy() != Human {
		return out, err
	}
	if err := g.Engine().Forgive(s, c); err != nil {
		return out.deny(policy.ReasonError, "the call was approved and cannot be read any more: "+err.Error()), err
	}
	return out, nil
}

// For verifies a receipt as [Keys.Verify] does, and that it is one for a call.
func (k Keys) For(c *policy.Call, receipt string, now time.Time) (*Claims, error) {
	claims, err := k.Verify(receipt, now)
	if err != nil {
		return nil, err
	}
	hash, err := HashOf(c)
	if err != nil {
		return nil, err
	}
	if claims.Hash != hash {
		return nil, fmt.Errorf("%w: it is for another call", ErrReceipt)
	}
	return claims, nil
}

func (g *Gate) now() time.Time {
	if g.Now != nil {
		return g.Now()
	}
	return time.Now()
}

// keyOf lets a call that is asked about twice join its first request.
func keyOf(c *policy.Call) string {
	if c.ID == "" {
		return ""
	}
	hash, err := HashOf(c)
	if err != nil {
		return "" // Submit says why
	}
	return c.ID + "/" + hash
}

// deny makes the denial of an ask.
func (g *Authorization) deny(reason policy.Reason, why string) Authorization {
	g.Allowed, g.Claims = false, nil
	g.Verdict = g.Verdict.Denied(reason, why)
	g.Verdict.Origin.Untrusted = false // why is no text of the rule that asked
	return *g
}

// Reason returns the code of why a request that is over lets nothing run;
// policy.ReasonNone where it is pending, was approved, or was taken back.
func (r *Request) Reason() policy.Reason {
	if r.State == Denied || r.State == TimedOut || r.State == Revoked {
		return reasonOf(r)
	}
	return policy.ReasonNone
}

func reasonOf(r *Request) policy.Reason {
	switch {
	case r.State == TimedOut:
		return policy.ReasonTimedOut
	case r.State == Revoked: // a person did that
		return policy.ReasonRejected
	case r.State != Denied: // it is over, and its receipt is used
		return policy.ReasonError
	case r.Decision != nil && r.Decision.Source == Default:
		return policy.ReasonUnattended
	case r.Decision != nil && r.Decision.Source == Static:
		return policy.ReasonPermissionRule
	case r.Decision != nil && r.Decision.Source == LLM:
		return policy.ReasonReviewer
	}
	return policy.ReasonRejected
}

// Outcome says in a clause how a request ended.
func (r *Request) Outcome() string {
	switch {
	case r.Revocation != nil:
		return "the approval was taken back " + r.Revocation.text()
	case r.Decision == nil, r.State == Executed, r.State == Failed:
		return "the request " + r.ID + " is " + string(r.State)
	case r.State == Denied && r.Decision.Reason == "" && r.Decision.Source == Human:
		return string(r.Decision.Word) + " by " + r.Decision.Who() + ", who gave no reason"
	case r.Decision.Reason != "":
		return string(r.Decision.Word) + " by " + r.Decision.Who() + ": " + r.Decision.Reason
	}
	return string(r.Decision.Word) + " by " + r.Decision.Who()
}

// Desk returns the service as a desk of its own process, for one submitter.
func (s *Service) Desk(by string) Desk { return desk{s, by} }

type desk struct {
	s  *Service
	by string
}

func (d desk) Submit(ctx context.Context, in Submission) (*Request, error) {
	return d.s.Submit(ctx, d.by, in)
}

func (d desk) Await(ctx context.Context, id string) (*Request, error) { return d.s.Await(ctx, id) }

func (d desk) Consume(ctx context.Context, receipt string) (*Request, error) {
	return d.s.Consume(ctx, d.by, receipt)
}

func (d desk) Report(ctx context.Context, id string, x Execution) (*Request, error) {
	return d.s.Report(ctx, id, d.by, x)
}

func (d desk) Cancel(ctx context.Context, id string) (*Request, error) {
	return d.s.Cancel(ctx, id, d.by)
}
