package decisionlog

import (
	"time"
)

// A buffer is a queue of encoded events with the counters. Many add; only who
// holds the logger's sender takes.
type buffer struct {
	tally
	limit  int64
	events [][]byte
	bytes  int64
	added  uint64 // events that ever came in
	gone   uint64 // events that ever left
}

// leastEvent is less than any event takes.
const leastEvent = 128

// full reports whether there is no room for any event, and counts one as dropped
// if so.
func (b *buffer) full() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed && b.bytes+leastEvent <= b.limit {
		return false
	}
	b.count.Dropped++
	return true
}

// add appends an event, or counts it as dropped where there is no room.
func (b *buffer) add(event []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.bytes+int64(len(event)) > b.limit {
		b.count.Dropped++
		return false
	}
	b.events = append(b.events, event)
	b.bytes += int64(len(event))
	b.added++
	return true
}

// begin and end mean something where processes share a queue.
func (b *buffer) begin() (bool, error) { return true, nil }
func (b *buffer) end()                 {}

// mark returns how many events have ever come in.
func (b *buffer) mark() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.added
}

// front returns the oldest events, none if all up to a mark have left.
func (b *buffer) front(mark uint64) ([][]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone >= mark {
		return nil, nil
	}
	return b.events[:min(uint64(len(b.events)), mark-b.gone)], nil
}

// sent takes the oldest n events out: the server has them.
func (b *buffer) sent(n int, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.take(n)
	b.count.Sent += uint64(n)
	b.count.LastSuccess = now
}

// reject takes the oldest n events out: nobody will have them.
func (b *buffer) reject(n int, why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.take(n)
	b.count.Rejected += uint64(n)
	b.count.LastError = why
}

func (b *buffer) take(n int) {
	for i := range n {
		b.bytes -= int64(len(b.events[i]))
	}
	b.events = append([][]byte(nil), b.events[n:]...)
	b.gone += uint64(n)
}

func (b *buffer) stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.count
	s.Buffered, s.BufferedBytes = len(b.events), b.bytes
	return s
}
