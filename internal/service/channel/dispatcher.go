package channel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/support/sleep"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A Channel is a way to reach people, as the settings have it. Name, Type and Driver
// must be set.
type Channel struct {
	// Name is what policies call it, Type the service behind it, such as "telegram".
	Name, Type string
	Driver     Driver
	// People are the names of those who may answer, by who they are at the service.
	People map[string]string
	// Place is where they must answer: the place of an [Answer], or its part behind
	// the last slash; "" for anywhere.
	Place string
	// OneTap is the highest risk that one press approves, one of [Taps]. The zero value
	// is none.
	OneTap string
	// After is how long a request waits before this channel is told.
	After time.Duration
}

// Options are what a dispatcher works with. All but Retry and
// TurnedAway must be set.
type Options struct {
	Store    Store
	Channels []Channel
	// Get returns a request as it stands, Pending those that wait.
	Get     func(ctx context.Context, id string) (*approval.Request, error)
	Pending func(ctx context.Context) ([]*approval.Request, error)
	// Events returns events behind an id, the oldest first; Bounds the ids of the first
	// and the last one that are kept.
	Events func(ctx context.Context, after int64, limit int) ([]approval.Event, error)
	Bounds func(ctx context.Context) (first, last int64, err error)
	// Decide answers a request for an identity, which is NAME:PERSON.
	Decide func(ctx context.Context, by, id string, a approval.Answer) (*approval.Request, error)
	// Told are the channels that the policy in force names for its asks, none for all.
	Told func() []string
	// NeedsPasskey reports whether to approve a call of a risk takes a passkey.
	NeedsPasskey func(risk string) bool
	// TurnedAway is told when an answer of somebody could not be taken; nil for nobody.
	TurnedAway func()
	// Link is the page of a request at the desk, "" for none.
	Link func(id string) string
	// Record stores records of the audit log.
	Record func(ctx context.Context, log ...audit.Entry) error
	// Now may not go back.
	Now func() time.Time
	Log *slog.Logger
	// Retry is how long the first pause is after what failed; 0 stands for a second.
	Retry time.Duration
}

// A Dispatcher tells channels of requests, and takes what people answer. It is safe for
// concurrent use. [Dispatcher.Run] must run for anything to be told.
type Dispatcher struct {
	o    Options
	wake chan struct{}
	// lines are those of the channels, by their names.
	lines map[string]*line
	names []string
	work  sync.WaitGroup

	mu sync.Mutex
	// flying are the requests and channels for which something is on its way.
	flying map[[2]string]bool
	// misnamed are the unknown channels of which the log was told.
	misnamed map[string]bool
}

// A line is what is known of a channel while the service runs.
type line struct {
	Channel
	alarm limiter

	mu sync.Mutex
	// failures counts what failed since something worked last; broken says that the
	// service has refused us.
	failures int
	broken   bool
	problem  string // of what was sent last
	deaf     string // why nothing is heard, "" where it is
	paused   time.Time
	inFlight int
}

// New returns a dispatcher. Names of channels must differ.
func New(o Options) *Dispatcher {
	o.Retry = cmp.Or(o.Retry, time.Second)
	if o.TurnedAway == nil {
		o.TurnedAway = func() {}
	}
	d := &Dispatcher{o: o, wake: make(chan struct{}, 1), lines: make(map[string]*line), flying: make(map[[2]string]bool), misnamed: make(map[string]bool)}
	for _, c := range o.Channels {
		d.lines[c.Name] = &line{Channel: c}
		d.names = append(d.names, c.Name)
	}
	return d
}

// Wake says that something has happened to a request. It never waits.
func (d *Dispatcher) Wake() {
	select {
	case d.wake <- struct{}{}:
	default: // it is to look already
	}
}

// The times of the loop: how long it sleeps at most, and how long after an error of the
// store.
const (
	maxSleep   = 5 * time.Second
	storeSleep = time.Second
	// keepTime is how long what was told is remembered, so that who presses late learns
	// who was first.
	keepTime    = 7 * 24 * time.Hour
	forgetEvery = time.Hour
)

// Run tells and hears until ctx is done, and returns when nothing is on its way any
// more.
func (d *Dispatcher) Run(ctx context.Context) {
	if len(d.names) == 0 {
		return
	}
	defer d.work.Wait()
	for !d.recovered(ctx) {
		if !sleep.For(ctx, storeSleep) {
			return
		}
	}
	for _, name := range d.names {
		d.work.Go(func() { d.listen(ctx, d.lines[name]) })
	}
	var forgotten time.Time
	for {
		next, err := d.step(ctx)
		if err != nil && ctx.Err() == nil {
			d.o.Log.ErrorContext(ctx, "channels are not told what happens to requests", "error", err)
			next = storeSleep
		}
		if now := d.o.Now(); now.Sub(forgotten) >= forgetEvery {
			forgotten = now
			if err := d.o.Store.ForgetDeliveries(ctx, now.Add(-keepTime)); err != nil && ctx.Err() == nil {
				d.o.Log.ErrorContext(ctx, "old deliveries of channels are not removed", "error", err)
			}
		}
		timer := time.NewTimer(next)
		select {
		case <-d.wake:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// step derives deliveries and begins to send those whose time has come. It returns how
// long there is nothing else to do.
func (d *Dispatcher) step(ctx context.Context) (time.Duration, error) {
	for {
		more, err := d.follow(ctx)
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
	}
	return d.schedule(ctx)
}

// recovered settles what was on its way when the service ended last, and reports whether
// it could.
func (d *Dispatcher) recovered(ctx context.Context) bool {
	open, err := d.o.Store.Deliveries(ctx, Filter{})
	for i := 0; err == nil && i < len(open); i++ {
		err = d.settle(ctx, open[i])
	}
	if err != nil && ctx.Err() == nil {
		d.o.Log.ErrorContext(ctx, "the deliveries of channels cannot be read", "error", err)
	}
	return err == nil
}

// settle says what becomes of a delivery that nobody works on. What may have arrived is
// sent again only where that shows; changing a message twice changes nothing.
func (d *Dispatcher) settle(ctx context.Context, v Delivery) error {
	was := v.State
	l := d.lines[v.Channel]
	switch {
	case l == nil:
		v.State, v.Problem = Failed, "approvers.yaml has no channel "+v.Channel+" any more"
	case was != Sending:
		return nil
	case v.About == AboutOutcome || l.Driver.Repeats():
		v.State, v.Next, v.Problem = Due, d.o.Now(), "the service ended while this was sent"
	default:
		v.State, v.Problem = Uncertain, "the service ended while this was sent: it may have arrived"
		d.o.Log.WarnContext(ctx, "nobody knows whether a channel was told, and the next one is used", "channel", v.Channel, "request", v.Request)
	}
	v.Changed = d.o.Now()
	_, err := d.o.Store.ChangeDelivery(ctx, Change{Delivery: v, Was: was})
	return err
}

// listen hears what people say, and connects again where that ends.
func (d *Dispatcher) listen(ctx context.Context, l *line) {
	for tries := 0; ; tries++ {
		// One that lasts has connected.
		lasts := time.AfterFunc(soundTime, func() { l.deafen(nil) })
		err := safely(func() error { return l.Driver.Listen(ctx, l.hearing(d)) })
		lasted := !lasts.Stop()
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			err = errors.New("the connection was closed")
		}
		if lasted {
			tries = 0
		}
		if tries > 0 || refusal(err) != nil || isLong(pauseOf(err)) { // connections break now and then
			l.deafen(err)
		}
		d.o.Log.WarnContext(ctx, "a channel hears nothing for now", "channel", l.Name, "error", err)
		if !sleep.For(ctx, max(pauseOf(err), d.backoff(tries))) {
			return
		}
	}
}

// soundTime is how long a connection lasts that is sound.
const soundTime = 10 * time.Second

// hearing is what a driver tells of what people say.
func (l *line) hearing(d *Dispatcher) Hear {
	return func(ctx context.Context, a Answer) Reply { return d.hear(ctx, l, a) }
}

// safely turns a panic of a driver into an error: it is no reason for the service to end.
func safely(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the driver of the channel panicked: %v", p)
		}
	}()
	return do()
}

// pauseOf is how long an error wants the service to be left alone.
func pauseOf(err error) time.Duration {
	if p, ok := errors.AsType[*Pause](err); ok {
		return min(max(p.For, 0), maxPause)
	}
	return 0
}
