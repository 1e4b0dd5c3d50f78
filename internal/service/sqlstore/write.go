package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// mostParts bounds how many parts one transaction has, and with it how long
// the first of them waits.
const mostParts = 64

// A part is what one caller stores. Parts that wait for the same moment share
// a transaction, since a commit costs most: it waits for the disk.
type part struct {
	// do may be called again; what it does then replaces what it did.
	do func(*Tx) error
	// who asks for it, the zero value where nobody does.
	who auth.Identity
	made
	err      error
	panicked any
	done     chan struct{}
}

// A made is what a part stores: events, records of the audit log, and what is found of a new
// request, nil for none.
type made struct {
	events  []approval.Event
	records []*audit.Record
	found   *found
}

// write stores what do does: it is on disk when write returns nil, and nothing
// of it is stored when write returns an error. An error of do is returned as
// it is, and a panic goes on in the caller. When ctx ends, only the waiting
// does.
func (d *DB) write(ctx context.Context, do func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := &part{do: do, done: make(chan struct{})}
	p.who, _ = auth.FromContext(ctx)
	d.queue.add(p)
	select {
	case <-p.done: // in the transaction of another
	case d.turn <- struct{}{}:
		d.lead(p)
	case <-ctx.Done():
		if d.queue.drop(p) {
			return ctx.Err()
		}
		<-p.done
	}
	if p.panicked != nil {
		panic(p.panicked)
	}
	return p.err
}

// lead stores what waits, until p is stored.
func (d *DB) lead(p *part) {
	defer func() { <-d.turn }()
	for {
		select {
		case <-p.done:
			return
		default:
			gather(&d.queue, mostParts)
			d.store(d.queue.take(mostParts))
		}
	}
}

// errLeft is the error of parts whose leader has left the goroutine.
var errLeft = errors.New("the goroutine that wrote has ended: nothing was stored")

// store stores parts together, or carefully if that fails, or else each alone: no part
// suffers from another.
func (d *DB) store(parts []*part) {
	err := errLeft // until more is known
	defer func() { finish(parts, err) }()
	again, failed := d.together(parts, false)
	if again == asUnsure {
		again, failed = d.togetherIfNot(parts, failed)
	}
	if again == asLooking {
		again, failed = d.together(parts, false)
	}
	if again == asCareful {
		again, failed = d.together(parts, true)
	}
	if again == asEnded || len(parts) == 1 {
		err = failed
		return
	}
	for len(parts) > 0 {
		p := parts[0]
		parts = parts[1:]
		d.alone(p)
	}
}

// alone stores a part in a careful transaction of its own.
func (d *DB) alone(p *part) {
	err := errLeft
	defer func() { finish([]*part{p}, err) }()
	_, err = d.together([]*part{p}, true)
}

// finish tells those who wait that their parts are stored, or why none is. It is called also
// when a part ends the goroutine.
func finish(parts []*part, err error) {
	for _, p := range parts {
		if err != nil {
			p.err = err
		}
		close(p.done)
	}
}

// A next is how parts are stored that were not.
type next int

// Parts are ended where they are stored or nothing else helps, and otherwise stored again:
// if a look at where the log ends shows that they are not, with such a look, carefully, or
// each alone.
const (
	asEnded next = iota
	asUnsure
	asLooking
	asCareful
	asAlone
)

// together stores parts in one transaction, and says why it did not and what may.
func (d *DB) together(parts []*part, careful bool) (next, error) {
	if gone := d.engine.Check(); gone != nil {
		return asEnded, gone
	}
	t, stop := d.newTx()
	defer stop()
	defer d.drop()
	t.careful = careful
	if locked := t.begin(); locked != nil {
		return asEnded, locked // and none would fare better alone
	}
	defer t.rollback()
	err := t.commit(parts)
	t.leaveEnd(err == nil)
	switch {
	case err == nil:
		d.fresh.remember(parts)
		return asEnded, d.engine.Stored(stored(parts))
	case d.engine.Broken() && t.presumed && t.moves() && d.unsure == nil: // perhaps it had been for long
		before := t.begun
		d.unsure = &before
		return asUnsure, err
	case d.engine.Broken():
		return asEnded, err
	case t.presumed && t.ctx.Err() == nil:
		return asLooking, err
	case !careful && t.ctx.Err() == nil: // what takes too long would do so again
		return asCareful, err
	}
	return asAlone, err
}

// togetherIfNot stores parts once more, on a new connection, if the log still ends where the
// transaction before has found it: that is not stored then, and will not be, since it holds
// its own end to that. Otherwise nobody knows, as its error says.
func (d *DB) togetherIfNot(parts []*part, unknown error) (next, error) {
	again, err := d.together(parts, false)
	d.unsure = nil
	if again == asEnded && err != nil {
		return asEnded, unknown
	}
	return again, err
}

// drop lets go of a connection that has ended; the next transaction has a new one.
func (d *DB) drop() {
	if d.conn == nil || !d.engine.Broken() {
		return
	}
	_ = d.conn.Raw(func(any) error { return driver.ErrBadConn }) // so that it does not go back to the pool
	_ = d.disconnect()
}
