package stream

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strconv"
	"time"
)

// A connection is one client while it is served.
type connection struct {
	hub    *Hub
	gate   *gate           // to the log
	ctx    context.Context // ends with the request and with the hub
	w      http.ResponseWriter
	rc     *http.ResponseController
	filter func(Event) (Event, bool)
	seen   int64 // the last event that was sent or filtered out
	said   int64 // the last id that was sent
}

// canStream takes away the deadline of the server, or says that it cannot.
func (c *connection) canStream() bool { return c.rc.SetWriteDeadline(time.Time{}) == nil }

// retry is how long a client waits before it comes back, in milliseconds.
const retry = "2000"

// open writes the header, and where the client is: it loses nothing if the
// stream ends before the first event.
func (c *connection) open(missed bool) error {
	h := c.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	text := append([]byte("retry: "+retry+"\n"), c.place()...)
	if missed {
		text = append(text, c.resync()...)
	}
	return c.write(text)
}

// place tells the client where it is. Without data it is no event.
func (c *connection) place() []byte {
	c.said = c.seen
	return []byte("id: " + strconv.FormatInt(c.seen, 10) + "\n\n")
}

func (c *connection) resync() []byte {
	return encode(Event{ID: c.seen, Type: resync, Data: []byte("{}")})
}

// end tells a client that did not keep up, and returns why the stream ended.
// That the client left is no error.
func (c *connection) end(err error) error {
	switch {
	case c.hub.ctx.Err() != nil:
		return ErrClosed
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ErrBehind // it takes nothing more
	case c.ctx.Err() != nil:
		return nil
	case errors.Is(err, ErrBehind):
		_ = c.write(c.resync()) // it may not even take that
	}
	return err
}

// run sends what the log has, and then what happens.
func (c *connection) run() error {
	for {
		since := c.hub.mark()
		n, err := c.turn(since)
		if err != nil {
			return err
		}
		if n == batch {
			continue
		}
		live, err := c.hub.join(c.seen, since)
		if err != nil {
			return err
		}
		if live != nil {
			return c.follow(live)
		}
	}
}

// turn sends the next events of the log, and returns how many there were. What
// costs is done in a turn at the gate, and what waits for the client is not.
func (c *connection) turn(since mark) (int, error) {
	leave, err := c.gate.pass(c.ctx)
	if err != nil {
		return 0, err
	}
	events, err := c.hub.read(c.ctx, c.seen)
	var texts [][]byte
	if err == nil {
		texts = c.render(inLog(events))
	}
	leave()
	switch {
	case errors.Is(err, errForgotten):
		return 0, ErrBehind
	case err != nil:
		return 0, err
	case len(events) == 0 && c.seen < since.high:
		return 0, ErrBehind // the log has not what was published
	}
	return len(events), c.flush(texts)
}

func inLog(events []Event) []part {
	parts := make([]part, len(events))
	for i, e := range events {
		parts[i].Event = e
	}
	return parts
}

// follow sends what happens.
func (c *connection) follow(live *client) error {
	defer c.hub.leave(live)
	beat := time.NewTicker(c.hub.o.Heartbeat)
	defer beat.Stop()
	for {
		var err error
		select {
		case <-live.gone:
			return ErrBehind
		case <-c.ctx.Done():
			return c.ctx.Err()
		case <-beat.C:
			err = c.beat()
		case next := <-live.queue:
			err = c.send(next)
		}
		if err != nil {
			return err
		}
	}
}

// beat keeps the connection, and tells where the client is if it has seen
// nothing of what happened.
func (c *connection) beat() error {
	text := []byte(":\n\n")
	if c.said != c.seen {
		text = append(text, c.place()...)
	}
	return c.write(text)
}

// send sends what the client sees of some events in one flush.
func (c *connection) send(parts []part) error { return c.flush(c.render(parts)) }

// render returns what the client sees of some events.
func (c *connection) render(parts []part) (texts [][]byte) {
	for _, p := range parts {
		if p.ID <= c.seen {
			continue // the log had it
		}
		c.seen = p.ID
		if text := c.text(p); text != nil {
			texts = append(texts, text)
			c.said = p.ID
		}
	}
	return texts
}

func (c *connection) flush(texts [][]byte) error {
	if texts == nil {
		return c.ctx.Err()
	}
	return c.write(texts...)
}

// text returns what the client sees of an event, which may be nothing.
func (c *connection) text(p part) []byte {
	e, sees := p.Event, true
	if c.filter != nil {
		e, sees = c.filter(p.Event)
		e.ID = p.ID
	}
	switch {
	case !sees:
		return nil
	case p.text != nil && same(e, p.Event):
		return p.text
	}
	return encode(e)
}

// same reports whether two events are sent alike.
func same(a, b Event) bool {
	return a.Type == b.Type && len(a.Data) == len(b.Data) && (len(a.Data) == 0 || &a.Data[0] == &b.Data[0])
}

// write sends bytes in one flush before the deadline.
func (c *connection) write(texts ...[]byte) error {
	if err := c.rc.SetWriteDeadline(time.Now().Add(c.hub.o.WriteDeadline)); err != nil {
		return err
	}
	for _, text := range texts {
		if _, err := c.w.Write(text); err != nil {
			return err
		}
	}
	return c.rc.Flush()
}
