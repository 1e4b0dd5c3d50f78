package cputime

import (
	"syscall"
	"time"
)

// Known reports whether [Used] is processor time.
const Known = true

// Used returns the processor time of the calling thread (getrusage(2),
// RUSAGE_THREAD). Two of them can be compared where the goroutine is locked to
// its thread.
func Used() time.Duration {
	const thread = 1
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
