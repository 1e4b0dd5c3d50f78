//go:build !linux

package cputime

import "time"

// Known reports whether [Used] is processor time.
const Known = false

var start = time.Now()

// Used returns the time that has passed, since no call tells the processor time
// of one thread everywhere.
func Used() time.Duration { return time.Since(start) }
