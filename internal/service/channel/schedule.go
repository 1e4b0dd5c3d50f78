package channel

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/support/sleep"
)

// The bounds of what is on its way.
const (
	// maxInFlight is how much one channel sends at once.
	maxInFlight = 4
	// manyFailures in a row make a channel one that is down.
	manyFailures = 3
	maxBackoff   = time.Minute
	maxPause     = time.Hour
)

// schedule begins to send what is due and may be sent, in order. It returns how long
// nothing else will be.
func (d *Dispatcher) schedule(ctx context.Context) (time.Duration, error) {
	open, err := d.o.Store.Deliveries(ctx, Filter{})
	if err != nil {
		return 0, err
	}
	now, next := d.o.Now(), maxSleep
	hastened := make(map[string][]string) // the channels that are used at once, by request
	for i := range open {
		v := &open[i]
		l := d.lines[v.Channel]
		if v.State != Due || l == nil || v.About == AboutOutcome && unsettled(open, v) {
			continue
		}
		at := v.Next
		if v.About.asks() && v.Tries == 0 && at.After(now) {
			if _, known := hastened[v.Request]; !known {
				if hastened[v.Request], err = d.hasten(ctx, v.Request, now); err != nil {
					return 0, err
				}
			}
			if slices.Contains(hastened[v.Request], v.Channel) {
				at = now
			}
		}
		if wait := later(at, l.pausedUntil()).Sub(now); wait > 0 {
			next = min(next, wait)
			continue
		}
		d.begin(ctx, l, *v)
	}
	return max(next, time.Millisecond), nil
}

// unsettled reports whether the ask of an outcome may still be sent.
func unsettled(open []Delivery, outcome *Delivery) bool {
	return slices.ContainsFunc(open, func(v Delivery) bool {
		return v.About.asks() && v.Request == outcome.Request && v.Channel == outcome.Channel
	})
}

// hasten returns the channels that are told of a request before their time, since one that
// comes before them cannot be relied on.
func (d *Dispatcher) hasten(ctx context.Context, request string, now time.Time) (list []string, err error) {
	all, err := d.o.Store.Deliveries(ctx, Filter{Request: request})
	if err != nil {
		return nil, err
	}
	tiers := make(map[time.Duration][]*Delivery)
	var order []time.Duration
	var latest About // what was asked before tells nothing of now
	for i := range all {
		if all[i].About.asks() {
			latest = all[i].About
		}
	}
	for i := range all {
		v := &all[i]
		l := d.lines[v.Channel]
		if l == nil || v.About != latest {
			continue
		}
		if tiers[l.After] == nil {
			order = append(order, l.After)
		}
		tiers[l.After] = append(tiers[l.After], v)
	}
	slices.Sort(order)
	var used, troubled bool // of the tier before
	for _, after := range order {
		tier := tiers[after]
		reached := slices.ContainsFunc(tier, func(v *Delivery) bool { return v.State != Due || v.Tries > 0 || !v.Next.After(now) })
		if used && troubled && !reached {
			for _, v := range tier {
				list = append(list, v.Channel)
			}
			reached = true
		}
		used, troubled = reached, slices.ContainsFunc(tier, d.troubled)
	}
	return list, nil
}

// troubled reports whether an ask cannot be relied on to arrive.
func (d *Dispatcher) troubled(v *Delivery) bool {
	switch v.State {
	case Failed, Uncertain:
		return true
	case Due:
		return v.Tries >= manyFailures || d.lines[v.Channel].down() != ""
	}
	return false
}

// begin sends a delivery, unless something of its request is on its way by the same
// channel, or too much is.
func (d *Dispatcher) begin(ctx context.Context, l *line, v Delivery) {
	key := [2]string{v.Request, v.Channel}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.flying[key] || !l.takeOff() {
		return // it is looked at again when what is on its way has arrived
	}
	d.flying[key] = true
	d.work.Go(func() {
		d.deliver(ctx, l, v)
		d.mu.Lock()
		delete(d.flying, key)
		d.mu.Unlock()
		l.land()
		d.Wake()
	})
}

// deliver sends one delivery and stores what came of it.
func (d *Dispatcher) deliver(ctx context.Context, l *line, v Delivery) {
	send := d.ask
	if v.About == AboutOutcome {
		send = d.outcome
	}
	if err := send(ctx, l, v); err != nil && ctx.Err() == nil {
		d.o.Log.ErrorContext(ctx, "what a channel is told cannot be stored, and is tried again", "channel", l.Name, "request", v.Request, "error", err)
		sleep.For(ctx, storeSleep)
	}
}

// backoff is how long to wait after a number of tries: twice as long each time, and a
// random quarter more or less, so that channels do not come back in step.
func (d *Dispatcher) backoff(tries int) time.Duration {
	wait := min(d.o.Retry<<min(tries, 10), maxBackoff)
	return wait*3/4 + rand.N(wait/2+1)
}

// stored stores a change with the time, also where the service is about to end: what was
// sent is sent.
func (d *Dispatcher) stored(ctx context.Context, v Delivery, was State, tokens ...Token) (bool, error) {
	v.Changed = d.o.Now()
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer stop()
	return d.o.Store.ChangeDelivery(ctx, Change{Delivery: v, Was: was, Tokens: tokens})
}

const storeTime = 5 * time.Second

// keep stores what came of sending, however long the store fails: what nobody knows is
// neither sent again nor changed.
func (d *Dispatcher) keep(ctx context.Context, v Delivery) error {
	for {
		_, err := d.stored(ctx, v, Sending)
		if err == nil || !sleep.For(ctx, storeSleep) {
			return err
		}
		d.o.Log.ErrorContext(ctx, "it is not stored yet what came of a message of a channel", "channel", v.Channel, "request", v.Request, "error", err)
	}
}

// over stores that there is nothing to tell any more.
func (d *Dispatcher) over(ctx context.Context, v Delivery) error {
	v.State = Over
	_, err := d.stored(ctx, v, Due)
	return err
}
