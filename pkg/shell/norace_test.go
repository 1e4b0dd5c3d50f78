//go:build !race

package shell

import "time"

// hostileTime is how long the reading of any line may take.
const hostileTime = 50 * time.Millisecond
