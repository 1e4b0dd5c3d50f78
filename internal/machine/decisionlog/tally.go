package decisionlog

import "sync"

// A tally is what each queue counts. Its lock holds the rest of the queue too.
type tally struct {
	mu     sync.Mutex
	closed bool
	count  Stats
}

// drop counts an event that could not be kept.
func (t *tally) drop(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count.Dropped++
	t.count.LastError = why
}

// fail counts a request that failed.
func (t *tally) fail(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count.FailedUploads++
	t.count.LastError = why
}

// close refuses further events.
func (t *tally) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
}
