package approval

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Referral is a call with the request that was made of it.
type Referral struct {
	Call *policy.Call
	// Asked is the verdict that asked.
	Asked   policy.Verdict
	Request *Request
	// Review answers the call under the policy that is in force when it is
	// called.
	Review func(context.Context) (policy.Verdict, error)
}

// Settle is the second half of [Gate.Authorize], for executors that decide and
// submit by themselves; the gate then needs no engine. It waits for a decision
// until ctx is done, verifies the receipt against the call, has the call
// reviewed, and consumes the receipt. Whatever fails on the way denies; the
// error says that it did.
func (g *Gate) Settle(ctx context.Context, of *Referral) (Authorization, error) {
	out := Authorization{Verdict: of.Asked, Request: of.Request, desk: g.Desk}
	r, err := g.Desk.Await(ctx, of.Request.ID)
	if err != nil {
		return out.deny(policy.ReasonError, "the decision could not be read: "+err.Error()), err
	}
	out.Request = r
	switch r.State {
	case Approved:
	case Pending:
		return out.deny(policy.ReasonTimedOut, "nobody decided in time; the request "+r.ID+" is still open"), nil
	default:
		return out.deny(reasonOf(r), r.Outcome()), nil
	}
	err = g.redeem(ctx, of, &out)
	if errors.Is(err, ErrRevoked) { // after this read that it was approved
		if r, gone := g.Desk.Await(ctx, r.ID); gone == nil && r.State == Revoked {
			out.Request = r
			return out.deny(reasonOf(r), r.Outcome()), nil
		}
	}
	if err != nil {
		return out.deny(policy.ReasonError, err.Error()), err
	}
	return out, nil
}

// redeem verifies the receipt of a request and consumes it.
func (g *Gate) redeem(ctx context.Context, of *Referral, out *Authorization) error {
	if out.Request.Receipt == nil || out.Request.Receipt.Text == "" {
		return fmt.Errorf("%w: there is none", ErrReceipt)
	}
	text := out.Request.Receipt.Text
	claims, err := g.Keys.For(of.Call, text, g.now())
	if err != nil {
		return err
	}
	if claims.Request != out.Request.ID {
		return fmt.Errorf("%w: it is that of the request %s", ErrReceipt, claims.Request)
	}
	if err := of.answers(claims); err != nil {
		return err
	}
	if err := of.again(ctx); err != nil {
		return err
	}
	r, err := g.Desk.Consume(ctx, text)
	if err != nil {
		return fmt.Errorf("the receipt was not consumed: %w", err)
	}
	out.Request, out.Claims, out.Allowed = r, claims, true
	return nil
}

// answers checks that a receipt answers the rule that asked. What the policy
// of the service allows by itself is no answer: it was asked because another
// policy does not. Silence is one only where the rule that asked says so.
func (of *Referral) answers(c *Claims) error {
	if c.Source == Timeout && (of.Asked.Ask == nil || of.Asked.Ask.OnTimeout != policy.Allow) {
		return fmt.Errorf("%w: nobody decided, and what asks here does not take silence for a yes", ErrReceipt)
	}
	if c.Source == Static || c.Stage != of.Asked.Stage.String() || c.Rule != of.Asked.Rule {
		return fmt.Errorf("%w: it is by %s for the stage %s and the rule %q, and does not answer what asks", ErrReceipt, c.By, c.Stage, c.Rule)
	}
	return nil
}

// again decides a call that was approved under the policy of now: an approval
// answers the rule that asked, and no other, and not for people who were not asked.
func (of *Referral) again(ctx context.Context) error {
	v, err := of.Review(ctx)
	switch {
	case err != nil:
		return err
	case v.Decision == policy.Allow:
		return nil
	case v.Decision == policy.Ask && v.Stage == of.Asked.Stage && v.Rule == of.Asked.Rule:
		if v.Ask == nil || of.Asked.Ask == nil || of.Asked.Ask.Covers(v.Ask) {
			return nil
		}
		return fmt.Errorf("the policy has changed since it was asked, and now wants %s to approve", cmp.Or(v.Ask.Who(), "a person"))
	}
	return fmt.Errorf("the policy has changed since it was asked, and now says %s: %s", v.Decision, v.Message())
}
