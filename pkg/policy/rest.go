package policy

import (
	"cmp"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/permission"
)

// rest returns the terms on which the later stages would ask if the open asks of stage
// 5 were answered, and the rule or the stage that would; nil if none would. Whoever
// answers those asks has answered for the commands that they are about, and for no
// others of the line.
func (r *run) rest(open []*reply) (*AskTerms, string) {
	switch {
	case r.leaves:
		return r.restOutside()
	case r.line == nil, r.yoloOn() && r.netted() == nil:
		return nil, ""
	}
	other := r.fresh()
	for i := len(other.parts.list) - 1; i >= 0; i-- { // payloads come behind what runs them
		if r.answered(open, i) || other.onlyRuns(i) {
			other.parts.allow(i, cover{stage: StageRules, rule: "asked"})
		}
	}
	other.coverByRules()
	return other.laterAsk()
}

// laterAsk returns what the stages behind stage 5 ask.
func (r *run) laterAsk() (*AskTerms, string) {
	for i := range stages {
		s := &stages[i]
		if s.stage <= StageRules {
			continue
		}
		o, err := s.judge(r)
		switch {
		case err != nil:
			return r.e.plain, s.stage.String()
		case o != nil && o.decision == Ask:
			return cmp.Or(o.ask, r.e.plain), cmp.Or(o.rule, s.stage.String())
		case o != nil:
			return nil, ""
		}
	}
	return nil, ""
}

// restOutside is rest for a call that leaves the agent's sandbox. Time, a stored
// approval and a reviewer that fails are no yes to that, whoever allows it.
func (r *run) restOutside() (*AskTerms, string) {
	if r.fresh().allowedOutside() != nil {
		return &AskTerms{FailClosed: true, EveryTime: true, Rule: OutsideRule}, OutsideRule
	}
	return r.leavingTerms(), OutsideRule
}

// fresh returns another run of the call, which no stage has judged, with what was
// replied.
func (r *run) fresh() *run {
	other := &run{
		facts:  facts{e: r.e, view: permission.View{Stands: r.view.Stands}, location: location{moved: r.callIn(r.call.Dir), counting: r.counting}},
		review: true,
	}
	other.call = &other.moved
	other.replies = replies{facts: &other.facts, ctx: r.replies.ctx, session: r.replies.session, list: r.replies.list}
	other.unread = reader{&other.facts}.prepare()
	return other
}

// open returns the asks that nothing answers.
func (r *replies) open() []*reply {
	var out []*reply
	for i := range r.list {
		if a := &r.list[i]; a.asks() && !r.discharged(a) {
			out = append(out, a)
		}
	}
	return out
}

// onlyRuns reports whether a command does nothing but run others here, each of which
// is answered for or only reads.
func (r *run) onlyRuns(i int) bool {
	c := &r.line.Commands[i]
	if !hasPayload(r.line, i) || c.Opaque != "" || c.Changes() || len(r.parts.dangers(i)) > 0 {
		return false
	}
	for k := i + 1; k < len(r.line.Commands); k++ {
		if p := &r.line.Commands[k]; p.Parent == i && (p.Context != program.Local || r.parts.list[k].stage == StageNone && !r.parts.proof(k).Proved) {
			return false
		}
	}
	return true
}

// answered reports whether an answer to asks answers for a command.
func (r *run) answered(asks []*reply, i int) bool {
	for _, a := range asks {
		if !a.inside && (a.Whole || r.replies.concerns(a, i)) { // the text around may do more
			return true
		}
	}
	return false
}
