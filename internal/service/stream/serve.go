package stream

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

// Serve answers a request with a stream of events until the client leaves or
// the hub closes. The filter, which may be nil, says which events the client
// sees and may change what it sees of them, but not their data in place. A
// client goes on behind the event that the header Last-Event-ID or the query
// last_event_id names; without either it begins with what happens next. The
// error says why a stream did not begin, or why it ended before the client
// left; the response has been written.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, filter func(Event) (Event, bool)) error {
	key := ""
	if h.o.Key != nil {
		key = h.o.Key(r)
	}
	if err := h.enter(key); err != nil {
		return refuse(w, err)
	}
	defer h.exit(key)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	c := &connection{hub: h, gate: h.members, ctx: ctx, w: w, rc: http.NewResponseController(w), filter: filter}
	if h.o.Guest != nil && h.o.Guest(r) {
		c.gate = h.guests
	}
	missed, err := c.start(r)
	if err == nil && !c.canStream() {
		err = ErrNoFlush
	}
	if err != nil {
		return refuse(w, err)
	}
	if err = c.open(missed); err == nil {
		err = c.run()
	}
	return c.end(err)
}

// refuse answers that a stream does not begin.
func refuse(w http.ResponseWriter, err error) error {
	switch {
	case errors.Is(err, ErrBadID):
		webguard.Write(w, &webguard.Refusal{Status: http.StatusBadRequest, Code: "bad-last-event-id", Detail: err.Error(), Hint: "send the id of the last event that arrived, or none"})
	case errors.Is(err, ErrNoFlush):
		webguard.Write(w, &webguard.Refusal{Status: http.StatusInternalServerError, Code: "no-stream", Detail: err.Error(), Hint: "ask for the state instead"})
	default:
		w.Header().Set("Retry-After", "5")
		webguard.Write(w, &webguard.Refusal{Status: http.StatusServiceUnavailable, Code: "no-stream", Detail: "the stream of events is not available", Hint: "try again in 5 s, with fewer streams"})
	}
	return err
}

// start finds where the client left off. Missed says that the log does not
// reach back that far, or never had that event.
func (c *connection) start(r *http.Request) (missed bool, err error) {
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	id := r.Header.Get("Last-Event-ID")
	if id == "" {
		id = r.URL.Query().Get("last_event_id")
	}
	from, err := strconv.ParseInt(id, 10, 64)
	if id != "" && (err != nil || from < 0) {
		return false, ErrBadID
	}
	first, last, err := c.hub.log.Bounds(ctx)
	switch {
	case err != nil:
		return false, err
	case id == "":
		c.seen = last
	case from < first-1, from > last:
		c.seen = last // the state that the client now reads holds the rest
		return true, nil
	default:
		c.seen = from
	}
	return false, nil
}
