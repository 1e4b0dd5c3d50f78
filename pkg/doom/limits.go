package doom

import (
	"errors"
	"fmt"
)

const (
	depth     = 64 // calls remembered in a session
	maxPeriod = 4  // calls in the longest cycle

	defaultThreshold = 3
	defaultCycles    = 4
	maxCycles        = depth / maxPeriod
)

// Limits say how much repetition is a loop. They are given with every call,
// because rules reload while a session lives. The zero value means the
// defaults. What [Limits.Validate] refuses counts as the nearest end of the
// range.
type Limits struct {
	// Threshold is the number of identical calls in a row, 2 to 64, that is a
	// loop; 0 means 3.
	Threshold int
	// Cycles is how often a block of two to four calls must come, 2 to 16
	// times, to be a loop; 0 means 4.
	Cycles int
}

// Validate returns an error that names every limit out of its range. One is
// out of range because it would make a loop of every call.
func (l Limits) Validate() error {
	return errors.Join(
		validate("threshold", l.Threshold, defaultThreshold, depth),
		validate("cycles", l.Cycles, defaultCycles, maxCycles),
	)
}

func validate(name string, n, standard, most int) error {
	if n == 0 || n >= 2 && n <= most {
		return nil
	}
	return fmt.Errorf("%s %d: must be from 2 to %d, or 0 for %d", name, n, most, standard)
}

func (l Limits) clamp() Limits {
	return Limits{
		Threshold: clamp(l.Threshold, defaultThreshold, depth),
		Cycles:    clamp(l.Cycles, defaultCycles, maxCycles),
	}
}

func clamp(n, standard, most int) int {
	if n == 0 {
		return standard
	}
	return min(max(n, 2), most)
}
