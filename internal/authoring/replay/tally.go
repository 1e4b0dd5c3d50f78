package replay

import (
	"context"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A tally counts what the first pass finds.
type tally struct {
	*pass
	problems
	base                         *lane
	unjudged, nowhere, undecided int
	stages                       map[outcome]int
	decisions                    counts
	sessions                     map[string]*conversation
	heads                        map[string]*headCount
	rivals                       []*rival
	open                         callSet // that ask because nothing allows them
}

// An outcome is a stage with its answer.
type outcome struct {
	stage    policy.Stage
	decision policy.Decision
}

// counts are numbers of verdicts by decision.
type counts [policy.Allow + 1]int

// A conversation counts what one session made people do.
type conversation struct {
	calls, asks, loops int
	looped             *Sample // the first call that was a loop
}

// A headCount counts what one head made people do.
type headCount struct {
	head
	count, alone, risky int
	sample              Sample
}

// A Sample is one recorded call.
type Sample struct {
	At   string `json:"at"`
	Text string `json:"text"`
}

// Bounds of what is kept.
const (
	maxHeads  = 20_000
	maxSample = 200
)

func newTally(o *Options) *tally {
	t := &tally{
		pass: newPass(o, 1), base: newLane(o.Policy), stages: make(map[outcome]int),
		sessions: make(map[string]*conversation), heads: make(map[string]*headCount),
	}
	for _, r := range o.Against {
		t.rivals = append(t.rivals, newRival(r))
	}
	t.pass.batch, t.pass.wrong = batch{work: t.decide, tell: t.judged}, t.add
	return t
}

// decide answers a call under the policy, or remembers what else happened.
func (t *tally) decide(ctx context.Context, j *job) {
	if j.kind != called {
		t.base.note(&j.event)
		return
	}
	if j.verdict, j.err = t.base.decide(ctx, &j.event); j.verdict.Decision == policy.Ask {
		j.heads = t.base.blame(ctx, t.tools, j.call)
	}
}

func (t *tally) judged(ctx context.Context, j *job) {
	if j.kind != called {
		for _, r := range t.rivals {
			r.lane.note(&j.event)
		}
		return
	}
	if j.verdict.Decision == policy.Ask && byDefault(&j.verdict) {
		t.open.add(j.number)
	}
	t.calls++
	if j.err != nil {
		t.unjudged++
		t.wrong(Problem{Why: clip.Text("the call could not be judged, which denies it: "+j.err.Error(), maxReason), Count: 1, Places: []string{j.at}})
	}
	t.count(j)
	for _, r := range t.rivals {
		r.compare(ctx, t.base, t.pass, &j.event, &j.verdict)
	}
}

// count counts one verdict.
func (t *tally) count(j *job) {
	e, v := &j.event, &j.verdict
	t.stages[outcome{v.Stage, v.Decision}]++
	t.decisions[v.Decision]++
	s := t.conversation(e.session)
	s.calls++
	if v.Stage == policy.StageDoomLoop && v.Decision == policy.Deny {
		if s.loops++; s.looped == nil {
			sample := t.sample(e)
			s.looped = &sample
		}
	}
	if v.Decision != policy.Ask {
		return
	}
	if v.Undecided {
		t.undecided++
	}
	s.asks++
	for _, h := range j.heads {
		t.blame(h, e, len(j.heads) == 1 && byDefault(v))
	}
}

// byDefault reports whether a call asks because nothing allows it, and not
// because a rule says so.
func byDefault(v *policy.Verdict) bool {
	return v.Stage == policy.StageConfirm || v.Stage == policy.StageMode
}

// conversation returns the counts of a session.
func (t *tally) conversation(id string) *conversation {
	if id == "" {
		t.nowhere++
		return new(conversation)
	}
	s := t.sessions[id]
	if s == nil {
		s = new(conversation)
		t.sessions[id] = s
	}
	return s
}

// blame counts one head of a call that asks. alone says that there is no
// other.
func (t *tally) blame(h head, e *event, alone bool) {
	if _, known := t.heads[h.name]; !known && len(t.heads) >= maxHeads {
		h = head{name: "(others)", why: "there are too many to count each"}
	}
	a := t.heads[h.name]
	if a == nil {
		a = &headCount{head: h, sample: t.sample(e)}
		t.heads[h.name] = a
	}
	a.count++
	if alone {
		a.alone++
	}
	if len(h.dangerous) > 0 {
		a.risky++
	}
	if h.match == "" {
		a.match, a.why = "", h.why // one such call spoils the permission
	}
}
