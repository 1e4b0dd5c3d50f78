//go:build race

package eval

import "time"

const hostileTime = 2 * time.Second
