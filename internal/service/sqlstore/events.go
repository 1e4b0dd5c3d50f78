package sqlstore

import (
	"context"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// EventsAfter returns the events after an id, the oldest first; a limit of 0
// stands for approval.DefaultLimit.
func (d *DB) EventsAfter(ctx context.Context, id int64, limit int) ([]approval.Event, error) {
	return list(ctx, d, scanEvent, `SELECT id, time, request_id, state, version, session, tool, title, quorum, approved
		FROM events WHERE id > ? ORDER BY id LIMIT ?`, id, limited(limit))
}

// EventBounds returns the ids of the first and the last event that are kept,
// and 0 twice if there is none. None between them is missing.
func (d *DB) EventBounds(ctx context.Context) (first, last int64, err error) {
	bounds, err := one(ctx, d, func(from row) (b [2]int64, err error) {
		return b, from.Scan(&b[0], &b[1])
	}, "SELECT coalesce((SELECT min(id) FROM events), 0), coalesce((SELECT max(id) FROM events), 0)")
	return bounds[0], bounds[1], err
}

func scanEvent(from row) (e approval.Event, err error) {
	var at int64
	err = from.Scan(&e.ID, &at, &e.RequestID, &e.State, &e.Version, &e.Session, &e.Tool, &e.Title, &e.Quorum, &e.Approved)
	e.Time = timeOf(at)
	return e, err
}

// event stores that a request was made or changed. The end of the transaction forgets
// what is more than is kept.
func (t *Tx) event(r *approval.Request, log []audit.Entry) error {
	e := approval.Event{
		Time: eventTime(log), RequestID: r.ID, State: r.State, Version: r.Version, Session: r.Session, Tool: r.Tool, Title: r.Title,
	}
	e.Quorum, e.Approved = r.Voted()
	if t.end.lost != nil {
		return t.end.lost
	}
	t.end.event++
	e.ID = t.end.event
	t.Later("INSERT INTO events (id, time, request_id, state, version, session, tool, title, quorum, approved) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		e.ID, micro(e.Time), e.RequestID, string(e.State), e.Version, e.Session, e.Tool, e.Title, e.Quorum, e.Approved)
	t.part.events = append(t.part.events, e)
	return nil
}

// eventTime is when the log says that it happened, or now if it says nothing.
func eventTime(log []audit.Entry) time.Time {
	at := time.Now()
	if len(log) > 0 {
		at = log[len(log)-1].Time
	}
	return at.UTC().Truncate(time.Microsecond)
}
