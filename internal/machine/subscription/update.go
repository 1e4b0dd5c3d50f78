package subscription

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/policyctl/policyctl/pkg/bundle"
)

// update asks the source, and activates what is new.
func (s *Subscription) update(ctx context.Context) (outcome, error) {
	var o outcome
	began := s.config.Now()
	a, err := s.source.get(ctx, s.tag)
	o.held = s.config.Now().Sub(began)
	if err != nil {
		return o, s.fail("request", err)
	}
	if a.unchanged || s.active != nil && digest(a.archive) == s.active.Digest { // some sources know no conditions
		s.contact(a.tag)
		return o, s.keep(ctx, false)
	}
	b, err := s.judge(a.archive, s.config.Now())
	if err != nil {
		o.refused = true
		return o, err
	}
	if err := s.activate(ctx, b); err != nil {
		o.refused = true
		return o, err
	}
	o.news = true
	now := s.config.Now()
	s.commit(b, a.archive, a.tag, Health{Activated: now, Downloaded: now, Contact: now})
	return o, s.keep(ctx, true)
}

func (s *Subscription) activate(ctx context.Context, b *bundle.Bundle) error {
	if err := s.config.Activate(ctx, b); err != nil {
		return s.fail("activate", fmt.Errorf("revision %q: %w; correct the bundle and publish it again", b.Revision, err))
	}
	return nil
}

// commit makes a bundle the active one, with the times of h.
func (s *Subscription) commit(b *bundle.Bundle, archive []byte, tag string, h Health) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.archive, s.tag = b, archive, tag
	s.seen = mark{b.Sequence, b.Digest, b.Content} // judge lets no lower number pass
	h.Name, h.URL, h.Err, h.ErrTime = s.health.Name, s.health.URL, s.health.Err, s.health.ErrTime
	h.Revision, h.Sequence, h.Digest = b.Revision, b.Sequence, b.Digest
	s.health = h
}

func digest(archive []byte) string {
	sum := sha256.Sum256(archive)
	return hex.EncodeToString(sum[:])
}
