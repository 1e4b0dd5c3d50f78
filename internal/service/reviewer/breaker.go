package reviewer

import (
	"fmt"
	"sync"
	"time"
)

// breakerPause is how long a model is left alone that failed too often in a row.
const breakerPause = time.Minute

// A breaker stops asking a model that fails, so that calls do not wait for it in vain.
// After a pause one call tries it again. It is safe for concurrent use.
type breaker struct {
	limit int
	now   func() time.Time

	mu       sync.Mutex
	failures int
	until    time.Time // zero while it is closed
	trying   bool
}

// enter says why the model is not asked, nil where it is: done is then to be called
// with how it went.
func (b *breaker) enter() (done func(ok bool), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return b.leave, nil
	}
	if b.trying || b.now().Before(b.until) {
		return nil, fmt.Errorf("it failed %d times in a row, and is left alone until %s", b.failures, b.until.UTC().Format(time.TimeOnly+"Z"))
	}
	b.trying = true
	return b.leave, nil
}

// open reports whether the model is left alone, or is tried again after that.
func (b *breaker) open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.until.IsZero()
}

func (b *breaker) leave(ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
	if ok {
		b.failures, b.until = 0, time.Time{}
		return
	}
	if b.failures++; b.failures >= b.limit {
		b.until = b.now().Add(breakerPause)
	}
}
