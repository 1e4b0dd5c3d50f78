package approval

import (
	"sync"
	"time"
)

// A clock is the time of a service, which never goes back: where the clock of
// the machine is set back, it goes on from where it was. What is over stays
// over, and nothing gets more time. It is safe for concurrent use.
type clock struct {
	wall func() time.Time

	mu    sync.Mutex
	last  time.Time     // what wall said last
	ahead time.Duration // how far the service is ahead of it
}

// newClock returns a clock that begins at a time or later.
func newClock(wall func() time.Time, from time.Time) *clock {
	return &clock{wall: wall, last: from}
}

// now looks at the clock of the machine. Its monotonic reading is left out: it
// would hide that the clock was set back, and does not outlive the process.
func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	wall := c.wall().Round(0).UTC()
	c.ahead += max(0, c.last.Sub(wall))
	c.last = wall
	return wall.Add(c.ahead)
}
