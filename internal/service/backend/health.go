package backend

import (
	"errors"
	"maps"
	"slices"
	"sync"
)

// A Cause is an error of which people at the other end may be told why.
type Cause interface {
	error
	// Cause says what is wrong and what to do, "" where that is unknown.
	Cause() string
}

// CauseOf returns what people may be told of an error, with ": " in front; ""
// for nothing.
func CauseOf(err error) string {
	var c Cause
	if !errors.As(err, &c) || c.Cause() == "" {
		return ""
	}
	return ": " + c.Cause()
}

// Health is what was found wrong with a service. The zero value is healthy. It
// is safe for concurrent use.
type Health struct {
	mu       sync.Mutex
	wrong    map[string]bool
	verified Verified
}

// Set notes that a part is in order, or is not.
func (h *Health) Set(part string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wrong == nil {
		h.wrong = make(map[string]bool)
	}
	if h.wrong[part] = err != nil; err == nil {
		delete(h.wrong, part)
	}
}

func (h *Health) parts() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Keys(h.wrong))
}

// The states of a service.
const (
	Healthy = "ok"
	// Degraded says that something is left out that is damaged.
	Degraded = "degraded"
	// Failing says that what the service says cannot be relied on.
	Failing = "failing"
)

// Condition returns the state of the service, and which parts are not in
// order, sorted: "audit-log" and "database" make it fail, "channels", "rows" and
// "rules" degrade it.
func (b *Backend) Condition() (state string, parts []string) {
	parts, state = b.Health.parts(), Healthy
	if b.Data.Check() != nil {
		parts = append(parts, "database")
	}
	if len(parts) > 0 {
		state = Failing
	}
	rest := len(parts)
	if b.Data.Damaged() > 0 {
		parts = append(parts, "rows")
	}
	if b.Rules.Problem() != nil {
		parts = append(parts, "rules")
	}
	if len(b.ChannelProblems()) > 0 {
		parts = append(parts, "channels")
	}
	if state == Healthy && len(parts) > rest {
		state = Degraded
	}
	slices.Sort(parts)
	return state, parts
}
