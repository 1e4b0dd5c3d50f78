package learn

import (
	"cmp"
	"context"
	"slices"

	"github.com/policyctl/policyctl/internal/authoring/extent"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/policy"
)

// maxAsks bounds the permissions that ask beside one that allows.
const maxAsks = 4

// guarded returns the policy with a permission, and with those that ask beside it about
// what is dangerous; why says what it would allow even so.
func (l *learner) guarded(own []policy.Permission, head string) (with replay.Policy, _ []policy.Permission, why string, err error) {
	for {
		if with, err = l.With(own...); err != nil || own[0].Action != policy.Allow {
			return with, own, "", err
		}
		danger, ok := replay.Covers(l.Policy.Engine, with.Engine)
		if !ok {
			return with, own, "", nil
		}
		why = cmp.Or(why, danger.Why)
		ask, err := l.reserve(own, &danger, head)
		if err != nil || ask == "" || len(own) > maxAsks {
			return with, own, why, err
		}
		own = append(own, policy.Permission{Match: ask, Action: policy.Ask, Why: "learnt"})
	}
}

// reserve returns the permission that asks about a danger, "" where none does.
func (l *learner) reserve(own []policy.Permission, danger *replay.Danger, head string) (string, error) {
	for _, match := range danger.Reserves(head) {
		with, err := l.With(append(slices.Clip(own), policy.Permission{Match: match, Action: policy.Ask, Why: "learnt"})...)
		if err != nil {
			return "", err
		}
		if next, still := replay.Covers(l.Policy.Engine, with.Engine); !still || next.Line != danger.Line {
			return match, nil
		}
	}
	return "", nil
}

// opens returns calls that a permission would allow, and that are not recorded.
func (l *learner) opens(ctx context.Context, with replay.Policy, own policy.Permission) []string {
	out := []string{}
	if own.Action != policy.Allow || len(l.asks) == 0 {
		return out
	}
	like := l.asks[0].Call
	for _, s := range extent.Samples(own) {
		c := *s.Call
		c.Dir, c.Home = like.Dir, like.Home
		recorded := slices.ContainsFunc(l.asks, func(a asked) bool { return a.Sample.Text == s.Text })
		if len(out) == maxExamples || recorded || slices.Contains(out, s.Text) {
			continue
		}
		now, err := l.Policy.Of(&c).Decide(ctx, nil, &c)
		then, thenErr := with.Of(&c).Decide(ctx, nil, &c)
		if err == nil && thenErr == nil && now.Decision != policy.Allow && then.Decision == policy.Allow {
			out = append(out, s.Text)
		}
	}
	return out
}

// fold leaves out each proposal that answers nothing which those before it do not, and what
// was tried in vain for calls that all have a proposal.
func (l *learner) fold() {
	answered := make(map[*asked]bool)
	news := func(p *Proposal) (n int) {
		for _, i := range p.answered {
			if a := &l.asks[i]; !answered[a] {
				answered[a] = true
				n++
			}
		}
		return n
	}
	l.proposals = slices.DeleteFunc(l.proposals, func(p Proposal) bool { return news(&p) == 0 })
	l.refusals = slices.DeleteFunc(l.refusals, func(r Refusal) bool {
		return !slices.ContainsFunc(r.group, func(a *asked) bool { return !answered[a] })
	})
}
