package forms

import (
	"encoding/json"
	"errors"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
)

// A latest revision is the newest that root has activated of a subscription of
// the organisation. It stands beside the forms that root keeps for everybody,
// so that nothing in the state of a person, which that person can write, puts
// an older revision in its place or ends what it denies.
type latest struct {
	Digest   string `json:"digest"`
	Sequence uint64 `json:"sequence"`
	// Source is the binding, see [Client.binding].
	Source string `json:"source"`
}

const latestEnd = ".latest"

// latest returns what root has activated of a subscription, as it is bound now.
func (c *Client) latest(source *config.BundleSource, owner int, binding string) (l latest, ok bool) {
	if source.Origin.Layer != config.Managed {
		return l, false
	}
	data := c.store.read(c.store.managed(), source.Name+latestEnd, owner)
	if data == nil || json.Unmarshal(data, &l) != nil {
		return l, false
	}
	return l, l.Source == binding
}

// keepLatest notes a revision that was activated, where the process may.
func (c *Client) keepLatest(source *config.BundleSource, owner int, l latest) {
	if source.Origin.Layer != config.Managed {
		return
	}
	if was, ok := c.latest(source, owner, l.Source); ok && was == l {
		return
	}
	data, _ := json.Marshal(l) // texts and a number
	c.store.write(c.store.managed(), source.Name+latestEnd, owner, data)
}

// Why what root keeps counts only where it tightens.
var (
	errExpired = errors.New("its revision in /etc/policyctl/forms has expired: have a newer one published")
	errContact = errors.New("max_age cannot be told, because the state of this user knows no contact to its server: run policyctl bundle sync")
	errBehind  = errors.New("what the state of this user keeps is older than what root keeps, or cannot be used: run policyctl bundle sync")
)

// OfRoot returns what root keeps of a subscription of the organisation, which
// counts where it tightens: its Err says why no more. It is nil where there is
// nothing, or where a revision with a sequence is as new.
func (c *Client) OfRoot(source *config.BundleSource, sequence uint64, have bool) *layers.Bundle {
	owner, ok := ownerOf(source.Origin.File)
	binding, bound := c.binding(source)
	if !ok || !bound {
		return nil
	}
	l, ok := c.latest(source, owner, binding)
	if !ok || have && sequence >= l.Sequence {
		return nil
	}
	b, _ := c.opened(source, l, owner)
	if b != nil {
		b.Err = errBehind
	}
	return b
}

// ofRoot returns what root keeps of a subscription for a hook, where the state
// of the person knows nothing as new: nil for nothing.
func (c *Client) ofRoot(source *config.BundleSource, l latest, owner int) *layers.Bundle {
	b, expires := c.opened(source, l, owner)
	switch {
	case b == nil:
	case !expires.IsZero() && !c.now().Before(expires):
		b.Err = errExpired
	case source.MaxAge > 0:
		b.Err = errContact
	}
	return b
}
