package push

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/support/sleep"
)

// A Waiting is what browsers are told.
type Waiting struct {
	// Count is how many requests wait; Request is the newest, and Risk how much harm
	// it can do, "" where that is unknown.
	Count   int    `json:"waiting"`
	Risk    string `json:"risk"`
	Request string `json:"request"`
	// Until is when the newest is over: what comes later is of no use.
	Until time.Time `json:"-"`
}

// Options are what a pusher works with. Store, Key, Waiting, Now and Log must be set.
type Options struct {
	Store Store
	// Key returns the key of the service; it is asked for when somebody subscribes or is
	// told, so that a service that tells nobody has none.
	Key func() (*Key, error)
	// Waiting returns what waits.
	Waiting func(ctx context.Context) (Waiting, error)
	Now     func() time.Time
	Log     *slog.Logger
	// Contact is whom push services may ask, as mailto: or https:; "" stands for the
	// page of the project.
	Contact string
	Guard   Guard
	// Sender sends; nil stands for one that goes by the guard.
	Sender *Sender
	// Gather is how long requests are gathered that come together, and Pause how long
	// a browser is left alone after it was told; 0 stands for 300 ms and 5 s.
	Gather, Pause time.Duration
}

const (
	defaultContact = "https://policyctl.github.io/policyctl/"
	defaultGather  = 300 * time.Millisecond
	defaultPause   = 5 * time.Second
)

// A Pusher tells browsers what waits. For each there is at most one message that was
// not sent yet, the newest, so that nothing grows. It is safe for concurrent use.
type Pusher struct {
	o    Options
	wake chan struct{}
	// turns are how many messages may be on their way at once.
	turns chan struct{}

	mu    sync.Mutex
	lines map[string]*line // by the ids of subscriptions
	work  sync.WaitGroup
}

// A line is what there is to tell one browser.
type line struct {
	next    *Waiting // nil for nothing
	running bool
	outcome Outcome
}

// An Outcome is what came of the last message to a browser. The zero value is that
// there was none.
type Outcome struct {
	At time.Time
	// Problem says why it did not come, "" where it did.
	Problem string
}

// maxTurns bounds the messages that are on their way.
const maxTurns = 4

// New returns a pusher. [Pusher.Run] must run for anybody to be told.
func New(o Options) *Pusher {
	o.Contact, o.Gather, o.Pause = cmp.Or(o.Contact, defaultContact), cmp.Or(o.Gather, defaultGather), cmp.Or(o.Pause, defaultPause)
	if o.Sender == nil {
		o.Sender = NewSender(o.Guard, nil)
	}
	return &Pusher{o: o, wake: make(chan struct{}, 1), turns: make(chan struct{}, maxTurns), lines: make(map[string]*line)}
}

// Wake says that a request has come. It never waits.
func (p *Pusher) Wake() {
	select {
	case p.wake <- struct{}{}:
	default: // it is to look already
	}
}

// PublicKey is what a browser subscribes with, in base64url.
func (p *Pusher) PublicKey() (string, error) {
	k, err := p.o.Key()
	if err != nil {
		return "", err
	}
	return k.Public()
}

// Check says why a subscription cannot be told anything.
func (p *Pusher) Check(s *Subscription) error {
	if err := s.Check(); err != nil {
		return err
	}
	return p.o.Guard.Endpoint(s.Endpoint)
}

// Forget drops what a subscription was to be told, which was removed.
func (p *Pusher) Forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.lines[id]; l != nil {
		l.next = nil
	}
	delete(p.lines, id)
}

// Outcome returns what came of the last message to a subscription.
func (p *Pusher) Outcome(id string) Outcome {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.lines[id]; l != nil {
		return l.outcome
	}
	return Outcome{}
}

// Failing returns to how many browsers the last message did not come.
func (p *Pusher) Failing() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		if l.outcome.Problem != "" {
			n++
		}
	}
	return n
}

// Run tells browsers until ctx is done, and returns when nothing is on its way any more.
func (p *Pusher) Run(ctx context.Context) {
	defer p.work.Wait()
	for {
		select {
		case <-p.wake:
		case <-ctx.Done():
			return
		}
		if !sleep.For(ctx, p.o.Gather) {
			return
		}
		if err := p.tell(ctx); err != nil && ctx.Err() == nil {
			p.o.Log.ErrorContext(ctx, "nobody was told by push that a request waits", "error", err)
		}
	}
}

// tell hands what waits to the line of each subscription.
func (p *Pusher) tell(ctx context.Context) error {
	all, err := p.o.Store.Subscriptions(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	w, err := p.o.Waiting(ctx)
	if err != nil || w.Count == 0 {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range all {
		l := p.lines[s.ID]
		if l == nil {
			l = new(line)
			p.lines[s.ID] = l
		}
		l.next = &w
		if !l.running {
			l.running = true
			p.work.Go(func() { p.serve(ctx, &s, l) })
		}
	}
	return nil
}

// maxTries is how often a message is tried.
const maxTries = 4

// serve sends what there is in a line, until there is no more.
func (p *Pusher) serve(ctx context.Context, s *Subscription, l *line) {
	tries := 0
	var last *Waiting
	for {
		w := p.take(l)
		if w == nil {
			return
		}
		if w != last {
			tries, last = 0, w
		}
		pause := p.o.Pause
		if err := p.send(ctx, s, w); err != nil {
			if pause = p.failed(ctx, s, l, err, tries); pause == 0 {
				continue
			}
			tries++
			p.again(l, w)
		} else {
			p.note(l, "")
		}
		if !sleep.For(ctx, pause) {
			p.end(l)
			return
		}
	}
}

// take takes what there is to tell; nil ends the line.
func (p *Pusher) take(l *line) *Waiting {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := l.next
	if l.next = nil; w == nil || !p.o.Now().Before(w.Until) {
		l.running = false
		return nil
	}
	return w
}

// again puts a message back, unless there is a newer one.
func (p *Pusher) again(l *line, w *Waiting) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.next == nil {
		l.next = w
	}
}

func (p *Pusher) end(l *line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.running = false
}

func (p *Pusher) note(l *line, problem string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.outcome = Outcome{p.o.Now(), problem}
}

// send sends one message.
func (p *Pusher) send(ctx context.Context, s *Subscription, w *Waiting) error {
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	key, err := p.o.Key()
	if err != nil {
		return err
	}
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	left := w.Until.Sub(p.o.Now())
	return p.o.Sender.Send(ctx, Message{To: s, Text: text, Key: key, Contact: p.o.Contact, Now: p.o.Now(), Life: left, Urgent: w.Risk == "high"})
}

// failed notes why a message did not come, and returns how long to wait before it is
// tried again; 0 is never. A browser that is gone is forgotten.
func (p *Pusher) failed(ctx context.Context, s *Subscription, l *line, why error, tries int) (pause time.Duration) {
	if ctx.Err() != nil {
		return 0
	}
	answer, _ := errors.AsType[*Failure](why)
	if answer != nil && answer.Gone() {
		_, err := p.o.Store.RemoveSubscription(ctx, s.ID)
		p.Forget(s.ID)
		p.o.Log.InfoContext(ctx, "a browser is told by push no more: it has unsubscribed", "subscription", s.ID, "person", s.Person, "error", err)
		return 0
	}
	problem := why.Error()
	switch {
	case tries+1 >= maxTries || answer != nil && !answer.Temporary():
		problem += "; the next request is tried again"
	case answer != nil && answer.RetryAfter > 0:
		pause = answer.RetryAfter
	default:
		pause = p.o.Pause << tries
	}
	p.note(l, problem)
	p.o.Log.WarnContext(ctx, "a browser was not told by push", "subscription", s.ID, "person", s.Person, "error", why, "again_in", pause)
	return pause
}

// A Failure is an answer of a push service that is no success.
type Failure struct {
	Status int
	// RetryAfter is how long the push service wants to be left alone, 0 where it does
	// not say.
	RetryAfter time.Duration
}

// Error says what the push service answered.
func (f *Failure) Error() string {
	switch {
	case f.Status >= 300 && f.Status < 400:
		return fmt.Sprintf("the push service sends elsewhere (%d), which is not followed", f.Status)
	case f.RetryAfter > 0:
		return fmt.Sprintf("the push service answers %d and wants %s of rest", f.Status, f.RetryAfter)
	}
	return fmt.Sprintf("the push service answers %d", f.Status)
}

// Gone reports whether there is no such subscription any more.
func (f *Failure) Gone() bool { return f.Status == 404 || f.Status == 410 }

// Temporary reports whether to ask again may help.
func (f *Failure) Temporary() bool { return f.Status == 429 || f.Status >= 500 }

// CheckContact says what is wrong with a contact, "" is none.
func CheckContact(text string) error {
	u, err := url.Parse(text)
	if text == "" || err == nil && (u.Scheme == "mailto" && u.Opaque != "" || u.Scheme == "https" && u.Host != "") {
		return nil
	}
	return fmt.Errorf("%q is no address; write mailto:ops@example.com, or an https URL", text)
}
