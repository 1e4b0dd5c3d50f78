package guard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/machine/collector"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// logTime is how long a decision waits until it is logged, before it is told.
const logTime = time.Millisecond

// log adds a decision to the spool of each bundle whose subscription has a
// collector. [Guard.Settle] waits for what takes longer than logTime.
func (g *Guard) log(loaded *layers.Policy, call *policy.Call, v *policy.Verdict, took time.Duration) {
	var spools []*spool.Spool
	for i := range loaded.Loaded.Bundles {
		if b := &loaded.Loaded.Bundles[i]; b.LogURL != "" {
			spools = append(spools, spool.Of(g.Place.State, b.Name))
		}
	}
	if len(spools) == 0 {
		return
	}
	copied := *v
	e := spool.Event{Call: call, Verdict: &copied, Bundles: map[string]string{}, Time: g.Now(), Took: took}
	for _, b := range v.Bundles {
		e.Bundles[b.Name] = b.Revision
	}
	done := make(chan error, 1)
	go func() { done <- add(e, g.Place.State, spools) }()
	select {
	case err := <-done:
		g.mu.Lock()
		defer g.mu.Unlock()
		g.logged = append(g.logged, err)
	case <-time.After(logTime):
		g.awaits(done)
	}
}

// A judgment is how an event was decided.
type judgment struct {
	engine *policy.Engine
	call   policy.Call
	took   time.Duration
}

// Told puts on record what an agent was told about a call; it is the Told of a
// [hook.Host]. Nobody waits for it but [Guard.Settle].
func (g *Guard) Told(e *hook.Event, told hook.Outcome) {
	if !recorded(e) {
		return
	}
	o := policy.Outcome{Call: e.Call, Verdict: told.Verdict, Time: g.Now()}
	j := g.judged.Load()
	if j != nil {
		o.Call, o.Took = j.call, j.took
	}
	if told.Verdict.Decision == policy.Allow && (j == nil || !j.engine.Records(policy.Allow)) {
		return
	}
	from := trail.From{Actor: fmt.Sprintf("uid:%d", os.Getuid()), Via: "hook", By: told.By, Request: told.Request, Receipt: told.Receipt, ID: e.Record}
	done := make(chan error, 1)
	g.awaits(done)
	go func() { done <- record(from, &o, spool.Verdicts(g.Place.State)) }()
}

// recorded reports whether the decision of an event is put on record: one that repeats the
// question about a call is no decision of its own.
func recorded(e *hook.Event) bool { return !e.Follows || e.DialogFirst }

// awaits has Settle wait for something.
func (g *Guard) awaits(done <-chan error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.logging = append(g.logging, done)
}

// record adds a decision to a spool. A full one is no error here: it counts what
// it loses.
func record(from trail.From, o *policy.Outcome, into *spool.Spool) error {
	e := trail.Entry(from, o)
	err := collector.Put(into, &e)
	if errors.Is(err, spool.ErrFull) {
		return nil
	}
	return err
}

func add(e spool.Event, state string, spools []*spool.Spool) error {
	encoder := spool.Encoder{Labels: spool.Labels(state)}
	data, err := encoder.Encode(&e)
	for _, s := range spools {
		if data != nil {
			err = errors.Join(err, s.Add(data))
		}
	}
	return err
}

// Settle waits until the decisions are logged. The error says which are not.
func (g *Guard) Settle(ctx context.Context) error {
	g.mu.Lock()
	errs, logging := g.logged, g.logging
	g.logged, g.logging = nil, nil
	g.mu.Unlock()
	for _, done := range logging {
		select {
		case err := <-done:
			errs = append(errs, err)
		case <-ctx.Done():
			errs = append(errs, fmt.Errorf("the disk takes too long: %w", ctx.Err()))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("this decision is missing in a log: %w", err)
	}
	return nil
}
