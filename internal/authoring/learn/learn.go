// Package learn finds the smallest permissions that would have given the answers
// that people gave.
//
// [Propose] reads recorded calls with what became of them, and lets engines say what
// each permission would answer. It changes no policy, and a permission that would
// answer a call otherwise than a person did is never proposed.
package learn

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Options say how permissions are found.
type Options struct {
	// Policy decides the calls.
	Policy replay.Policy
	// With returns the policy with more permissions.
	With func(...policy.Permission) (replay.Policy, error)
	// Tools are the tools of the policy beside the built-in ones.
	Tools []policy.Tool
	// Least is how many answers a permission must have given; 0 means 3.
	Least int
}

// A Proposal is a permission that would have given answers which people gave.
type Proposal struct {
	Match  string          `json:"match"`
	Action policy.Decision `json:"action"`
	// Answers counts the calls that people answered so, of which Ran are calls that ran
	// in a transcript, and Examples are different ones of them.
	Answers  int      `json:"answers"`
	Ran      int      `json:"ran"`
	Examples []string `json:"examples"`
	// Also counts the recorded calls that ask and that it would answer too, though
	// nobody is known to have answered them.
	Also         int      `json:"also"`
	AlsoExamples []string `json:"also_examples"`
	// Asks are permissions that ask, to be written beside one that allows: without them it
	// would allow something dangerous.
	Asks []string `json:"asks"`
	// Opens are calls that are not recorded and that it would allow too.
	Opens []string `json:"opens"`
	// Outside is a call like these that it does not answer, "" for none.
	Outside string `json:"outside"`

	// answered are the places of the recorded calls that it answers as people did.
	answered []int
}

// A Refusal is what people answered alike, without a permission that is proposed.
type Refusal struct {
	// Match is the permission that was tried, or what the calls have in common.
	Match string `json:"match"`
	// Answers counts the calls that people answered alike.
	Answers int    `json:"answers"`
	Why     string `json:"why"`

	group []*asked
}

// A Report is what was found in recordings.
type Report struct {
	// Calls are those of the recordings, Answered those of which is known what became.
	Calls     int              `json:"calls"`
	Answered  int              `json:"answered"`
	Proposals []Proposal       `json:"proposals"`
	Refused   []Refusal        `json:"refused"`
	Problems  []replay.Problem `json:"problems"`
}

// Bounds of what is tried and shown.
const (
	maxTried    = 64
	maxExamples = 3
)

// A learner tries permissions.
type learner struct {
	*Options
	asks      []asked
	tried     int
	proposals []Proposal
	refusals  []Refusal
}

// Propose returns the permissions that would have given at least Options.Least of the
// answers, those that give most first, and what was tried in vain. The error is one of
// the context, or of making a policy.
func Propose(ctx context.Context, calls []replay.Recorded, o Options) ([]Proposal, []Refusal, error) {
	o.Least = cmp.Or(o.Least, 3)
	l := &learner{Options: &o, proposals: []Proposal{}, refusals: []Refusal{}}
	for i := range calls {
		v, err := o.Policy.Of(calls[i].Call).Decide(ctx, nil, calls[i].Call)
		if err != nil || v.Decision != policy.Ask {
			continue
		}
		a := asked{Recorded: calls[i]}
		if a.Asking, a.alone = replay.AsksAlone(ctx, o.Policy.Of(a.Call), o.Tools, a.Call); a.alone {
			a.split()
		}
		l.asks = append(l.asks, a)
	}
	for _, action := range []policy.Decision{policy.Allow, policy.Deny} {
		if err := l.learn(ctx, action); err != nil {
			return nil, nil, err
		}
	}
	slices.SortStableFunc(l.proposals, func(a, b Proposal) int { return cmp.Compare(b.Answers, a.Answers) })
	l.fold()
	slices.SortStableFunc(l.refusals, func(a, b Refusal) int { return cmp.Compare(b.Answers, a.Answers) })
	return l.proposals, l.refusals, ctx.Err()
}

// gave reports whether people gave the answer of a permission to a call.
func gave(a replay.Answer, action policy.Decision) bool {
	if action == policy.Deny {
		return a == replay.Denied
	}
	return a == replay.Approved || a == replay.Ran
}

// learn tries the permissions with an action.
func (l *learner) learn(ctx context.Context, action policy.Decision) error {
	groups := make(map[string][]*asked)
	for i := range l.asks {
		if a := &l.asks[i]; a.alone && gave(a.Answer, action) {
			groups[a.Name] = append(groups[a.Name], a)
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(groups[b]), len(groups[a])), cmp.Compare(a, b))
	}) {
		if group := groups[name]; len(group) >= l.Least {
			if err := l.divide(ctx, group, 0, action); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// divide tries the permission for calls that begin with the same parts, if enough of
// them go on differently, and else one for each way that enough of them go on.
func (l *learner) divide(ctx context.Context, group []*asked, same int, action policy.Decision) error {
	ways := make(map[string][]*asked)
	for _, a := range group {
		way := open
		switch {
		case same < len(a.parts):
			way = a.parts[same]
		case a.whole:
			way = end
		}
		ways[way] = append(ways[way], a)
	}
	if allSay(group, same) && differ(group) { // a person leaves such an option out
		if done, err := l.try(ctx, group, same, false, action); done || err != nil {
			return err
		}
	}
	rest := len(ways[open])
	for way, list := range ways {
		if way != open && len(list) < l.Least {
			rest += len(list)
		}
	}
	if rest >= l.Least {
		if done, err := l.try(ctx, group, same, false, action); done || err != nil {
			return err
		}
	}
	for _, way := range slices.Sorted(maps.Keys(ways)) {
		var err error
		switch list := ways[way]; {
		case way == open || len(list) < l.Least:
		case way == end:
			_, err = l.try(ctx, list, same, true, action)
		default:
			err = l.divide(ctx, list, same+1, action)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// How a call goes on that has no further part: not at all, or with what is not plain
// text. No part is one of these.
const (
	end  = ""
	open = " "
)

// try proposes the permission for calls that begin with the same parts, or that are
// the same, and reports whether it did.
func (l *learner) try(ctx context.Context, group []*asked, same int, exact bool, action policy.Decision) (bool, error) {
	like := group[0]
	if i := slices.IndexFunc(group, func(a *asked) bool { return a.host > 0 }); i >= 0 {
		like = group[i] // of a call that goes on behind the host
	}
	match, why := like.permission(same, exact)
	if why != "" {
		l.refuse(match, group, why)
		return false, nil
	}
	if l.tried++; l.tried > maxTried {
		l.refuse(match, group, fmt.Sprintf("%d permissions were tried before it, which is the most", maxTried))
		return false, nil
	}
	own := []policy.Permission{{Match: match, Action: action, Why: "learnt"}}
	with, own, why, err := l.guarded(own, like.Name)
	if err != nil {
		return false, err
	}
	p := Proposal{}
	if why == "" {
		p, why = l.weigh(ctx, with, match, action)
	}
	if why == "" && p.Answers < l.Least {
		why = "it would not answer them"
	}
	if why != "" {
		l.refuse(match, group, why)
		return false, nil
	}
	for _, ask := range own[1:] {
		p.Asks = append(p.Asks, ask.Match)
	}
	p.Outside = l.outside(ctx, with, like, same, action)
	p.Opens = l.opens(ctx, with, own[0])
	l.proposals = append(l.proposals, p)
	return true, nil
}

func (l *learner) refuse(match string, group []*asked, why string) {
	l.refusals = append(l.refusals, Refusal{match, len(group), why, group})
}

// weigh counts what a permission would answer. The reason says why it is not proposed.
func (l *learner) weigh(ctx context.Context, with replay.Policy, match string, action policy.Decision) (p Proposal, why string) {
	p = Proposal{Match: match, Action: action, Examples: []string{}, AlsoExamples: []string{}, Asks: []string{}, Opens: []string{}}
	for i := range l.asks {
		a := &l.asks[i]
		v, err := with.Of(a.Call).Decide(ctx, nil, a.Call)
		if err != nil || v.Decision != action {
			continue
		}
		switch {
		case gave(a.Answer, action):
			if len(a.Dangerous) > 0 && action == policy.Allow {
				return p, "it would allow " + a.Sample.Text + " (" + a.Dangerous[0] + ")"
			}
			p.Answers++
			p.answered = append(p.answered, i)
			if a.Answer == replay.Ran {
				p.Ran++
			}
			p.Examples = example(p.Examples, a)
		case a.Answer != replay.Unknown:
			return p, "a person answered " + a.Sample.Text + " otherwise"
		default:
			p.Also++
			p.AlsoExamples = example(p.AlsoExamples, a)
		}
	}
	return p, ""
}

func example(list []string, a *asked) []string {
	if len(list) == maxExamples || slices.Contains(list, a.Sample.Text) {
		return list
	}
	return append(list, a.Sample.Text)
}

// allSay reports whether each of the calls goes on with an option that only gives a text.
func allSay(group []*asked, same int) bool {
	return same > 0 && !slices.ContainsFunc(group, func(a *asked) bool { return same >= len(a.Says) || !a.Says[same] })
}

// differ reports whether the calls are not all the same.
func differ(group []*asked) bool {
	return slices.ContainsFunc(group, func(a *asked) bool { return !a.whole || !slices.Equal(a.parts, group[0].parts) })
}

// outside returns a call like another that a permission does not answer: a recorded
// one of the same program or tool, or one that is made up.
func (l *learner) outside(ctx context.Context, with replay.Policy, like *asked, same int, action policy.Decision) string {
	leaves := func(c *policy.Call) bool {
		v, err := with.Of(c).Decide(ctx, nil, c)
		return err == nil && v.Decision != action
	}
	for i := range l.asks {
		a := &l.asks[i]
		if a.alone && a.isLike(like) && leaves(a.Call) {
			return a.Sample.Text
		}
	}
	if text, c := like.another(same); c != nil && leaves(c) {
		return text
	}
	return ""
}
