package subscription

import (
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/pkg/bundle"
)

// A mark is the highest sequence number of a bundle that was active, and the
// digests of that bundle: content does not count the signature, and is "" where
// an older version kept the mark.
type mark struct {
	highest         uint64
	digest, content string
}

// tells reports whether a bundle with the number of the mark is another one.
func (m mark) tells(b *bundle.Bundle) bool {
	return b.Digest != m.digest && (b.Content == "" || b.Content != m.content)
}

// steps names the step that each kind of error of pkg/bundle belongs to. The
// errors themselves say what to do.
var steps = []struct {
	kind error
	name string
}{
	{bundle.ErrTooLarge, "limits"},
	{bundle.ErrUnsigned, "signature"},
	{bundle.ErrSignature, "signature"},
	{bundle.ErrMalformed, "format"},
	{bundle.ErrExpired, "expiry"},
	{bundle.ErrReplayed, "sequence"},
}

// judge reads an archive: limits, signature, expiry and sequence, in that
// order. A number that was seen with another content is refused, too; only the
// signature may be another. Bundles without numbers are not protected against a
// replay. now is when it is to count; for the zero time none has expired.
func (s *Subscription) judge(archive []byte, now time.Time) (*bundle.Bundle, error) {
	b, err := bundle.Read(archive, s.config.Verification, s.config.Limits)
	if err == nil {
		err = b.Check(now, s.seen.highest)
	}
	if err == nil && b.Sequence > 0 && b.Sequence == s.seen.highest && s.seen.tells(b) {
		err = fmt.Errorf("%w: revision %q has sequence %d, which was seen with another content; publish it with a higher sequence",
			bundle.ErrReplayed, b.Revision, b.Sequence)
	}
	if err == nil {
		return b, nil
	}
	for _, step := range steps {
		if errors.Is(err, step.kind) {
			return nil, s.fail(step.name, err)
		}
	}
	return nil, s.fail("keys", err)
}

// see remembers what a record says was seen.
func (s *Subscription) see(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Highest > s.seen.highest || s.seen.digest == "" {
		s.seen = mark{r.Highest, r.Digest, r.Content}
	}
	if s.active != nil && r.Digest == s.active.Digest && r.Source == s.address.id() && r.Contact.After(s.health.Contact) {
		s.health.Contact = r.Contact // by another process
	}
}

// fail says from where an error is, at which step, and what is active in spite
// of it. Who subscribes knows the name.
func (s *Subscription) fail(step string, err error) error {
	rest := ""
	if s.active != nil {
		rest = fmt.Sprintf("; revision %q stays active", s.active.Revision)
	}
	return fmt.Errorf("%s: %s: %w%s", s.address.shown, step, err, rest)
}
