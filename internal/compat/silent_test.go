package compat

import (
	"context"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// silence is a judge under whose policy silence allows.
type silence struct{ judge approval.Judge }

func (s silence) Judge(ctx context.Context, c *policy.Call) (policy.Verdict, []approval.Offer, error) {
	v, offers, err := s.judge.Judge(ctx, c)
	if v.Ask != nil {
		v.Ask.OnTimeout = policy.Allow
	}
	return v, offers, err
}

func (s silence) Save(ctx context.Context, r *approval.Request, scope approval.Scope) ([]string, error) {
	return s.judge.Save(ctx, r, scope)
}

// offering is a judge that offers to remember programs, and tells what it
// saved.
type offering struct {
	judge approval.Judge
	saved chan approval.Scope
}

func (o offering) Judge(ctx context.Context, c *policy.Call) (policy.Verdict, []approval.Offer, error) {
	v, offers, err := o.judge.Judge(ctx, c)
	for _, s := range []approval.Scope{approval.Anywhere, approval.Here} {
		offers = append(offers, approval.Offer{Scope: s, Stores: []string{string(s)}})
	}
	return v, offers, err
}

func (o offering) Save(_ context.Context, _ *approval.Request, scope approval.Scope) ([]string, error) {
	o.saved <- scope
	return []string{string(scope)}, nil
}
