package guard

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/pkg/policy"
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
		g.logged = append(g.logged, err)
	case <-time.After(logTime):
		g.logging = append(g.logging, done)
	}
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
	errs := g.logged
	for _, done := range g.logging {
		select {
		case err := <-done:
			errs = append(errs, err)
		case <-ctx.Done():
			errs = append(errs, fmt.Errorf("the disk takes too long: %w", ctx.Err()))
		}
	}
	g.logged, g.logging = nil, nil
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("the decision log lost this decision: %w", err)
	}
	return nil
}
