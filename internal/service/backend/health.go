package backend

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
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
	// probe is what came of the last attempt to store something.
	probe struct {
		mu  sync.Mutex
		at  time.Time
		err error
	}
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

func (h *Health) isWrong(part string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.wrong[part]
}

// The states of a service.
const (
	Healthy = "ok"
	// Degraded says that something is left out that is damaged.
	Degraded = "degraded"
	// Failing says that what the service says cannot be relied on.
	Failing = "failing"
)

// A part is one of those that can be out of order.
type part struct {
	name string
	// fails says that nothing the service says can be relied on then, holds that it is
	// not ready, though it goes on with what was in order before.
	fails, holds bool
	wrong        bool
}

// check looks at all parts.
func (b *Backend) check() []part {
	list := []part{
		{"audit-log", true, true, b.Health.isWrong("audit-log")},
		{"database", true, true, b.storable() != nil},
		{"policy", false, true, b.PolicyProblem != nil && b.PolicyProblem() != nil},
		{"rows", false, false, b.Data.Damaged() > 0},
		{"rules", false, false, b.Rules.Problem() != nil},
		{"channels", false, false, len(b.ChannelProblems()) > 0},
		{"push", false, false, b.Push != nil && b.Push.Failing() > 0},
	}
	for name, wrong := range b.Beside {
		list = append(list, part{name, false, false, wrong()})
	}
	slices.SortFunc(list, func(x, y part) int { return strings.Compare(x.name, y.name) })
	return list
}

// Condition returns the state of the service, and which parts are not in order, sorted.
func (b *Backend) Condition() (state string, parts []string) {
	state = Healthy
	for _, p := range b.check() {
		switch {
		case !p.wrong:
			continue
		case p.fails:
			state = Failing
		case state == Healthy:
			state = Degraded
		}
		parts = append(parts, p.name)
	}
	return state, parts
}

// Ready reports whether the service can be given work: it can store, it has verified the
// audit log, and its policy is that of its files. Where it is not, parts say why, sorted.
func (b *Backend) Ready() (ready bool, parts []string) {
	for _, p := range b.check() {
		if p.wrong && p.holds {
			parts = append(parts, p.name)
		}
	}
	return len(parts) == 0, parts
}

// Parts says of each part whether it is in order.
func (b *Backend) Parts() map[string]bool {
	out := make(map[string]bool)
	for _, p := range b.check() {
		out[p.name] = !p.wrong
	}
	return out
}

// How long an attempt to store something may take, and how long what came of it counts:
// whoever asks for the health of the service may ask often.
const (
	probeTime  = 2 * time.Second
	probeCount = time.Second
)

// storable says why nothing can be stored, nil where something was just stored: the time
// of the service, which no store leaves as it was.
func (b *Backend) storable() error {
	if err := b.Data.Check(); err != nil {
		return err
	}
	p := &b.Health.probe
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.at) < probeCount {
		return p.err
	}
	ctx, stop := context.WithTimeout(context.Background(), probeTime)
	defer stop()
	p.err = b.Data.Observe(ctx, b.Now())
	p.at = time.Now()
	return p.err
}
