package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/reviewer"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Brief says what a language model is told of requests. Engine and Now must be set.
type Brief struct {
	// Engine returns the engine in force, and Grants are its stored approvals, nil for
	// none.
	Engine func() *policy.Engine
	Grants policy.Grants
	Now    func() time.Time
	// Trial takes every call that is not denied for one that the policy leaves to a
	// model, to try one on calls of which the policy says something else.
	Trial bool
}

// Facts returns what a model is told of a request, and why only people may decide it
// where that is so.
func (b *Brief) Facts(ctx context.Context, r *approval.Request) (*reviewer.Facts, error) {
	e := b.Engine()
	f := &reviewer.Facts{Revision: e.Revision()}
	if r.Kind != approval.KindCall || len(r.Call) == 0 {
		f.People = "a program is for people"
		return f, nil
	}
	c, err := policy.DecodeCall(r.Call)
	if err != nil {
		return nil, err
	}
	c.Time = b.Now() // rules may know office hours
	x, err := e.Explain(ctx, nil, c)
	if err != nil {
		return nil, err
	}
	f.Call, f.Risk = c, x.Risk.String()
	if x.Decision == policy.Allow { // which has no risk of its own
		f.Risk = policy.Low.String()
	}
	if f.People = b.forPeople(ctx, e, &x); f.People != "" {
		return f, nil
	}
	f.Effects, f.Commands = effectsOf(ctx, e, r)
	f.Records, err = recordsOf(x.Input)
	return f, err
}

// forPeople says why a language model may not decide a call, "" where it may: rules that
// leave it to the same model are all that stands between the call and an allow, and
// nothing about the call is dangerous.
func (b *Brief) forPeople(ctx context.Context, e *policy.Engine, x *policy.Explanation) string {
	v := &x.Verdict
	if b.Trial && v.Decision != policy.Deny && x.Input != nil {
		return dangerous(v)
	}
	switch {
	case v.Decision != policy.Ask || v.Ask == nil:
		return fmt.Sprintf("the policy says %s by now", v.Decision)
	case len(v.Dangers) > 0:
		return dangerous(v)
	case !v.Ask.Reviewer && len(v.Ask.Rules) > 1:
		return "another part of the call is for people: it is asked about by " + strings.Join(v.Ask.Rules, ", ")
	case !v.Ask.Reviewer:
		return "the policy asks people: " + v.Why
	case v.Ask.EveryTime || slices.ContainsFunc(x.Asks, func(a policy.OpenAsk) bool { return a.Rule == "" }):
		return "the rule may match what is unknown, which is for people"
	case e.PasskeyAbove() != "" && e.PasskeyAbove().Needs(v.Risk.String()):
		return "to approve this takes a passkey"
	case x.Input == nil:
		return "the call cannot be read"
	}
	covers := make(map[string][]int)
	for _, ask := range x.Asks {
		covers[ask.Rule] = append(covers[ask.Rule], ask.Commands...)
	}
	alone, err := e.With(&stated{b.Grants, covers}).Explain(ctx, nil, x.Input.Call)
	switch {
	case err != nil:
		return "what else asks is unknown: " + err.Error()
	case alone.Decision != policy.Allow:
		return "another part of the call is for people: " + alone.Why
	}
	return ""
}

// dangerous says that a call is for people because of what it matches, "" where it
// matches nothing.
func dangerous(v *policy.Verdict) string {
	if len(v.Dangers) == 0 {
		return ""
	}
	return "the call matches the dangerous pattern " + v.Dangers[0].Rule + ", which is for people"
}

// stated are grants under which the rules that left a call to a model do not ask any
// more, each about the commands about which it did.
type stated struct {
	policy.Grants
	commands map[string][]int
}

// Denials implements policy.Grants.
func (s *stated) Denials() ([]policy.Denial, error) {
	if s.Grants == nil {
		return nil, nil
	}
	return s.Grants.Denials()
}

// Covers implements policy.Grants.
func (s *stated) Covers(in *policy.Input, rule string) []policy.Covered {
	n := 1
	if in.Line != nil {
		n = len(in.Line.Commands)
	}
	out := make([]policy.Covered, n)
	commands, ours := s.commands[rule]
	if s.Grants != nil && !ours {
		copy(out, s.Grants.Covers(in, rule))
	}
	if rule == "" {
		commands, ours = slices.Concat(slices.Collect(maps.Values(s.commands))...), true
	}
	if !ours {
		return out
	}
	for i := range out {
		if in.Line == nil || slices.Contains(commands, i) {
			out[i] = policy.Covered{Grant: "a reviewer's approval", Why: "a reviewer may approve it"}
		}
	}
	return out
}

// recordsOf returns what rules see of a call: types, primary facets and facets.
func recordsOf(in *policy.Input) (json.RawMessage, error) {
	parts, err := record.Derive(in, record.Everything)
	if err != nil {
		return nil, err
	}
	type seen struct {
		Type, Primary string
		Facets        map[string]map[string]any
	}
	var out []seen
	for _, p := range parts {
		out = append(out, seen{p.Record.Type, p.Record.Primary, p.Record.Facets})
	}
	return json.Marshal(out)
}
