package subscription

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// keep stores what is active, and when it was confirmed. An error does not
// change that it is active; the next request tries again. Where a later one
// was seen and could not be activated here, that one stays stored.
func (s *Subscription) keep(ctx context.Context, fresh bool) error {
	if s.store == nil || s.active.Sequence < s.seen.highest {
		return nil
	}
	if err := s.store.save(ctx, s.record(), s.archive, fresh); err != nil {
		return s.fail("keep", fmt.Errorf("%w; a restart without the server would find an older bundle or none", err))
	}
	return nil
}

func (s *Subscription) record() record {
	return record{
		Source:     s.address.id(),
		ETag:       s.tag,
		Highest:    s.active.Sequence,
		Digest:     s.active.Digest,
		Content:    s.active.Content,
		Revision:   s.active.Revision,
		Activated:  s.health.Activated.UTC(),
		Downloaded: s.health.Downloaded.UTC(),
		Contact:    s.health.Contact.UTC(),
	}
}

// adopt activates the bundle in the store if it is newer than the active one:
// after a start, and where another process fetched it. The error is
// [fs.ErrNotExist] where there is none.
func (s *Subscription) adopt(ctx context.Context) error {
	if s.store == nil {
		s.known = true
		return s.fail("restore", fmt.Errorf("no directory is configured to keep it in: %w", fs.ErrNotExist))
	}
	r, archive, err := s.store.load(ctx, s.wants)
	s.known = s.known || r != nil || err == nil || errors.Is(err, errForgotten)
	if r != nil {
		s.see(r)
	}
	switch {
	case err != nil:
		return s.fail("restore", err)
	case r == nil:
		return s.fail("restore", fmt.Errorf("none is kept in %s: %w", s.store.dir, fs.ErrNotExist))
	case archive == nil:
		return nil // the active one is as new
	}
	return s.restore(ctx, r, archive)
}

// wants reports whether the bundle of a record is to replace the active one.
func (s *Subscription) wants(r *record) bool {
	if s.active == nil {
		return true
	}
	own := s.record()
	return r.newer(&own)
}

type keptKey struct{}

// Kept says of the context of [Config.Activate] whether the bundle was kept on
// disk, and so was activated before, by this program or another.
func Kept(ctx context.Context) bool { return ctx.Value(keptKey{}) != nil }

func (s *Subscription) restore(ctx context.Context, r *record, archive []byte) error {
	if digest(archive) != r.Digest {
		return s.fail("restore", fmt.Errorf("%s was changed after it was kept: look for who can write there", s.store.archive(r.Digest)))
	}
	at := s.config.Now()
	if s.config.RestoreExpired {
		at = time.Time{}
	}
	b, err := s.judge(archive, at)
	if err != nil {
		return fmt.Errorf("the kept bundle: %w", err)
	}
	if err := s.activate(context.WithValue(ctx, keptKey{}, true), b); err != nil {
		return fmt.Errorf("the kept bundle: %w", err)
	}
	tag := r.ETag
	if r.Source != s.address.id() {
		tag = "" // it means nothing to this server
	}
	s.commit(b, archive, tag, Health{Activated: s.config.Now(), Downloaded: r.Downloaded, Contact: r.Contact, Restored: true})
	return nil
}
