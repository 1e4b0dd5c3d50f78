package bundles

import (
	"fmt"

	"github.com/policyctl/policyctl/internal/machine/activation"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
)

// fits says why a revision is no policy beside the files and the bundles to
// which its bundle yields: those that the organisation subscribes to never
// yield to one of a person. What is wrong without it is not its mistake. A hook
// has no time for this, and leaves out what does not fit.
func (c *Client) fits(e *entry, p *activation.Policy) error {
	c.mu.Lock()
	union := c.union
	var others []layers.Bundle
	for _, other := range c.entries {
		same := other.source.Name == e.source.Name
		if now := other.current.Load(); now != nil && !same && !other.yields(e) {
			others = append(others, layers.Bundle{Name: now.Name, Files: now.Files, Sources: now.Sources})
		}
	}
	c.mu.Unlock()
	if c.mode == Offline || union == nil {
		return nil
	}
	layer := e.source.Origin.Layer
	err := union(layer, append(others, layers.Bundle{Name: p.Name, Files: p.Files, Sources: p.Sources})...)
	if err == nil || union(layer, others...) != nil {
		return nil
	}
	return fmt.Errorf("it does not go with the other policies of this machine: %w", err)
}

// yields reports whether a bundle is a person's and another the organisation's.
func (e *entry) yields(to *entry) bool {
	return e.source.Origin.Layer != config.Managed && to.source.Origin.Layer == config.Managed
}
