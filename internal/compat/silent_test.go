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

func (s silence) Plan(ctx context.Context, r *approval.Request, scope approval.Scope) (approval.Plan, error) {
	return s.judge.Plan(ctx, r, scope)
}

func (s silence) Save(ctx context.Context, p approval.Plan) (string, error) {
	return s.judge.Save(ctx, p)
}
