// Package subscription keeps a bundle current: it asks a server, as OPA does,
// or a file for a newer one, verifies it, has it activated and keeps it on
// disk. Whatever fails, the last good bundle stays active; one older than was
// active before is refused, also after a restart. OPA's own downloader is not
// used: it parses before the whole archive is held to limits, cannot drop a
// condition once sent, and polls a server that holds nothing without a pause.
// The package compiles nothing, decides nothing and knows no policy.
package subscription

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/bundle"
)

// A Subscription keeps one bundle current. It is safe for concurrent use;
// its bundles are activated one after the other.
type Subscription struct {
	config  Config
	address address
	source  source
	store   *store        // nil: nothing is kept
	busy    chan struct{} // holds one token while someone works

	wait   func(context.Context, time.Duration) error
	random func() float64

	// What follows is written by the one who is busy, under mu, and read by
	// Health under mu.
	mu      sync.Mutex
	health  Health
	active  *bundle.Bundle
	archive []byte // of active
	tag     string // the condition that the source gave with active
	seen    mark
	known   bool // what the store has seen is in seen
}

// New checks a configuration. It opens no file and asks no server.
func New(c Config) (*Subscription, error) {
	at, err := c.complete()
	if err != nil {
		return nil, fmt.Errorf("subscription %q: %w", c.Name, err)
	}
	s := &Subscription{
		config:  c,
		address: at,
		busy:    make(chan struct{}, 1),
		wait:    pause,
		random:  rand.Float64,
		health:  Health{Name: c.Name, URL: at.shown},
	}
	if at.path != "" {
		s.source = &fileSource{at.path, c.archiveLimit(), c.Now, plainfile.Open}
	} else {
		s.source = newServer(c, at)
	}
	if c.Dir != "" {
		s.store = newStore(c.Dir, c.Name, c.archiveLimit())
	}
	return s, nil
}

// Restore activates the bundle kept in [Config.Dir], after the same checks as
// one from the server. The error is [fs.ErrNotExist] where none is kept. One
// that has expired since is refused, but for [Config.RestoreExpired].
func (s *Subscription) Restore(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.end()
	err := s.adopt(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return err // nothing failed
	}
	return s.note(ctx, err)
}

// Fetch asks once for a newer bundle and activates it. It returns nil, too,
// where there is none. An error says which step failed; where that is the
// keeping of the bundle, the bundle is active nevertheless. A newer bundle
// that another process kept in [Config.Dir] is activated first.
func (s *Subscription) Fetch(ctx context.Context) error {
	_, err := s.fetch(ctx)
	return err
}

func (s *Subscription) fetch(ctx context.Context) (outcome, error) {
	if err := s.begin(ctx); err != nil {
		return outcome{}, err
	}
	defer s.end()
	kept := s.adopt(ctx)
	if !s.known { // a replay could not be told from news
		return outcome{}, s.note(ctx, kept)
	}
	if errors.Is(kept, fs.ErrNotExist) {
		kept = nil
	}
	o, err := s.update(ctx)
	return o, s.note(ctx, errors.Join(kept, err))
}

// begin waits for whoever else is at work.
func (s *Subscription) begin(ctx context.Context) error {
	select {
	case s.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Subscription) end() { <-s.busy }
