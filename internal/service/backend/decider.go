package backend

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Grants store approvals that stand for more than one call.
type Grants interface {
	// Offers returns the ways to approve a call that the policy asks about, as it
	// explains it, beside once; where there is none, once with why.
	Offers(x *policy.Explanation) []approval.Offer
	// Refusals returns the ways to deny a call for longer than once.
	Refusals(x *policy.Explanation) []approval.Offer
	// Tried returns grants as they would be with what an offer stores.
	Tried(ctx context.Context, c *policy.Call, s approval.Scope) policy.Grants
	// Plan and Save are those of [approval.Judge].
	Plan(ctx context.Context, r *approval.Request, s approval.Scope) (approval.Plan, error)
	Save(ctx context.Context, p approval.Plan) (notice string, err error)
	// Used notes that a verdict may rest on grants, and Flush stores what was noted.
	Used(v *policy.Verdict)
	Flush(ctx context.Context) error
}

// JudgeOptions are what a judge works with. Engine, Calls and Now must be set.
type JudgeOptions struct {
	// Engine returns the engine in force. It is asked for each call.
	Engine func() *policy.Engine
	// Calls keeps what was decided.
	Calls Recorder
	Now   func() time.Time
	// Grants are nil where each approval is for one call.
	Grants Grants
	// Sessions bounds the sessions that are remembered; 0 stands for
	// DefaultSessions.
	Sessions int
	// Failed is told of errors that stop no decision; nil for nobody.
	Failed func(error)
	// Decided is told of each decision, also of one that an error brought about; nil for
	// nobody. It may not wait.
	Decided func(ctx context.Context, d *Decided)
}

// A Decided is a decision of the engine in force, and how long it took.
type Decided struct {
	Call    *policy.Call
	Verdict *policy.Verdict
	// Source is Asked or Submitted.
	Source string
	Took   time.Duration
	// Records says that the decision belongs on record.
	Records bool
}

// The sources of decisions.
const (
	Asked     = "decide" // a client that wants a decision
	Submitted = "submit" // one that wants an approval
)

// DefaultSessions is how many sessions a judge remembers where nothing is
// said. The one used least recently is forgotten first.
const DefaultSessions = 10_000

// A Judge decides calls under the policy of the service: it is the [Decider]
// of a backend and the [approval.Judge] of its service. It is safe for
// concurrent use. [Judge.Run] must run for calls to be kept.
type Judge struct {
	o        JudgeOptions
	loops    *doom.Detector
	sessions *lru.Cache[string, *policy.Session]
	recorder *recorder
	// blank is what the guard has of a session that it does not know.
	blank []byte
}

var (
	_ Decider        = (*Judge)(nil)
	_ approval.Judge = (*Judge)(nil)
)

// NewJudge returns a judge.
func NewJudge(o JudgeOptions) *Judge {
	o.Sessions = cmp.Or(max(0, o.Sessions), DefaultSessions)
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	if o.Decided == nil {
		o.Decided = func(context.Context, *Decided) {}
	}
	j := &Judge{
		o: o, loops: doom.New(o.Sessions), sessions: newCache[*policy.Session](o.Sessions), recorder: newRecorder(o.Calls, o.Failed),
	}
	var err error
	if j.blank, err = j.loops.Snapshot(""); err != nil { // it is a constant
		panic(err)
	}
	return j
}

// newCache returns an empty cache, or panics for a size below one.
func newCache[V any](size int) *lru.Cache[string, V] {
	c, err := lru.New[string, V](size)
	if err != nil {
		panic(err)
	}
	return c
}

// Engine returns the engine in force.
func (j *Judge) Engine() *policy.Engine { return j.o.Engine() }

// Tried returns the engine with what an offer for a call would store.
func (j *Judge) Tried(ctx context.Context, c *policy.Call, s approval.Scope) *policy.Engine {
	if j.o.Grants == nil {
		return nil
	}
	g := j.o.Grants.Tried(ctx, c, s)
	if g == nil {
		return nil
	}
	return j.Engine().With(g)
}

// Session returns the session of an id, nil for "": calls of nobody knows
// which conversation have no history in common.
func (j *Judge) Session(id string) *policy.Session {
	if id == "" {
		return nil
	}
	if s, ok := j.sessions.Get(id); ok {
		return s
	}
	s := &policy.Session{ID: id, Doom: j.loops}
	if first, ok, _ := j.sessions.PeekOrAdd(id, s); ok {
		return first
	}
	return s
}

// ResetTurn has the loop guard count a session anew, because its user has said
// something new. A session that is unknown has nothing to forget.
func (j *Judge) ResetTurn(session string) {
	if s, ok := j.sessions.Get(session); ok {
		s.ResetTurn()
	}
}

// Decide answers a call, counts it in the history of its session, and keeps
// it. The call is made now, whatever time it says.
func (j *Judge) Decide(ctx context.Context, c *policy.Call) (policy.Verdict, error) {
	timed := *c
	timed.Time = j.o.Now()
	engine, begun := j.Engine(), time.Now()
	v, err := engine.Decide(ctx, j.Session(c.Session), &timed)
	j.o.Decided(ctx, &Decided{&timed, &v, Asked, time.Since(begun), engine.Records(v.Decision)})
	if err == nil {
		j.recorder.keep(&timed)
		j.used(&v)
	}
	return v, err
}

// used notes which grants a verdict rests on.
func (j *Judge) used(v *policy.Verdict) {
	if j.o.Grants != nil {
		j.o.Grants.Used(v)
	}
}

// Judge answers a call that is submitted for approval, now whatever time it
// says, and a program by its contract.
//
// A submission is never counted in the history: who submits has decided the
// call, with an engine of its own that counts it, or by [Judge.Decide]. The
// loop guard answers as it did then. A history of submissions would deny what
// people approve again and again, since it does not learn of approvals.
//
// The policy is looked at and the call is read once for all that is said of it.
func (j *Judge) Judge(ctx context.Context, c *policy.Call) (v, own policy.Verdict, offers []approval.Offer, err error) {
	timed := *c
	timed.Time = j.o.Now()
	engine, begun := j.Engine(), time.Now()
	x, err := engine.Explain(ctx, nil, &timed)
	v, own = x.Verdict, x.Verdict
	s := j.history(c.Session)
	switch {
	case err != nil:
	case isProgram(c):
		v = j.ofProgram(ctx, engine, &timed, v)
		own = v
	case s != nil:
		v, err = engine.Review(ctx, s, &timed)
	}
	if err == nil {
		v, err = engine.Settle(ctx, s, &timed, v)
	}
	j.o.Decided(ctx, &Decided{&timed, &v, Submitted, time.Since(begun), false})
	if err != nil {
		return v, own, nil, err
	}
	j.recorder.keep(&timed)
	j.used(&v)
	if isProgram(c) {
		return v, own, once("a program is approved for one run"), nil
	}
	return v, own, slices.Concat(j.offers(&x, &v), j.refusals(&x, &v)), nil
}

// refusals returns the ways to deny a call for longer than once. They are those of every
// ask: what is denied always answers no rule.
func (j *Judge) refusals(x *policy.Explanation, v *policy.Verdict) []approval.Offer {
	if v.Decision == policy.Deny || j.o.Grants == nil {
		return nil
	}
	return j.o.Grants.Refusals(x)
}

// history returns the session of an id, nil for one of which nothing is remembered: it
// changes no answer.
func (j *Judge) history(id string) *policy.Session {
	if s, ok := j.sessions.Get(id); ok {
		return s
	}
	if s, err := j.loops.Snapshot(id); err == nil && bytes.Equal(s, j.blank) {
		return nil
	}
	return j.Session(id)
}

// Anew answers a call as [Judge.Judge] does, without the history of its session, and keeps
// nothing of it.
func (j *Judge) Anew(ctx context.Context, c *policy.Call) (policy.Verdict, error) {
	timed := *c
	timed.Time = j.o.Now()
	engine := j.Engine()
	v, err := engine.Review(ctx, nil, &timed)
	if isProgram(c) && err == nil {
		v = j.ofProgram(ctx, engine, &timed, v)
	}
	return v, err
}

// offers returns the ways to approve a call. Where only once is offered, it
// says why.
func (j *Judge) offers(x *policy.Explanation, v *policy.Verdict) []approval.Offer {
	switch {
	case v.Decision != policy.Ask:
		return once("")
	case v.Ask.EveryTime:
		return once("the rule asks every time")
	case j.o.Grants == nil:
		return once("this service stores no approvals")
	}
	more := j.o.Grants.Offers(x)
	wider := slices.DeleteFunc(slices.Clone(more), isOnce)
	if len(wider) > 0 {
		return append(once(""), wider...)
	}
	if len(more) > 0 {
		return once(more[0].Why)
	}
	return once("")
}

// once is the offer of one call alone, with why there is no other.
func once(why string) []approval.Offer {
	return []approval.Offer{{Scope: approval.Once, Stores: []string{}, Why: why}}
}

func isOnce(o approval.Offer) bool { return o.Scope == approval.Once }

// errNoGrants says that each approval is for one call.
var errNoGrants = &approval.Invalid{Text: "scope: nothing can be stored here: approve it once"}

// Plan returns what the offer of a scope stores.
func (j *Judge) Plan(ctx context.Context, r *approval.Request, s approval.Scope) (approval.Plan, error) {
	if j.o.Grants == nil {
		return approval.Plan{}, errNoGrants
	}
	return j.o.Grants.Plan(ctx, r, s)
}

// Save stores a plan.
func (j *Judge) Save(ctx context.Context, p approval.Plan) (notice string, err error) {
	if j.o.Grants == nil {
		return "", errNoGrants
	}
	return j.o.Grants.Save(ctx, p)
}
