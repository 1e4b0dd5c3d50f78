//go:build !linux

package cputime

import "time"

var start = time.Now()

// Used returns the time that has passed, where the system does not tell the
// time of a thread.
func Used() time.Duration { return time.Since(start) }
