// Package referral takes what a hook asks about to the approval service, waits
// for a decision, and makes an answer of it.
//
// A service that cannot be reached changes nothing: the agent gets the answer
// that it gets without one, which is never a yes. A yes needs a receipt that a
// pinned key has signed for the very call.
//
// The package decides no call, and speaks no agent's protocol.
package referral

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Clerk takes asks to a service. Both fields must be set.
type Clerk struct {
	Guard *guard.Guard
	Now   func() time.Time
}

// The times in which a service must take a request, and take one back.
const (
	submitTime = 5 * time.Second
	cancelTime = 2 * time.Second
)

// Refer is the Refer of a [hook.Host]. The error is that of ctx alone.
func (c *Clerk) Refer(ctx context.Context, in hook.Ask) (hook.Outcome, error) {
	service, err := c.find(in.Event)
	if service == nil || err != nil {
		return unreached(in, err), nil
	}
	q := &question{clerk: c, service: service, call: c.Guard.Call(in.Event), in: in}
	if q.hash, err = approval.HashOf(&q.call); err != nil {
		return unreached(in, err), nil
	}
	if g, ok, err := q.join(ctx); ok {
		return q.outcome(ctx, g, err)
	}
	if ctx.Err() != nil {
		return unreached(in, nil), ctx.Err()
	}
	r, err := q.submit(ctx)
	if err != nil {
		return unreached(in, err), ctx.Err()
	}
	g, err := q.settle(ctx, r)
	return q.outcome(ctx, g, err)
}

// unreached leaves the answer as it is without a service.
func unreached(in hook.Ask, err error) hook.Outcome {
	out := hook.Outcome{Verdict: in.Verdict}
	if err != nil {
		out.Note = "nobody was asked through the approval service: " + err.Error()
	}
	return out
}

// A question is an ask on its way.
type question struct {
	clerk   *Clerk
	service *service
	call    policy.Call
	hash    string
	in      hook.Ask
}

// prefix is how the keys of our requests begin.
const prefix = "hook/"

// key names a call, so that the same call joins its request. One without an
// id is another each time.
func (q *question) key() string {
	id := cmp.Or(q.call.ID, rand.Text())
	if key := prefix + id + "/" + q.hash; len(key) <= approval.MaxKey {
		return key
	}
	return prefix + rand.Text()
}

func (q *question) submit(ctx context.Context) (*approval.Request, error) {
	// A request whose answer is not awaited could not be taken back.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), submitTime)
	defer cancel()
	asked := approval.AskedOf(&q.in.Verdict)
	asked.Files = filesOf(q.clerk.Guard.Written(ctx, q.in.Event), q.call.Dir, q.call.Home)
	asked.Repository = repositoryOf(q.call.Dir)
	in := approval.Submission{Key: q.key(), Call: &q.call, Asked: &asked}
	if left := time.Until(q.in.Until).Truncate(time.Second); left > 0 {
		in.Waits = min(left, approval.MaxTimeout)
	}
	if ask := q.in.Verdict.Ask; ask != nil && ask.Timeout > 0 {
		in.Timeout = min(max(ask.Timeout, approval.MinTimeout), approval.MaxTimeout)
	}
	return q.service.Submit(ctx, in)
}

// join waits for a request of the same call that stands, such as one that an
// earlier attempt has not waited for to its end. ok is false where there is
// none that helps.
func (q *question) join(ctx context.Context) (g approval.Authorization, ok bool, err error) {
	r := q.standing(ctx)
	if r == nil {
		return g, false, nil
	}
	g, err = q.settle(ctx, r)
	spent := err != nil && g.Request.State != approval.Pending // another attempt was faster
	return g, !spent || ctx.Err() != nil, err
}

func (q *question) standing(ctx context.Context) *approval.Request {
	ctx, cancel := context.WithTimeout(ctx, submitTime)
	defer cancel()
	list, err := q.service.List(ctx, approval.Filter{
		Session: q.call.Session, States: []approval.State{approval.Pending, approval.Approved},
	})
	if err != nil {
		return nil // to submit says more
	}
	for _, r := range list {
		if q.same(r) && (r.State == approval.Pending || q.usable(r.Receipt)) {
			return r
		}
	}
	return nil
}

// same reports whether a request of ours asks the same about the same call.
func (q *question) same(r *approval.Request) bool {
	asked := approval.AskedOf(&q.in.Verdict)
	return r != nil && strings.HasPrefix(r.Key, prefix) && r.Hash == q.hash && r.Asked.Stage == asked.Stage &&
		r.Asked.Rule == asked.Rule && r.Asked.Why == asked.Why && r.Asked.Origin == asked.Origin && r.Asked.Revision == asked.Revision
}

func (q *question) usable(r *approval.Issued) bool {
	return r != nil && r.Text != "" && r.Consumed == nil && q.clerk.Now().Before(r.Expires)
}

// settle waits for the decision about a request and verifies it.
func (q *question) settle(ctx context.Context, r *approval.Request) (approval.Authorization, error) {
	gate := approval.Gate{Desk: timedDesk{q.service, q.in.Until, r}, Keys: q.service.keys, Now: q.clerk.Now}
	return gate.Settle(ctx, &approval.Referral{
		Call: &q.call, Asked: q.in.Verdict, Request: r,
		Review: func(ctx context.Context) (policy.Verdict, error) { return q.clerk.Guard.Review(ctx, q.in.Event) },
	})
}

// A timedDesk waits no longer than until a time, and has the rest of its
// time left for a receipt.
type timedDesk struct {
	approval.Desk
	until time.Time
	known *approval.Request
}

func (p timedDesk) Await(ctx context.Context, id string) (*approval.Request, error) {
	ctx, cancel := context.WithDeadline(ctx, p.until)
	defer cancel()
	r, err := p.Desk.Await(ctx, id)
	if errors.Is(err, context.DeadlineExceeded) && p.known.State == approval.Pending {
		return p.known, nil // nothing else was heard of it
	}
	return r, err
}

// outcome makes the answer of what was found. A request about which the agent
// does not want to know any more is taken back.
func (q *question) outcome(ctx context.Context, g approval.Authorization, err error) (hook.Outcome, error) {
	r := g.Request
	switch {
	case errors.Is(ctx.Err(), context.Canceled) && r.State == approval.Pending:
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer cancel()
		_, _ = q.service.Cancel(ctx, r.ID) // it expires otherwise
		return unreached(q.in, nil), context.Canceled
	case g.Allowed:
		if g.DecidedBy() == approval.Human {
			_ = q.clerk.Guard.Forgive(ctx, q.in.Event) // it may count as a loop then, no more
		}
		return q.allowed(&g), nil
	case err != nil && r.State == approval.Pending:
		return unreached(q.in, err), nil
	}
	out := hook.Outcome{Verdict: g.Verdict, Request: r.ID}
	if r.Decision != nil {
		out.By = r.Decision.By
	}
	return out, nil
}

func (q *question) allowed(g *approval.Authorization) hook.Outcome {
	v := q.in.Verdict
	v.Decision, v.Reason, v.Ask = policy.Allow, policy.ReasonNone, nil
	d := g.Request.Decision
	by, out := "somebody", hook.Outcome{Verdict: v, Request: g.Request.ID}
	if d != nil {
		by, out.By = fmt.Sprintf("%s (%s)", d.Who(), d.Source), d.By
	}
	if g.Claims != nil {
		out.Receipt = g.Claims.ID
	}
	out.Note = fmt.Sprintf("approved by %s, request %s; not enforced: a hook cannot see what the agent runs then", by, g.Request.ID)
	return out
}
