package decisionlog

import (
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/machine/spool"
)

// A queue holds encoded events until a server has them. Between begin and end
// one goroutine takes events out.
type queue interface {
	// full counts an event as dropped where there is no room for any.
	full() bool
	add(event []byte) bool
	drop(why string)
	close()
	// begin is false where another process takes the events out.
	begin() (bool, error)
	end()
	// mark is how far the queue reaches now; front returns the oldest events,
	// none if all up to a mark have left.
	mark() uint64
	front(mark uint64) ([][]byte, error)
	sent(n int, now time.Time)
	reject(n int, why string)
	fail(why string)
	stats() Stats
}

// A disk is a queue in a spool, to which other processes add too.
type disk struct {
	tally
	spool *spool.Spool
	// turn is held between begin and end.
	turn *spool.Shipment
}

func (d *disk) full() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		d.count.Dropped++
	}
	return d.closed
}

func (d *disk) add(event []byte) bool {
	if err := d.spool.Add(event); err != nil {
		d.drop(clean(err))
		return false
	}
	return true
}

func (d *disk) begin() (bool, error) {
	turn, err := d.spool.Ship()
	if errors.Is(err, spool.ErrBusy) {
		return false, nil
	}
	d.turn = turn
	return err == nil, err
}

func (d *disk) end() {
	_ = d.turn.Close() // the end of the process unlocks too
	d.turn = nil
}

// mark is of no use where others add: whoever drains takes what is there.
func (d *disk) mark() uint64 { return 0 }

func (d *disk) front(uint64) ([][]byte, error) {
	events, err := d.turn.Next()
	if err != nil {
		return nil, fmt.Errorf("the spool %s: %w", d.spool.Dir(), err)
	}
	return events, nil
}

func (d *disk) sent(n int, now time.Time) {
	err := d.turn.Done(n)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count.Sent += uint64(n)
	d.count.LastSuccess = now
	if err != nil {
		d.count.LastError = clean(err) // they will be sent again
	}
}

func (d *disk) reject(n int, why string) {
	err := d.turn.Reject(n)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count.Rejected += uint64(n)
	if d.count.LastError = why; err != nil {
		d.count.LastError = clean(err)
	}
}

func (d *disk) stats() Stats {
	waiting, _ := d.spool.Waiting() // as far as it can be read
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.count
	s.Buffered = waiting
	return s
}
