package approval

import "sync"

// waiters wake who waits for a request. The zero value is ready.
type waiters struct {
	mu   sync.Mutex
	list map[string]map[chan struct{}]bool
}

// add returns a channel that is closed when the request changes. stop must be
// called.
func (w *waiters) add(id string) (changed <-chan struct{}, stop func()) {
	c := make(chan struct{})
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.list == nil {
		w.list = make(map[string]map[chan struct{}]bool)
	}
	if w.list[id] == nil {
		w.list[id] = make(map[chan struct{}]bool)
	}
	w.list[id][c] = true
	return c, func() { w.remove(id, c) }
}

func (w *waiters) remove(id string, c chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.list[id], c)
	if len(w.list[id]) == 0 {
		delete(w.list, id)
	}
}

func (w *waiters) wake(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.list[id] {
		close(c)
	}
	delete(w.list, id)
}
