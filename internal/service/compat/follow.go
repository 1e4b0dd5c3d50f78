package compat

import (
	"encoding/json"
	"strings"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/pkg/approval"
)

// followPending tells what begins and what ceases to be pending: events of the
// types pending and removed, as long as the credentials hold. Who follows
// first and lists then misses nothing.
func (h *Handler) followPending(x *route.Exchange) error {
	return x.Follow(h.hub, func(e stream.Event) (stream.Event, bool) { return h.queued(x, e) })
}

// A removal says that a request is no longer pending.
type removal struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

// queued returns an event as a dashboard has it. What was decided at once was
// never pending; what changes once more is told to be removed again.
func (h *Handler) queued(x *route.Exchange, e stream.Event) (stream.Event, bool) {
	var told approval.Event
	if json.Unmarshal(e.Data, &told) != nil || told.RequestID == "" || told.State != approval.Pending && told.Version == 1 {
		return e, false
	}
	var data any = removal{told.RequestID, strings.ToLower(string(told.State))}
	e.Type = "removed"
	if told.State == approval.Pending {
		e.Type, data = "pending", h.entry(x, &told)
	}
	text, err := json.Marshal(data)
	if err != nil {
		return e, false
	}
	e.Data = text
	return e, true
}

// entry returns what is pending, or as much of it as the event says where the
// store does not answer.
func (h *Handler) entry(x *route.Exchange, told *approval.Event) pendingItem {
	r, err := x.Service.Get(x.Context(), told.RequestID)
	if err != nil {
		r = &approval.Request{ID: told.RequestID, Tool: told.Tool, Title: told.Title, Session: told.Session, Created: told.Time}
	}
	return pendingOf(r)
}
