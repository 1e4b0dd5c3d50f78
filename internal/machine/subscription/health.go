package subscription

import (
	"context"
	"errors"
	"time"

	"github.com/policyctl/policyctl/pkg/bundle"
)

// Health says how a subscription is. Where Revision and Digest are empty no
// bundle is active.
type Health struct {
	Name     string
	URL      string // without credentials
	Revision string // of the active bundle
	Sequence uint64
	Digest   string

	Activated  time.Time // by this process
	Downloaded time.Time // from the source, perhaps by another process
	Contact    time.Time // the last accepted bundle or answer that there is no newer one

	Err      error     // of the last attempt; nil where that succeeded
	ErrTime  time.Time // of the last failure, also of one that is over
	Restored bool      // the active bundle was read from Config.Dir
	Stale    bool      // the last contact is older than Config.MaxAge, in the future, or there was none
	Expired  bool      // the active bundle has expired since
}

// skew is how far a contact may lie in the future before the clock is not
// believed.
const skew = time.Minute

// Health returns how the subscription is now. It never waits for a request.
func (s *Subscription) Health() Health {
	now := s.config.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.health
	age := now.Sub(h.Contact)
	h.Stale = s.config.MaxAge > 0 && (age > s.config.MaxAge || age < -skew) // no contact is long ago
	h.Expired = s.active != nil && errors.Is(s.active.Check(now, 0), bundle.ErrExpired)
	return h
}

// note records how an attempt ended. Being stopped is no failure.
func (s *Subscription) note(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	now := s.config.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.health.Err = err
	if err != nil {
		s.health.ErrTime = now
	}
	return err
}

// contact records that the source confirmed the active bundle.
func (s *Subscription) contact(tag string) {
	now := s.config.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tag = tag
	s.health.Contact = now
}
