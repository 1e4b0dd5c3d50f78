package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/pkg/approval"
)

// NewHub returns the hub of the events of a store. What the store tells of
// goes into it by [EventOf].
func NewHub(data backend.Data) *stream.Hub {
	return stream.NewHub(history{data}, stream.Options{
		Key:   func(r *http.Request) string { return following(r).Name },
		Guest: func(r *http.Request) bool { return following(r).Guest() },
	})
}

// following returns who follows the events.
func following(r *http.Request) auth.Identity {
	who, _ := auth.FromContext(r.Context())
	return who
}

// EventOf returns an event of a request as it is sent.
func EventOf(e approval.Event) stream.Event {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // texts, numbers and a time
	}
	return stream.Event{ID: e.ID, Type: "request", Data: text, Session: e.Session}
}

// A history is the log of a store.
type history struct{ data backend.Data }

func (h history) After(ctx context.Context, id int64, limit int) ([]stream.Event, error) {
	list, err := h.data.EventsAfter(ctx, id, limit)
	if err != nil {
		return nil, err
	}
	out := make([]stream.Event, len(list))
	for i, e := range list {
		out[i] = EventOf(e)
	}
	return out, nil
}

func (h history) Bounds(ctx context.Context) (first, last int64, err error) {
	first, last, err = h.data.EventBounds(ctx)
	if last == 0 {
		first = 1
	}
	return first, last, err
}

// events follows the requests, as long as the credentials hold. Who may use it
// sees all of them.
func (a *API) events(x *route.Exchange) error {
	session := x.Query.Get("session")
	return x.Follow(a.hub, func(e stream.Event) (stream.Event, bool) {
		return e, session == "" || e.Session == session
	})
}
