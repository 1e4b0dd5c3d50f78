package sqlstore

import (
	"runtime"
	"sync"
)

// A queue holds what waits, the first first. The zero value is ready.
type queue[T comparable] struct {
	mu  sync.Mutex
	all []T
}

func (q *queue[T]) add(v T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all = append(q.all, v)
}

// len returns how many wait.
func (q *queue[T]) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.all)
}

// take removes the first, at most n.
func (q *queue[T]) take(n int) []T {
	q.mu.Lock()
	defer q.mu.Unlock()
	n = min(n, len(q.all))
	taken := q.all[:n:n]
	if q.all = q.all[n:]; len(q.all) == 0 {
		q.all = nil // frees what is done
	}
	return taken
}

// drop removes what nobody has taken yet.
func (q *queue[T]) drop(v T) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, other := range q.all {
		if other == v {
			q.all = append(q.all[:i:i], q.all[i+1:]...)
			return true
		}
	}
	return false
}

// patientTurns is how often in a row others may run, and nobody come to a queue, before
// what it holds is sent.
const patientTurns = 4

// gather has those run who are about to come to a queue, as long as more of them do: to
// send together what it holds costs less. Where nobody runs it returns at once.
func gather[T comparable](q *queue[T], most int) {
	for n, turns := q.len(), 0; n < most && turns < patientTurns; turns++ {
		runtime.Gosched()
		if now := q.len(); now > n {
			n, turns = now, -1
		}
	}
}
