package stream

import (
	"context"
	"errors"
	"sync"
)

// ErrWaiting is the answer to who would wait where too many do.
var ErrWaiting = errors.New("too many wait for an answer; try again later")

// Waiters wakes those that wait for something with a key. The zero value takes
// nobody. It is safe for concurrent use.
type Waiters struct {
	max int

	mu    sync.Mutex
	count int
	rooms map[string]*room
}

// A room is where those wait that have one key.
type room struct {
	open chan struct{} // closed to wake them
	n    int           // who waits here
}

// NewWaiters returns a place for so many at once.
func NewWaiters(most int) *Waiters { return &Waiters{max: most, rooms: make(map[string]*room)} }

// Wait returns a channel that is closed by the next [Waiters.Wake] of a key,
// and a function that gives the place back, which the end of the context does
// too. Wait first and look at the state then, or a wake between is lost.
// The error is [ErrWaiting].
func (w *Waiters) Wait(ctx context.Context, key string) (<-chan struct{}, func(), error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count >= w.max {
		return nil, func() {}, ErrWaiting
	}
	r := w.rooms[key]
	if r == nil {
		r = &room{open: make(chan struct{})}
		w.rooms[key] = r
	}
	r.n++
	w.count++
	leave := sync.OnceFunc(func() { w.leave(key, r) })
	stop := context.AfterFunc(ctx, leave)
	return r.open, func() { stop(); leave() }, nil
}

// Wake wakes all that wait for a key.
func (w *Waiters) Wake(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.rooms[key]; r != nil {
		close(r.open)
		delete(w.rooms, key)
	}
}

// leave gives a place back. Whoever is woken has it until then: it may still
// be at work for its client.
func (w *Waiters) leave(key string, r *room) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count--
	if r.n--; r.n == 0 && w.rooms[key] == r {
		delete(w.rooms, key)
	}
}
