//go:build !linux

package pattern

import "time"

var started = time.Now()

// spent returns the time that has passed.
func spent() time.Duration { return time.Since(started) }
