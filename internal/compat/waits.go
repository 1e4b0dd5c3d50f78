package compat

import "sync"

// A waits counts the answers that are held back, by identity.
type waits struct {
	most int
	mu   sync.Mutex
	held map[string]int
}

// begin says whether an identity may have one more; if so, end must be called.
func (w *waits) begin(who string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[who] >= w.most {
		return false
	}
	if w.held == nil {
		w.held = make(map[string]int)
	}
	w.held[who]++
	return true
}

func (w *waits) end(who string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[who]--; w.held[who] == 0 {
		delete(w.held, who)
	}
}
