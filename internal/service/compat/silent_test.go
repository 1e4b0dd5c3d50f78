package compat

import (
	"context"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// silence is a judge under whose policy silence allows.
type silence struct{ judge approval.Judge }

func (s silence) Judge(ctx context.Context, c *policy.Call) (v, own policy.Verdict, offers []approval.Offer, err error) {
	v, own, offers, err = s.judge.Judge(ctx, c)
	if v.Ask != nil {
		ask := *v.Ask
		ask.OnTimeout = policy.Allow
		v.Ask = &ask
	}
	return v, own, offers, err
}

func (s silence) Anew(ctx context.Context, c *policy.Call) (policy.Verdict, error) {
	return s.judge.Anew(ctx, c)
}

func (s silence) Plan(ctx context.Context, r *approval.Request, scope approval.Scope) (approval.Plan, error) {
	return s.judge.Plan(ctx, r, scope)
}

func (s silence) Save(ctx context.Context, p approval.Plan) (string, error) {
	return s.judge.Save(ctx, p)
}

// offering is a judge that offers to remember programs, and tells what it
// saved.
type offering struct {
	judge approval.Judge
	saved chan approval.Scope
}

func (o offering) Judge(ctx context.Context, c *policy.Call) (v, own policy.Verdict, offers []approval.Offer, err error) {
	v, own, offers, err = o.judge.Judge(ctx, c)
	for _, s := range []approval.Scope{approval.Anywhere, approval.Here} {
		offers = append(offers, approval.Offer{Scope: s, Stores: []string{string(s)}})
	}
	return v, own, offers, err
}

func (o offering) Anew(ctx context.Context, c *policy.Call) (policy.Verdict, error) {
	return o.judge.Anew(ctx, c)
}

func (o offering) Plan(_ context.Context, _ *approval.Request, scope approval.Scope) (approval.Plan, error) {
	return approval.Plan{Lines: []string{string(scope)}, Entries: []byte(`{}`)}, nil
}

func (o offering) Save(_ context.Context, p approval.Plan) (string, error) {
	o.saved <- approval.Scope(p.Lines[0])
	return "", nil
}
