package subscription

import (
	"context"
	"time"
)

// An outcome is what one request came to, as far as the next one depends on
// it.
type outcome struct {
	news    bool          // a bundle was activated
	refused bool          // a whole bundle came and was refused
	held    time.Duration // how long the server took
}

const (
	retryDelay = time.Second            // after the first failure to get an answer
	newsDelay  = 100 * time.Millisecond // between two answers to long polls
)

// Run polls until the context ends, and returns its error. A failure is in
// [Subscription.Health]; the next attempts come at growing intervals.
func (s *Subscription) Run(ctx context.Context) error {
	failures := 0
	for {
		o, err := s.fetch(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		delay := s.delay(o)
		if err != nil {
			delay = s.backOff(o, failures)
			failures++
		} else {
			failures = 0
		}
		if err := s.wait(ctx, delay); err != nil {
			return err
		}
	}
}

// delay is the time to the next request after a success. A server that holds
// requests until there is news is asked again at once.
func (s *Subscription) delay(o outcome) time.Duration {
	c := &s.config
	if c.LongPoll > 0 && (o.news || o.held >= c.LongPoll/2) {
		return newsDelay
	}
	return c.MinDelay + time.Duration(s.random()*float64(c.MaxDelay-c.MinDelay))
}

// backOff doubles with each failure in a row, up to the greatest delay. A
// bundle that was refused will hardly be another one in a second, and it is
// downloaded whole each time.
func (s *Subscription) backOff(o outcome, failures int) time.Duration {
	c := &s.config
	base := retryDelay
	if o.refused {
		base = c.MinDelay
	}
	for range failures {
		if base *= 2; base >= c.MaxDelay {
			break
		}
	}
	base = min(base, c.MaxDelay)
	return base/2 + time.Duration(s.random()*float64(base-base/2))
}

// pause waits, or returns the error of the context that ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
