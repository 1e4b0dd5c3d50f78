// Package cputime tells how much processor time work takes: for deadlines, and
// for tests that bound work, on a machine that does other work too. It is no
// clock of what has passed, and does not count what other goroutines do.
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
	start := Used()
	f()
	return Used() - start
}
