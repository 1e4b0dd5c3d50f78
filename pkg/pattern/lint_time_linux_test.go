package pattern

import (
	"syscall"
	"time"
)

// spent returns the processor time of this thread, which other work on the
// machine does not count into (getrusage(2), RUSAGE_THREAD).
func spent() time.Duration {
	const thread = 1
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
