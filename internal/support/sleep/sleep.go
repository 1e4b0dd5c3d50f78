// Package sleep waits, but no longer than somebody wants what comes next.
package sleep

import (
	"context"
	"time"
)

// For waits, and reports whether ctx is not done.
func For(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
