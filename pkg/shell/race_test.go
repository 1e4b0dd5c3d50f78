//go:build race

package shell

import "time"

const hostileTime = 2 * time.Second
