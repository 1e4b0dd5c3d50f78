package stream

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A Hub hands events to clients. It is safe for concurrent use.
type Hub struct {
	log    Log
	o      Options
	ctx    context.Context // ends with Close
	cancel context.CancelFunc

	members, guests *gate // to the log

	mu      sync.Mutex
	taken   int            // places of clients, from before their first event
	keys    map[string]int // the same by key
	clients map[*client]bool
	last    int64 // the last event that was handed to all clients
	high    int64 // the last event that was published
	told    int   // how often others had events, with numbers that are unknown
	filling bool  // a goroutine reads the log
	again   bool  // it has to look once more
}

// A client is a connection that has seen all there was, and waits for more.
type client struct {
	queue chan []part
	gone  chan struct{} // closed when the hub drops the client
}

// A part is an event with its bytes, which all clients share.
type part struct {
	Event
	text []byte // nil where it is not written yet
}

// NewHub returns a hub over a log.
func NewHub(log Log, o Options) *Hub {
	o.complete()
	h := &Hub{log: log, o: o, keys: make(map[string]int), clients: make(map[*client]bool)}
	h.members, h.guests = newGate(memberTurns, 0), newGate(guestTurns, guestRest)
	h.ctx, h.cancel = context.WithCancel(context.Background())
	return h
}

// Publish hands events to the clients. They must be in the log. It never waits
// for a client or for the log, and may be called in any order: what comes
// before others do is read from the log. Without events it says that the log
// has some, as another process wrote them.
func (h *Hub) Publish(events ...Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	look := len(events) == 0
	if look {
		h.told++
	}
	var next []part
	for _, e := range events {
		h.high = max(h.high, e.ID)
		if len(h.clients) == 0 || e.ID <= h.last {
			continue // whoever comes reads the log
		}
		if e.ID > h.last+1 {
			look = true
			continue
		}
		h.last = e.ID
		next = append(next, part{e, encode(e)})
	}
	h.deliver(next)
	if look && len(h.clients) > 0 {
		h.look()
	}
}

// Close ends the streams of all clients and takes no others. It belongs to
// what [net/http.Server.RegisterOnShutdown] calls, which waits for streams else.
func (h *Hub) Close() { h.cancel() }

// deliver hands events to all clients, and drops those whose queue is full.
func (h *Hub) deliver(next []part) {
	if len(next) == 0 {
		return
	}
	for c := range h.clients {
		select {
		case c.queue <- next:
		default:
			h.drop(c)
		}
	}
}

func (h *Hub) drop(c *client) {
	delete(h.clients, c)
	close(c.gone)
}

// look has a goroutine read the log; one at a time.
func (h *Hub) look() {
	h.again = true
	if !h.filling && h.ctx.Err() == nil {
		h.filling = true
		go h.fill()
	}
}

// batch is how many events are read from the log at once.
const batch = 256

// patience is how long the log may take.
const patience = 10 * time.Second

// fill delivers what the log has behind the last event, until there is no more.
func (h *Hub) fill() {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer func() { h.filling = false }()
	for h.ctx.Err() == nil && len(h.clients) > 0 {
		h.again = false
		last, high := h.last, h.high
		h.mu.Unlock()
		events, err := h.read(h.ctx, last)
		h.mu.Lock()
		if err == nil {
			h.catchUp(events)
		}
		if err != nil || len(events) == 0 && h.last < high {
			// The log fails, has not what was published, or has forgotten what
			// comes next. The clients come back, and then the log itself says how it
			// stands.
			for c := range h.clients {
				h.drop(c)
			}
			return
		}
		if len(events) < batch && !h.again {
			return
		}
	}
}

// catchUp delivers events of the log that were not published meanwhile.
func (h *Hub) catchUp(events []Event) {
	var next []part
	for _, e := range events {
		if e.ID > h.last {
			h.last = e.ID
			next = append(next, part{e, encode(e)})
		}
	}
	h.deliver(next)
}

// errForgotten says that the log does not keep what comes next any more, or gives other
// numbers to it.
var errForgotten = errors.New("the log has forgotten events")

// read returns what the log has behind an event.
func (h *Hub) read(ctx context.Context, id int64) ([]Event, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	events, err := h.log.After(ctx, id, batch)
	if err != nil || len(events) == 0 || events[0].ID == id+1 {
		return events, err
	}
	first, _, err := h.log.Bounds(ctx)
	if err == nil && first > id+1 {
		err = errForgotten
	}
	return events, err
}
