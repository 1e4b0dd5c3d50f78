package channel

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/approval"
)

// maxEvents bounds how many events one step is derived of.
const maxEvents = 200

// follow derives deliveries of the events that nobody has looked at, and reports whether
// there may be more. Where events are gone or none was looked at before, it looks at the
// requests themselves.
func (d *Dispatcher) follow(ctx context.Context) (more bool, err error) {
	cursor, found, err := d.o.Store.Cursor(ctx)
	if err != nil {
		return false, err
	}
	first, last, err := d.o.Bounds(ctx)
	switch {
	case err != nil:
		return false, err
	case !found || cursor < first-1 || cursor > last:
		return true, d.review(ctx, last)
	case cursor == last:
		return false, nil
	}
	events, err := d.o.Events(ctx, cursor, maxEvents)
	if err != nil || len(events) == 0 {
		return false, err
	}
	var ids []string
	for _, e := range events {
		if !slices.Contains(ids, e.RequestID) {
			ids = append(ids, e.RequestID)
		}
	}
	return true, d.derive(ctx, ids, events[len(events)-1].ID)
}

// review derives deliveries of all requests that wait, and of those of which something is
// open.
func (d *Dispatcher) review(ctx context.Context, last int64) error {
	pending, err := d.o.Pending(ctx)
	if err != nil {
		return err
	}
	var ids []string
	for _, r := range pending {
		ids = append(ids, r.ID)
	}
	for _, name := range d.names {
		told, err := d.o.Store.Deliveries(ctx, Filter{Channel: name})
		if err != nil {
			return err
		}
		for i := range told {
			if !slices.Contains(ids, told[i].Request) {
				ids = append(ids, told[i].Request)
			}
		}
	}
	return d.derive(ctx, ids, last)
}

// derive stores what is to be told of requests as they stand now.
func (d *Dispatcher) derive(ctx context.Context, ids []string, event int64) error {
	now := d.o.Now()
	s := Step{Event: event, At: now}
	for _, id := range ids {
		r, err := d.o.Get(ctx, id)
		switch {
		case errors.Is(err, approval.ErrNotFound), errors.Is(err, approval.ErrAltered), errors.Is(err, approval.ErrDamaged):
			s.Ended = append(s.Ended, id) // nobody can decide it
		case err != nil:
			return err
		case r.State != approval.Pending:
			s.Ended = append(s.Ended, id)
		default:
			for _, name := range d.told(r) {
				s.Asks = append(s.Asks, Delivery{
					ID: "dlv_" + rand.Text(), Request: id, Channel: name, About: Asking(r), State: Due,
					Created: now, Changed: now, Next: later(now, r.Created.Add(d.lines[name].After)),
				})
			}
		}
	}
	return d.o.Store.Follow(ctx, s)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// named are the channels that the policy in force names for its asks: all of them where it
// names none.
func (d *Dispatcher) named() []string {
	if named := d.o.Told(); len(named) > 0 {
		return named
	}
	return d.names
}

// told are the channels that are told of a request: those that must decide it, and beside
// them, of each person who may, those by which they can. Where a group names no channel, or
// everybody may decide, it is those that the policy names.
func (d *Dispatcher) told(r *approval.Request) (list []string) {
	groups := r.Groups()
	all := len(groups) == 0
	for i := range groups {
		found := false
		for _, name := range groups[i].Names() {
			found, list = found || d.lines[name] != nil, append(list, d.reaching(name)...)
		}
		all = all || !found
	}
	if list = slices.Compact(slices.Sorted(slices.Values(list))); !all {
		return list
	}
	for _, name := range d.named() {
		if d.lines[name] == nil {
			d.missing(name)
		} else if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// reaching are the channels by which a name of an approver can answer: the channel that it
// is, or those of the person, of which the policy names some.
func (d *Dispatcher) reaching(name string) (list []string) {
	if d.lines[name] != nil {
		return []string{name}
	}
	for _, at := range d.named() {
		if d.KnowsAt(at, strings.ToLower(name)) {
			list = append(list, at)
		}
	}
	return list
}

// missing tells the log once of a channel that a policy names and nobody has.
func (d *Dispatcher) missing(name string) {
	d.mu.Lock()
	told := d.misnamed[name]
	d.misnamed[name] = true
	d.mu.Unlock()
	if !told {
		d.o.Log.Error("nobody is told of requests by a channel that the policy names", "error", Unknown(name, d.names))
	}
}

// Misnamed says what is wrong with the channels that the policy in force names, nil for
// nothing.
func (d *Dispatcher) Misnamed() error {
	var errs []error
	for _, name := range d.named() {
		if d.lines[name] == nil {
			errs = append(errs, Unknown(name, d.names))
		}
	}
	return errors.Join(errs...)
}

// Unknown says that a policy names a channel that is not among those configured.
func Unknown(name string, configured []string) error {
	text := "security.approval.notify_channel: no channel " + clip.Quote(name) + " is configured in approvers.yaml"
	switch near := spelling.Nearest(name, configured); {
	case near != "":
		text += " (did you mean " + near + "?)"
	case len(configured) == 0:
		text += ": add it there, or take the name out of the policy"
	default:
		text += ": there is " + strings.Join(configured, ", ")
	}
	return errors.New(text)
}
