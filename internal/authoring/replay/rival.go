package replay

import (
	"cmp"
	"context"
	"slices"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A rival is another policy with what it decides otherwise.
type rival struct {
	name      string
	lane      *lane
	decisions counts
	asks      map[string]int // by session
	moved     int            // the same decision at another stage or by another rule
	changes   map[change]*changeCount
}

// A change is one way in which verdicts differ.
type change struct {
	from, to side
	head     string
}

// A side is the part of a verdict that counts here.
type side struct {
	decision policy.Decision
	stage    policy.Stage
	rule     string
}

type changeCount struct {
	count  int
	sample Sample
}

const maxChanges = 10_000

func newRival(r Rival) *rival {
	return &rival{name: r.Name, lane: newLane(Policy{Engine: r.Engine}), changes: make(map[change]*changeCount), asks: make(map[string]int)}
}

// compare decides a call and notes how the verdict differs.
func (r *rival) compare(ctx context.Context, base *lane, p *pass, e *event, was *policy.Verdict) {
	v, _ := r.lane.decide(ctx, e) // what cannot be judged is denied, as it is by all
	r.decisions[v.Decision]++
	if e.session != "" {
		r.asks[e.session] += map[policy.Decision]int{policy.Ask: 1}[v.Decision]
	}
	c := change{from: sideOf(was), to: sideOf(&v)}
	if v.Decision == was.Decision {
		if c.from != c.to {
			r.moved++
		}
		return
	}
	c.head = r.head(ctx, base, p.tools, e.call, was, &v)
	if _, known := r.changes[c]; !known && len(r.changes) >= maxChanges {
		c = change{from: side{decision: was.Decision}, to: side{decision: v.Decision}, head: "(others)"}
	}
	n := r.changes[c]
	if n == nil {
		n = &changeCount{sample: p.sample(e)}
		r.changes[c] = n
	}
	n.count++
}

func sideOf(v *policy.Verdict) side { return side{v.Decision, v.Stage, v.Rule} }

// head names the call for people: by what asks in it, or by its first command.
func (r *rival) head(ctx context.Context, l *lane, tools *toolNames, c *policy.Call, was, is *policy.Verdict) string {
	if was.Decision != policy.Ask {
		l = r.lane
	}
	x, err := l.explain(ctx, c)
	if err != nil {
		return tools.name(c.Tool)
	}
	switch {
	case was.Decision == policy.Ask || is.Decision == policy.Ask:
		return heads(tools, c, &x)[0].name
	case x.Line != nil && len(x.Line.Commands) > 0:
		return commandHead(&x.Line.Commands[0]).name
	}
	return tools.name(c.Tool)
}

func (r *rival) comparison(calls, nowhere int) Comparison {
	c := Comparison{
		Name: r.name, Revision: r.lane.policy.Revision(), Decisions: r.decisions.named(),
		AsksPer100: per100(r.decisions[policy.Ask], calls), Sessions: sessionsOf(r.asks, nowhere), Moved: r.moved, Changes: []Change{},
	}
	for k, n := range r.changes {
		c.Differ += n.count
		c.Changes = append(c.Changes, Change{k.from.named(), k.to.named(), k.head, n.count, n.sample})
	}
	slices.SortFunc(c.Changes, compareChanges)
	return c
}

func (s side) named() Side { return Side{s.decision, s.stage, s.rule} }

// compareChanges puts what becomes looser first, and what is frequent before
// what is rare.
func compareChanges(a, b Change) int {
	looser := func(c Change) int { return int(c.From.Decision) - int(c.To.Decision) }
	return cmp.Or(
		cmp.Compare(looser(a), looser(b)), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Head, b.Head),
		compareSides(a.From, b.From), compareSides(a.To, b.To),
	)
}

func compareSides(a, b Side) int {
	return cmp.Or(cmp.Compare(a.Decision, b.Decision), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Rule, b.Rule))
}
