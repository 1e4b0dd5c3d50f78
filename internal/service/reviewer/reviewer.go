// Package reviewer has a language model answer requests that the policy leaves to one,
// by require_llm.
//
// A model gives two scores, a quote and a rationale; a table of this package says what
// they mean. It approves single calls up to a risk that a person has set, and all else
// is for people. It is never asked about what the policy marks as a person's, and it
// can only tighten what the policy found.
//
// The text of a call is data here, never an instruction: it is sent as one JSON value,
// escaped and whole, or not at all. The package speaks to no server itself; see
// [github.com/policyctl/policyctl/internal/service/reviewer/wire].
package reviewer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/reviewer/wire"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An Asker asks a model: [wire.Client].
type Asker interface {
	Ask(ctx context.Context, q *wire.Question) (wire.Answer, error)
}

// Facts are what is known of a call under the policy in force.
type Facts struct {
	Call *policy.Call
	// People says why only people may decide it, "" where a model may.
	People string
	// Risk is what the policy says of it, Revision that of the policy.
	Risk, Revision string
	Effects        []approval.Effect
	Commands       []approval.Command
	// Records are the call as rules see it: type, primary and facets.
	Records json.RawMessage
}

// Options are what a reviewer works with. All but Failed must be set.
type Options struct {
	Settings
	Asker Asker
	// Look returns what is known of a request now.
	Look func(ctx context.Context, r *approval.Request) (*Facts, error)
	// Now is the time of the service.
	Now func() time.Time
	// Failed is told of errors of the store, which leave a request to people; nil for
	// nobody.
	Failed func(error)
}

// A Reviewer is an [approval.Approver] that asks a language model. It is safe for
// concurrent use. [Reviewer.Close] must be called.
type Reviewer struct {
	o       Options
	breaker *breaker
	cache   *cache
	// turns are how many calls may be on their way at once.
	turns chan struct{}

	ctx    context.Context
	cancel context.CancelFunc
	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

var _ approval.Approver = (*Reviewer)(nil)

// maxTurns bounds the calls that are on their way to a model.
const maxTurns = 8

// New returns a reviewer.
func New(o Options) *Reviewer {
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	r := &Reviewer{o: o, breaker: &breaker{limit: o.Failures, now: o.Now}, cache: newCache(o.Cache), turns: make(chan struct{}, maxTurns)}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// Close gives up what is on its way, which is for people then.
func (r *Reviewer) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.cancel()
	r.work.Wait()
	return nil
}

// Info implements approval.Approver.
func (r *Reviewer) Info() approval.ApproverInfo {
	return approval.ApproverInfo{
		ID: r.o.Name, Name: "Reviewer " + r.o.Name, Source: approval.LLM,
		Description: fmt.Sprintf("the language model %s, which may approve up to %s risk", r.o.Model, r.o.MaxRisk),
	}
}

// Resting reports whether the model is left alone because it failed too often in a row.
// It ends with the first answer after that.
func (r *Reviewer) Resting() bool { return r.breaker.open() }

// Identity returns who decides.
func (r *Reviewer) Identity() string { return "reviewer:" + r.o.Name }

// Webhook implements approval.Approver. A model sends nothing by itself.
func (r *Reviewer) Webhook() http.Handler { return nil }

// Ask implements approval.Approver.
func (r *Reviewer) Ask(_ context.Context, q *approval.Request, decide func(context.Context, string, approval.Answer) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errors.New("the reviewer has ended, and people decide")
	}
	begun := r.o.Now()
	ctx, cancel := context.WithTimeout(r.ctx, min(r.o.Timeout, maxTimeout, max(0, q.Expires.Sub(begun))))
	r.work.Go(func() {
		defer cancel()
		if err := r.settle(ctx, q, decide); err != nil {
			r.o.Failed(fmt.Errorf("reviewer %s: request %s is for people: %w", r.o.Name, q.ID, err))
		}
	})
	return nil
}

// settle judges a request and tells the service.
func (r *Reviewer) settle(ctx context.Context, q *approval.Request, decide func(context.Context, string, approval.Answer) error) error {
	answer := r.Judge(ctx, q)
	ctx = context.WithoutCancel(ctx)
	err := decide(ctx, r.Identity(), answer)
	if answer.Word == "" || !errors.Is(err, approval.ErrDecided) {
		return err
	}
	// Somebody was faster. What the model said is kept, since it was paid for.
	late := *answer.Review
	late.Outcome, late.Why = approval.ReviewPeople, "the request was decided before: "+late.Why
	return decide(ctx, r.Identity(), approval.Answer{Review: &late})
}
