package webguard

import (
	"fmt"
	"sync"
)

// Waits counts the answers that are held back, by who waits for them. It is
// safe for concurrent use.
type Waits struct {
	most int

	mu   sync.Mutex
	held map[string]int
}

// NewWaits returns a count in which one identity has so many at once.
func NewWaits(most int) *Waits { return &Waits{most: most, held: make(map[string]int)} }

// Begin counts one more for an identity, which end gives back. The error says
// that it has too many.
func (w *Waits) Begin(who string) (end func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[who] >= w.most {
		return nil, fmt.Errorf("%s has %d answers held back already", who, w.most)
	}
	w.held[who]++
	return func() { w.end(who) }, nil
}

func (w *Waits) end(who string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[who]--; w.held[who] == 0 {
		delete(w.held, who)
	}
}
