package reviewer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/service/reviewer/wire"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Judge asks the model about a request, until ctx is done, and returns what the
// reviewer answers. An answer without a word leaves the request to people.
func (r *Reviewer) Judge(ctx context.Context, q *approval.Request) approval.Answer {
	begun := time.Now()
	v := &approval.Review{By: r.Identity(), At: r.o.Now(), Outcome: approval.ReviewPeople}
	r.judge(ctx, q, v)
	v.Latency = time.Since(begun).Milliseconds()
	v.Cost = r.o.Prices.Cost(v.In, v.Out, v.CachedIn)
	a := approval.Answer{Review: v}
	switch v.Outcome {
	case approval.ReviewApproved:
		a.Word = approval.ApprovedOnce
	case approval.ReviewDenied:
		a.Word = approval.Rejected
		a.Reason = "the reviewer " + r.o.Name + " denied it: " + cmp.Or(v.Rationale, v.Why)
	}
	return a
}

// judge fills in a review.
func (r *Reviewer) judge(ctx context.Context, q *approval.Request, v *approval.Review) {
	f, p, err := r.look(ctx, q)
	if err != nil {
		v.Why = err.Error()
		return
	}
	model := cmp.Or(q.Asked.Model, r.o.Model)
	key, err := r.keyOf(q, f, model)
	if err != nil {
		v.Why = err.Error()
		return
	}
	life := time.Duration(q.Asked.Review.CacheTTL)
	if known, ok := r.cache.get(key, life, r.o.Now()); ok {
		v.Cached, v.Model = true, known.model
		r.conclude(&known.verdict, f, p, v)
		return
	}
	v.Model = model
	said, err := r.ask(ctx, p, v)
	if err != nil {
		r.unanswered(q, f, v, err)
		return
	}
	r.conclude(&said, f, p, v)
	if v.Outcome != approval.ReviewApproved {
		return
	}
	now, _, err := r.look(ctx, q) // a model takes its time
	switch {
	case err != nil:
		v.Outcome, v.Why = approval.ReviewPeople, err.Error()
	case now.Revision != f.Revision:
		v.Outcome, v.Why = approval.ReviewPeople, "the policy has changed while the model was asked"
	default:
		r.cache.put(key, life, cached{said, v.Model, r.o.Now()})
	}
}

// look returns what is known of a request, or says why a model is not asked about it.
func (r *Reviewer) look(ctx context.Context, q *approval.Request) (*Facts, *prompt, error) {
	if q.Asked.Review == nil || q.Asked.EveryTime {
		return nil, nil, errors.New("the policy leaves it to people")
	}
	f, err := r.o.Look(ctx, q)
	if err != nil {
		return nil, nil, fmt.Errorf("the call cannot be judged: %w", err)
	}
	if f.People != "" {
		return nil, nil, errors.New(f.People)
	}
	p, err := promptOf(q, f)
	return f, p, err
}

// conclude says what scores mean.
func (r *Reviewer) conclude(said *verdict, f *Facts, p *prompt, v *approval.Review) {
	v.Authorization, v.Quote, v.Rationale = said.authorization.String(), said.quote, said.rationale
	risk := raised(said.risk, f.Risk)
	v.Risk = risk.String()
	authorization := said.authorization
	if !p.heard { // a model may imagine a user
		authorization, v.Authorization = Unknown, Unknown.String()
	}
	v.Outcome, v.Why = outcomeOf(risk, authorization, r.o.MaxRisk)
	if risk != said.risk {
		v.Why = fmt.Sprintf("the model says %s and the policy %s: %s", said.risk, cmp.Or(f.Risk, "nothing"), v.Why)
	}
	if v.Outcome == approval.ReviewApproved && p.masked > 0 {
		v.Outcome, v.Why = approval.ReviewPeople, "secrets are masked in the call, and the model approves nothing that it has not seen"
	}
}

// ask asks the model, and once more where its answer has not the form.
func (r *Reviewer) ask(ctx context.Context, p *prompt, v *approval.Review) (said verdict, err error) {
	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-ctx.Done():
		return said, errors.New("too many calls wait for it")
	}
	done, err := r.breaker.enter()
	if err != nil {
		return said, err
	}
	defer func() { done(err == nil) }()
	question := &wire.Question{
		Model: v.Model, System: system, Turns: []wire.Turn{{Text: p.text}}, Schema: schema, MaxTokens: r.o.MaxTokens,
	}
	text, err := r.send(ctx, question, v)
	if err != nil {
		return said, err
	}
	if said, err = p.read(text); err == nil {
		return said, nil
	}
	question.Turns = append(question.Turns, wire.Turn{Model: true, Text: text}, wire.Turn{
		Text: "That is not an answer: " + err.Error() + ". Answer with the JSON object and nothing else.",
	})
	if len(text) > maxAnswer {
		question.Turns[1].Text = "…"
	}
	if text, err = r.send(ctx, question, v); err != nil {
		return said, err
	}
	if said, err = p.read(text); err != nil {
		return said, &wire.NoAnswer{Why: "its answer has not the form, twice: " + err.Error()}
	}
	return said, nil
}

// read reads an answer about the call of a prompt.
func (p *prompt) read(text string) (verdict, error) {
	said, err := read(text)
	if err == nil {
		err = checkQuote(said.quote, p.texts)
	}
	return said, err
}

// retryPause is how long a server is left alone that is busy and does not say how long
// it wants to be.
const retryPause = 500 * time.Millisecond

// send sends a question, and once more where the server is busy and there is time.
func (r *Reviewer) send(ctx context.Context, q *wire.Question, v *approval.Review) (string, error) {
	a, err := r.o.Asker.Ask(ctx, q)
	if busy, ok := errors.AsType[*wire.StatusError](err); ok && (busy.Code == 429 || busy.Code >= 500) {
		pause := cmp.Or(busy.After, retryPause)
		if end, ok := ctx.Deadline(); !ok || time.Until(end) > 2*pause {
			select {
			case <-time.After(pause):
				a, err = r.o.Asker.Ask(ctx, q)
			case <-ctx.Done():
			}
		}
	}
	v.In, v.Out, v.CachedIn = v.In+a.In, v.Out+a.Out, v.CachedIn+a.Cached
	if a.Model != "" {
		v.Model = a.Model
	}
	if _, broke := errors.AsType[*wire.ConnectionError](err); broke && ctx.Err() != nil {
		err = &wire.ConnectionError{Err: fmt.Errorf("it did not answer in time: %w", ctx.Err())}
	}
	return a.Text, err
}

// unanswered says what becomes of a request about which the model gave no verdict.
func (r *Reviewer) unanswered(q *approval.Request, f *Facts, v *approval.Review, err error) {
	v.Why = "the model gave no verdict: " + err.Error()
	switch {
	case !q.Asked.Review.FailClosed && r.unreachable(err) && r.mayPass(f):
		v.Outcome, v.Why = approval.ReviewApproved, "the rule says fail_closed: false, and "+v.Why
	case r.o.OnError == ToDeny && r.ctx.Err() == nil:
		v.Outcome = approval.ReviewDenied
	}
}

// unreachable reports whether an error is one of the way to the model. What a call can
// bring about, such as a refusal, is none, and neither is a model that is left alone.
func (r *Reviewer) unreachable(err error) bool {
	if r.ctx.Err() != nil {
		return false
	}
	if status, ok := errors.AsType[*wire.StatusError](err); ok {
		return status.Code == 429 || status.Code >= 500
	}
	_, ok := errors.AsType[*wire.ConnectionError](err)
	return ok
}

// mayPass reports whether a call is harmless enough, by what the policy says alone, to
// run without a verdict where the rule wants that.
func (r *Reviewer) mayPass(f *Facts) bool { return raised(Low, f.Risk) <= r.o.MaxRisk }
