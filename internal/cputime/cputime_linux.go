package cputime

import (
	"syscall"
	"time"
)

// used returns the processor time of the calling thread (getrusage(2),
// RUSAGE_THREAD).
func used() time.Duration {
	const thread = 1
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
