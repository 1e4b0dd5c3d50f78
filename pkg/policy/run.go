package policy

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/permission"
)

// A run is the decision of one call: its facts, what others reply, and what the
// guard against loops finds.
type run struct {
	facts
	replies   replies
	guard     guard
	trace     trace
	notes     []string
	review    bool     // the call was decided before
	elsewhere []*run   // the call in the other directories in which it may run
	makes     []string // the files whose content is the session's own if the call runs
}

// decide decides a call. For an explanation x and in review nothing is
// recorded.
func (e *Engine) decide(ctx context.Context, s *Session, c *Call, x *Explanation, review bool) (v Verdict, err error) {
	r := runs.Get().(*run)
	list := r.replies.list
	*r = run{
		facts: facts{e: e, call: c, location: location{explained: x != nil}}, trace: trace{explain: x}, review: review,
		replies: replies{facts: &r.facts, ctx: ctx, session: s, list: list[:0]},
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("policyctl failed: %v; report this call to its maintainers", p)
			v = r.failed(err)
			v.fault = "it panicked"
			return // nobody knows what is left in the run
		}
		if x != nil {
			return // the explanation keeps what sources see of it
		}
		clear(r.replies.list)
		*r = run{replies: replies{list: r.replies.list[:0]}}
		runs.Put(r)
	}()
	r.unread = reader{&r.facts}.prepare()
	if x != nil {
		x.Line = r.line
	}
	r.counting = r
	r.spread()
	v, err = r.chain()
	if err != nil {
		v = r.failed(err)
		if ctx.Err() != nil {
			v.fault = "it had no time left, or was told to end"
		}
		return v, err
	}
	if v.Stage == StageHardline {
		return v, nil
	}
	v, err = r.strictest(v)
	if err == nil && v.Decision == Ask && (undecided{r}).holds(&v) {
		v.Undecided, v.UndecidedModes = true, e.settings.UndecidedModes
	}
	v.counted = r.counted(&v)
	if err == nil && v.Decision == Allow && !review && x == nil {
		if v, err = e.Settle(ctx, s, c, v); err == nil && v.Decision == Allow {
			s.make(r.makes)
		}
	}
	if err != nil {
		return v, err
	}
	return e.observed(v), nil
}

// counted returns the grants with a number of uses on which an allow rests, in whichever
// directory the call runs.
func (r *run) counted(v *Verdict) []string {
	if v.Decision != Allow {
		return nil
	}
	list := r.replies.counted
	for _, other := range r.elsewhere {
		for _, id := range other.replies.counted {
			if !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
	}
	return list
}

// maxSpends is how often a call is judged anew because a grant was used up meanwhile. After
// that none counts.
const maxSpends = 8

// Settle counts a call for the grants with a number of uses on which its verdict rests,
// for hosts that act on what [Engine.Explain] or [Engine.Review] says; [Engine.Decide] has
// done so. Where one has no use left by now, the call is judged without it.
func (e *Engine) Settle(ctx context.Context, s *Session, c *Call, v Verdict) (Verdict, error) {
	spender, ok := e.options.Grants.(Spender)
	if !ok {
		return v, nil
	}
	by := e
	for tried := 0; len(v.counted) > 0; tried++ {
		if spender.Spend(c, v.counted) == nil {
			return v, nil
		}
		if tried == maxSpends {
			by = e.With(withoutGrants{e.options.Grants})
		}
		var err error
		if v, err = by.decide(ctx, s, c, nil, true); err != nil || v.Decision != Allow {
			return v, err
		}
	}
	return v, nil
}

// withoutGrants are stored denials alone.
type withoutGrants struct{ Grants }

// Covers implements [Grants].
func (withoutGrants) Covers(*Input, string) []Covered { return nil }

// spread prepares the call for the other directories in which it may run.
func (r *run) spread() {
	for _, dir := range r.otherDirs {
		other := &run{
			facts:  facts{e: r.e, view: permission.View{Stands: r.view.Stands}, location: location{moved: r.callIn(dir), counting: r.counting}},
			review: true,
		}
		other.call = &other.moved
		other.replies = replies{facts: &other.facts, ctx: r.replies.ctx, session: r.replies.session}
		other.unread = reader{&other.facts}.prepare()
		r.elsewhere = append(r.elsewhere, other)
	}
}

// strictest returns the strictest of the verdicts on a call that may run in
// other directories too. v is that of its own.
func (r *run) strictest(v Verdict) (Verdict, error) {
	for _, other := range r.elsewhere {
		w, err := other.chain()
		if err != nil {
			return other.failed(err), err
		}
		w.Dir = other.call.Dir
		if w.Decision == Ask && v.Decision == Ask {
			v.Ask = v.Ask.Join(w.Ask)
			w.Ask = v.Ask
		}
		if w.Decision < v.Decision || w.Decision == v.Decision && w.Stage < v.Stage {
			v = w
		}
	}
	return v, nil
}

// runs are reused; nothing of one outlives its decision.
var runs = sync.Pool{New: func() any { return new(run) }}

// An opinion is what a stage has to say.
type opinion struct {
	decision Decision
	stage    Stage // StageNone for that of the stage itself
	reason   Reason
	rule     string
	why      string
	instead  string
	span     *shell.Span
	origin   Origin
	ask      *AskTerms
	parts    []Part
	of       *run // the run that says it, nil for that of the stage
}

// say keeps what a stage says until the chain has read it.
func (f *facts) say(o opinion) *opinion {
	f.said = o
	return &f.said
}

// verdict makes an opinion the answer.
func (r *run) verdict(stage Stage, o *opinion) Verdict {
	if other := o.of; other != nil {
		o.of = nil
		v := other.verdict(stage, o)
		v.Dir = other.call.Dir
		return v
	}
	if o.stage != StageNone {
		stage = o.stage
	}
	v := Verdict{
		Decision: o.decision, Stage: stage, Reason: o.reason, Rule: o.rule, Why: o.why, Span: o.span,
		Origin: o.origin, Revision: r.e.options.Revision, Bundles: r.e.options.Bundles, Notes: r.notes,
		Parts: o.parts, tool: r.tool.Name, instead: o.instead, Dir: r.movedDir(),
	}
	if o.decision != Deny {
		v.Reason = ReasonNone
	}
	if o.decision != Allow {
		r.risks().harm(&v)
	}
	if o.decision == Ask {
		v.Ask = r.joint(stage, o)
	}
	return v
}

// failed returns the verdict for a call that could not be judged.
func (r *run) failed(err error) Verdict {
	return Verdict{
		Reason: ReasonError, Why: err.Error(), Revision: r.e.options.Revision, Bundles: r.e.options.Bundles,
		tool: r.call.Tool, Dir: r.movedDir(),
	}
}
