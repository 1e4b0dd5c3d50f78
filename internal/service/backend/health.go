package backend

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
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
	mu    sync.Mutex
	wrong map[string]bool
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
// order, sorted: "audit-log" and "database" make it fail, "rows" and "rules"
// degrade it.
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
	if state == Healthy && len(parts) > rest {
		state = Degraded
	}
	slices.Sort(parts)
	return state, parts
}

// auditPage is how many records of the log are read at once.
const auditPage = 1000

// errUnverified says that the log is still being verified.
var errUnverified = errors.New("the audit log is being verified")

// VerifyLog verifies the audit log as it is now, and notes in [Backend.Health]
// what comes of it; until then the log is not in order. The error says that it
// does not hold, or cannot be read.
func (b *Backend) VerifyLog(ctx context.Context) error {
	b.Health.Set("audit-log", errUnverified)
	err := b.verifyLog(ctx)
	if err != nil {
		err = fmt.Errorf("the audit log does not hold: %w", err)
	}
	b.Health.Set("audit-log", err)
	return err
}

func (b *Backend) verifyLog(ctx context.Context) error {
	var v audit.Verifier
	var course approval.Course
	for at := int64(0); ; {
		page, err := b.Data.Audit(ctx, at, auditPage)
		for _, r := range page {
			err := v.Check(r)
			if err == nil {
				err = course.Check(r)
			}
			if err != nil {
				return err
			}
			at = r.Seq
		}
		if err != nil || len(page) == 0 {
			return errors.Join(err, v.End())
		}
	}
}
