// Package collector puts the decisions of a machine into their spool, takes them out
// and hands them to who records them: a database, or a service elsewhere.
//
// What is not recorded stays and is offered again. Each decision has a position,
// which whoever records it remembers with it, so that none is recorded twice,
// whatever is killed in between. What can never be recorded is counted as
// rejected. The package knows no network and no database.
package collector

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A Keep records a batch, all or none of it, and returns how far it has the source
// of the batch. An error that is [Refused] says that the batch will never be
// recorded as it is; after another one it is offered again.
type Keep func(ctx context.Context, b trail.Batch) (position int64, err error)

// A Refused is the error of a batch that is refused for good.
type Refused struct{ Err error }

// Error says why.
func (r *Refused) Error() string { return r.Err.Error() }

// Unwrap returns why.
func (r *Refused) Unwrap() error { return r.Err }

// A Tally counts decisions: those that are recorded now, and those that never will
// be.
type Tally struct{ Recorded, Rejected int }

// The bounds of a batch, and of how often the identity of a spool is renewed in one
// turn.
const (
	maxBytes  = 1 << 20
	maxRenews = 3
)

// Put adds the entry of a decision to a spool.
func Put(s *spool.Spool, e *audit.Entry) error {
	line, err := trail.Encode(e)
	if err != nil {
		return err
	}
	return s.Add(line)
}

// Drain hands over all decisions that are in a spool. The error says why the rest
// stays; it is [spool.ErrBusy] where another process drains the spool.
func Drain(ctx context.Context, s *spool.Spool, keep Keep) (Tally, error) {
	d := drain{keep: keep, spool: s, most: trail.MaxBatch}
	var err error
	if d.turn, err = s.Ship(); err != nil {
		return d.tally, err
	}
	err = d.run(ctx)
	return d.tally, errors.Join(err, d.turn.Close())
}

// A drain is one turn.
type drain struct {
	keep  Keep
	spool *spool.Spool
	turn  *spool.Shipment
	// most is how many entries a batch may have.
	most   int
	renews int
	tally  Tally
}

func (d *drain) run(ctx context.Context) error {
	for {
		lines, err := d.turn.Next()
		if err != nil || len(lines) == 0 {
			return err
		}
		for len(lines) > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			n, err := d.step(ctx, lines)
			if err != nil {
				return err
			}
			if n < 0 {
				break // the identity of the spool is another one
			}
			lines = lines[n:]
		}
	}
}

// step hands over some of the lines, and returns how many are done; -1 says that
// all are to be read again.
func (d *drain) step(ctx context.Context, lines [][]byte) (int, error) {
	b, bad := d.batch(lines)
	if bad > 0 {
		d.tally.Rejected += bad
		return bad, d.turn.Reject(bad)
	}
	at, err := d.keep(ctx, b)
	n := len(b.Entries)
	var refused *Refused
	switch {
	case errors.As(err, &refused) && n > 1: // perhaps for one of them
		d.most = n / 2
		return 0, nil
	case errors.As(err, &refused):
		d.most = trail.MaxBatch
		d.tally.Rejected++
		return 1, d.turn.Reject(1)
	case err != nil:
		return 0, err
	case at < b.Entries[n-1].Position:
		return 0, fmt.Errorf("the log says that it has the decisions up to %d after it took those up to %d", at, b.Entries[n-1].Position)
	}
	foreign, err := d.turn.Foreign(at)
	if err != nil {
		return 0, err
	}
	if foreign {
		if d.renews++; d.renews > maxRenews {
			return 0, fmt.Errorf("the log says that it has the decisions up to %d of a spool that it cannot know", at)
		}
		return -1, d.turn.Renew()
	}
	d.most = min(trail.MaxBatch, 2*d.most)
	d.tally.Recorded += n
	return n, d.turn.Done(n)
}

// batch returns the entries with which the lines begin, as many as a batch may
// have; bad is how many lines they begin with that are none.
func (d *drain) batch(lines [][]byte) (b trail.Batch, bad int) {
	b.Source = d.spool.ID()
	places := d.turn.Positions()
	size := 0
	for i, line := range lines {
		if size += len(line); i > 0 && size > maxBytes || i == d.most {
			break
		}
		e, err := trail.Decode(line)
		switch {
		case err == nil && bad == 0:
			b.Entries = append(b.Entries, trail.Placed{Position: places[i], Entry: e})
			continue
		case err != nil && i == bad:
			bad++
			continue
		}
		break
	}
	return b, bad
}

// The times between two turns of [Follow]: after one that went well, and at most
// after failures, with each of which the time doubles.
const (
	every   = time.Second
	longest = 5 * time.Minute
)

// Follow drains a spool again and again until the context ends. tell hears of each
// failure that differs from the one before, and of nil after the last one.
func Follow(ctx context.Context, s *spool.Spool, keep Keep, tell func(error)) {
	last, wait := "", every
	for {
		_, err := Drain(ctx, s, keep)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil, errors.Is(err, spool.ErrBusy):
			if wait = every; last != "" {
				last = ""
				tell(nil)
			}
		default:
			if wait = min(2*wait, longest); err.Error() != last {
				last = err.Error()
				tell(err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait - rand.N(wait/4)): // not all at once
		}
	}
}
