package trail

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// maxBatch bounds the entries that a [Queue] hands over at once.
const maxBatch = 64

// A Queue makes entries of what engines decide, and hands them to who keeps them,
// in a goroutine of its own. It is a [policy.Recorder]: whoever decides never
// waits, and what finds the queue full is dropped and counted. It is safe for
// concurrent use.
type Queue struct {
	from    From
	keep    func([]audit.Entry) error
	waiting chan item
	dropped atomic.Uint64
	mu      sync.RWMutex // held for reading while something is put in
	closed  bool
	done    chan struct{}
}

type item struct {
	from    From
	outcome policy.Outcome
}

// NewQueue returns a queue of up to size outcomes, which runs until
// [Queue.Close]. keep gets the entries in their order, from one goroutine; where
// it returns an error, the queue counts them as dropped, and keep says why to
// whom it concerns.
func NewQueue(size int, from From, keep func([]audit.Entry) error) *Queue {
	q := &Queue{from: from, keep: keep, waiting: make(chan item, size), done: make(chan struct{})}
	go q.run()
	return q
}

// Now is the clock of the system.
func (q *Queue) Now() time.Time { return time.Now() }

// Record puts an outcome into the queue.
func (q *Queue) Record(o policy.Outcome) { q.Put(q.from, o) }

// Put puts an outcome into the queue that comes from elsewhere than the others.
func (q *Queue) Put(from From, o policy.Outcome) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if !q.closed {
		select {
		case q.waiting <- item{from, o}:
			return
		default:
		}
	}
	q.dropped.Add(1)
}

// Dropped returns how many decisions are not on record: they found the queue full
// or closed, or could not be kept.
func (q *Queue) Dropped() uint64 { return q.dropped.Load() }

// Close refuses further outcomes and waits until those that are there are kept.
// The error says that the context ended before.
func (q *Queue) Close(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.waiting)
	}
	q.mu.Unlock()
	select {
	case <-q.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%d decisions are not on record yet: %w", len(q.waiting), ctx.Err())
	}
}

func (q *Queue) run() {
	defer close(q.done)
	for first := range q.waiting {
		batch := []audit.Entry{Entry(first.from, &first.outcome)}
		for more := true; more && len(batch) < maxBatch; {
			select {
			case next, ok := <-q.waiting:
				if more = ok; ok {
					batch = append(batch, Entry(next.from, &next.outcome))
				}
			default:
				more = false
			}
		}
		if err := q.keep(batch); err != nil {
			q.dropped.Add(uint64(len(batch)))
		}
	}
}
