// Package cputime tells how much processor time a thread has used, for tests
// that bound the work of a function on a machine that does other work too. It
// is no clock of what has passed.
package cputime

import (
	"syscall"
	"time"
)

// Used returns the processor time of the calling thread (getrusage(2),
// RUSAGE_THREAD). The goroutine must be locked to its thread.
func Used() time.Duration {
	const thread = 1
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
