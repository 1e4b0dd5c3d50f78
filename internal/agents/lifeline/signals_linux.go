package lifeline

import (
	"os"
	"syscall"
)

// The real-time signals that the C library leaves to programs.
const (
	firstRealTime = 35
	lastRealTime  = 64
)

func own() []os.Signal {
	list := []os.Signal{syscall.SIGSTKFLT, syscall.SIGPWR}
	for n := firstRealTime; n <= lastRealTime; n++ {
		list = append(list, syscall.Signal(n))
	}
	return list
}
