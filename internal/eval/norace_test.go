package eval_test

import (
	"time"
)

// hostileTime is how long the reading of any line may take: several times what it does,
// so that a slow machine does not reach it and another algorithm does.
const hostileTime = 200 * time.Millisecond
