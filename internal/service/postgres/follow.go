package postgres

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
)

// pollEvery is how often events are looked for that nobody has told of, and whether the
// server is there.
const pollEvery = time.Second

// follow tells of the events of all instances until ctx ends. It has a connection of its
// own, which is made anew when it was lost.
func (s *server) follow(ctx context.Context) {
	defer close(s.done)
	for wait := time.Duration(0); ctx.Err() == nil; {
		heard, err := s.listen(ctx)
		if ctx.Err() != nil {
			return
		}
		err = s.Explain(err)
		s.down.Store(&err)
		if wait = min(2*wait+50*time.Millisecond, pollEvery); heard {
			wait = 0
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// listen tells of events until the connection is lost, and reports whether it was there.
func (s *server) listen(ctx context.Context) (heard bool, err error) {
	bounded, stop := context.WithTimeout(ctx, patience)
	defer stop()
	c, err := pgx.ConnectConfig(bounded, s.config)
	if err != nil {
		return false, err
	}
	defer func() {
		last, stop := context.WithTimeout(context.Background(), pollEvery)
		defer stop()
		_ = c.Close(last)
	}()
	if _, err := c.Exec(bounded, "LISTEN policyctl_events"); err != nil {
		return false, err
	}
	for s.down.Store(nil); ; {
		s.teller.look(ctx) // what fails is looked for again
		if err := s.await(ctx, c); err != nil {
			return true, err
		}
	}
}

// await returns when another instance has stored something, or when it is time to look. What
// this one stores it tells of by itself, before who stored it has an answer.
func (s *server) await(ctx context.Context, c *pgx.Conn) error {
	bounded, stop := context.WithTimeout(ctx, pollEvery)
	defer stop()
	for {
		n, err := c.WaitForNotification(bounded)
		switch {
		case err == nil && n.PID == s.own.Load():
			continue
		case err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
			return err
		}
		break
	}
	bounded, stop = context.WithTimeout(ctx, patience)
	defer stop()
	return c.Ping(bounded)
}

// A teller tells of events by ascending id, each once.
type teller struct {
	db      *sqlstore.DB
	readers *sql.DB
	notify  func(approval.Event)

	mu   sync.Mutex
	on   bool
	last int64 // that was told
	// epoch counts how often another server took over.
	epoch int64
}

// begin has all events told that are stored from now on.
func (t *teller) begin(ctx context.Context) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, t.last, err = t.db.EventBounds(ctx); err != nil {
		return err
	}
	err = t.renumber(ctx)
	t.on = err == nil
	return err
}

// seen returns the last event that was told in an epoch, 0 for none.
func (t *teller) seen(epoch int64) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.epoch != epoch {
		return 0
	}
	return t.last
}

// stored tells of events that this process has stored, and before of those that others
// have. What cannot be read now is told later.
func (t *teller) stored(events []approval.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.on || len(events) == 0 {
		return
	}
	if events[0].ID == t.last+1 {
		t.tell(events)
		return
	}
	_ = t.catchUp(context.Background())
}

// look tells of what was stored.
func (t *teller) look(ctx context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.catchUp(ctx)
}

// page is how many events are read at once.
const page = 500

func (t *teller) catchUp(ctx context.Context) error {
	for {
		events, err := t.db.EventsAfter(ctx, t.last, page)
		if err != nil {
			return err
		}
		if len(events) == 0 || events[0].ID != t.last+1 { // some are gone, or have other ids
			was := t.epoch
			if err := t.renumber(ctx); err != nil {
				return err
			}
			if t.epoch != was {
				continue
			}
		}
		t.tell(events)
		if len(events) < page {
			return nil
		}
	}
}

// renumber follows the changes of ids where other servers took over.
func (t *teller) renumber(ctx context.Context) error {
	all, err := t.switchesAfter(ctx)
	for _, s := range all {
		if t.on {
			t.last = min(t.last+s.jump, s.head)
		}
		t.epoch = s.epoch
	}
	return err
}

func (t *teller) tell(events []approval.Event) {
	for _, e := range events {
		t.last = e.ID
		t.notify(e)
	}
}

// A change is one in which another server took over.
type change struct{ epoch, jump, head int64 }

// switchesAfter returns what has changed since an epoch, the oldest first.
func (t *teller) switchesAfter(ctx context.Context) (all []change, err error) {
	err = each(ctx, t.readers, func(rows *sql.Rows) error {
		var c change
		err := rows.Scan(&c.epoch, &c.jump, &c.head)
		all = append(all, c)
		return err
	}, "SELECT epoch, jump, head FROM switches WHERE epoch > $1 ORDER BY epoch", t.epoch)
	return all, err
}

// each hands the rows of a query to do.
func each(ctx context.Context, db *sql.DB, do func(*sql.Rows) error, query string, args ...any) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
