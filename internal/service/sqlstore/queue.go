package sqlstore

import "sync"

// A queue holds the parts that wait, the first first. The zero value is ready.
type queue struct {
	mu    sync.Mutex
	parts []*part
}

func (q *queue) add(p *part) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.parts = append(q.parts, p)
}

// len returns how many wait.
func (q *queue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.parts)
}

// take removes the first parts, at most n.
func (q *queue) take(n int) []*part {
	q.mu.Lock()
	defer q.mu.Unlock()
	n = min(n, len(q.parts))
	taken := q.parts[:n:n]
	if q.parts = q.parts[n:]; len(q.parts) == 0 {
		q.parts = nil // frees what is done
	}
	return taken
}

// drop removes a part that nobody has taken yet.
func (q *queue) drop(p *part) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, other := range q.parts {
		if other == p {
			q.parts = append(q.parts[:i:i], q.parts[i+1:]...)
			return true
		}
	}
	return false
}
