package desk

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/learn"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A learnt is what people's answers support, of the last Of calls that were asked
// about. Why says why there is nothing.
type learnt struct {
	Suggested []suggestion
	Of        int
	Why       string
}

// A suggestion is a permission, and how many of the calls it would have answered.
type suggestion struct {
	learn.Proposal
	Total int
}

// Bounds of the search for suggestions: the calls that it looks at, how long it may
// take, and how long a page waits for it. Each permission is tried on all that is
// dangerous, which costs tenths of a second.
const (
	maxLearnt  = 300
	learnTime  = 30 * time.Second
	learnPause = 30 * time.Millisecond
)

// A lesson is the search for suggestions: one at a time, and what came of the last.
// The zero value is ready.
type lesson struct {
	mu      sync.Mutex
	of      string // what the result is of
	result  *learnt
	running chan struct{} // closed when the one that runs ends; nil for none
}

// learn returns the suggestions of the last calls, nil while they are looked for.
func (d *Desk) learn(x *route.Exchange) (*learnt, error) {
	if x.Policy == nil {
		return &learnt{Why: "This service does not know how to try a permission."}, nil
	}
	list, err := x.Service.List(x.Context(), approval.Filter{Limit: maxLearnt})
	if err != nil {
		return nil, err
	}
	force, engine := x.Policy(), x.Decider.Engine()
	of := engine.Revision()
	for _, r := range list {
		of += fmt.Sprint(" ", r.ID, r.State)
	}
	calls := recorded(list)
	o := learn.Options{Policy: replay.Policy{Engine: engine}, Tools: force.Tools, With: func(p ...policy.Permission) (replay.Policy, error) {
		with, err := force.With(p...)
		return replay.Policy{Engine: with}, err
	}}
	select {
	case <-d.lesson.begin(of, func(ctx context.Context) *learnt { return propose(ctx, calls, o) }):
	case <-time.After(learnPause):
	}
	return d.lesson.get(of), nil
}

// begin searches unless the result is there or another search runs, and returns what
// is closed at its end.
func (l *lesson) begin(of string, search func(context.Context) *learnt) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running != nil {
		return l.running
	}
	done := make(chan struct{})
	if l.of == of && l.result != nil {
		close(done)
		return done
	}
	l.running = done
	go func() {
		ctx, stop := context.WithTimeout(context.Background(), learnTime)
		defer stop()
		found := search(ctx)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.of, l.result, l.running = of, found, nil
		close(done)
	}()
	return done
}

// get returns the result of a search, nil where it is not there.
func (l *lesson) get(of string) *learnt {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of != of {
		return nil
	}
	return l.result
}

func propose(ctx context.Context, calls []replay.Recorded, o learn.Options) *learnt {
	out := &learnt{Of: len(calls)}
	found, _, err := learn.Propose(ctx, calls, o)
	for _, f := range found {
		out.Suggested = append(out.Suggested, suggestion{f, f.Answers + f.Also})
	}
	switch {
	case ctx.Err() != nil:
		out.Suggested, out.Why = nil, "There is too much to look at: policyctl learn takes its time."
	case err != nil:
		out.Suggested, out.Why = nil, "They cannot be looked for: "+err.Error()
	case len(found) == 0:
		out.Why = "None is supported by three answers that are alike and none that is not."
	}
	return out
}

// recorded returns calls with what people answered, the oldest first.
func recorded(list []*approval.Request) (calls []replay.Recorded) {
	for _, r := range slices.Backward(list) {
		c, err := policy.DecodeCall(r.Call)
		if len(r.Call) == 0 || err != nil {
			continue
		}
		one := replay.Recorded{Call: c, Sample: replay.Sample{At: r.ID, Text: approval.TitleOf(c)}}
		if d := r.Decision; d != nil && d.Source == approval.Human {
			one.Answer = replay.Denied
			if d.Word.Approves() {
				one.Answer = replay.Approved
			}
		}
		calls = append(calls, one)
	}
	return calls
}
