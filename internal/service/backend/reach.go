package backend

import (
	"sync"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A Reach knows whether people could reach a service. It is safe for
// concurrent use.
type Reach struct {
	started time.Time

	mu   sync.Mutex
	away time.Time // when somebody who may decide was turned away last
}

// NewReach returns the reach of a service that starts now.
func NewReach(now time.Time) *Reach { return &Reach{started: now} }

// TurnedAway notes that somebody who may decide was not served.
func (c *Reach) TurnedAway(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away = at
}

// Unreachable says why nobody could decide a request all the time that it had,
// "" if somebody could.
func (c *Reach) Unreachable(r *approval.Request) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.Created.Before(c.started.Truncate(time.Microsecond)):
		return "the service was not running all that time"
	case !c.away.IsZero() && !c.away.Before(r.Created):
		return "the service turned somebody away who may decide"
	}
	return ""
}
