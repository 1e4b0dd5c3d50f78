// Package cputime tells how much processor time a function takes, for tests
// that bound its work on a machine that does other work too. It is no clock of
// what has passed, and does not count what other goroutines do.
package cputime

import (
	"runtime"
	"time"
)

// Of returns the processor time that f takes: on Linux that of its thread,
// elsewhere the time that passes.
func Of(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := used()
	f()
	return used() - start
}
