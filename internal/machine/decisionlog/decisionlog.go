// Package decisionlog sends decisions to a collector in the format of OPA's
// decision logs, so that whatever takes those takes these.
//
// [Logger.Log] masks the secrets of an event and puts it into a spool on disk,
// or into a buffer in memory where there is none; one goroutine uploads what is
// there as gzipped JSON arrays. What a server refuses for good is dropped and
// counted; what it could not take is kept and sent again. [SendStatus] reports
// on bundles in OPA's format.
//
// A collector may get an event twice, which has the same decision_id then. What
// is in memory when the process dies is lost. The package retries forever and
// says so only in [Logger.Stats].
package decisionlog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/support/redact"
)

// A Config says where events go. Only URL is required.
type Config struct {
	// URL is where events are posted, with its path.
	URL string
	// Labels stand in every event.
	Labels map[string]string
	// Header returns the header of a request, such as a bearer token; it is
	// asked for each. nil adds nothing.
	Header func() (http.Header, error)
	// Client sends the requests; nil is a client of its own.
	Client *http.Client
	// Spool keeps events until the server has them, also those of other
	// processes; nil keeps them in memory.
	Spool *spool.Spool
	// BufferBytes bounds the encoded events in memory; 0 means 10 MiB.
	BufferBytes int64
	// UploadBytes bounds a compressed chunk; 0 means 32 KiB.
	UploadBytes int64
	// MinDelay is how long events are gathered before an upload; after failures
	// the delay doubles up to MaxDelay. 0 means 5 seconds and 5 minutes.
	MinDelay, MaxDelay time.Duration
	// NoMask leaves secrets in the events.
	NoMask bool
	// Now is the clock; nil is that of the system.
	Now func() time.Time
}

// Stats are the counters of a logger since it was made.
type Stats struct {
	// Buffered events wait: in BufferedBytes of memory, or in the spool.
	Buffered      int
	BufferedBytes int64
	// Sent events were taken by the server.
	Sent uint64
	// Dropped events found the buffer full or the logger closed, or could not
	// be encoded.
	Dropped uint64
	// Rejected events were refused by the server for good, or are larger than
	// a chunk.
	Rejected uint64
	// FailedUploads were requests without success, whatever became of the
	// events.
	FailedUploads uint64
	// LastError is the last failure, "" if there was none; it holds no secret.
	LastError string
	// LastSuccess is the time of the last upload that succeeded.
	LastSuccess time.Time
}

// A Logger uploads events. It is safe for concurrent use.
type Logger struct {
	config  Config
	client  *http.Client
	encoder spool.Encoder
	after   func(time.Duration) <-chan time.Time
	random  func() float64

	queue  queue
	packer packer
	sender chan struct{} // held by who uploads
	wake   chan struct{} // something is in the buffer
	stop   chan struct{} // closed by Close
	done   chan struct{} // closed when the goroutine has ended
	once   sync.Once
	cancel context.CancelFunc
}

// New returns a logger that runs until [Logger.Close]. The error says what is
// wrong with the configuration.
func New(c Config) (*Logger, error) {
	return start(c, time.After, rand.Float64)
}

func start(c Config, after func(time.Duration) <-chan time.Time, random func() float64) (*Logger, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &Logger{
		config: c, client: sameHost(c.Client), after: after, random: random, cancel: cancel,
		encoder: spool.Encoder{Labels: maps.Clone(c.Labels), Bound: c.UploadBytes, NoMask: c.NoMask, Now: c.Now},
		queue:   &buffer{limit: c.BufferBytes}, packer: packer{most: c.UploadBytes, limit: c.UploadBytes, budget: 2 * c.UploadBytes},
		sender: make(chan struct{}, 1), wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
	}
	if c.Spool != nil {
		l.queue = &disk{spool: c.Spool}
		l.signal() // events of an earlier process may wait
	}
	go l.run(ctx)
	return l, nil
}

// complete puts in the defaults and checks what is set.
func (c *Config) complete() error {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("decision log: the URL must be whole, such as https://logs.example.com/v1/logs; check its scheme and host")
	}
	if c.BufferBytes < 0 || c.UploadBytes < 0 || c.MinDelay < 0 || c.MaxDelay < 0 {
		return errors.New("decision log: sizes and delays must not be negative; leave them out for the defaults")
	}
	setDefault(&c.BufferBytes, 10<<20)
	setDefault(&c.UploadBytes, 32<<10)
	setDefault(&c.MinDelay, 5*time.Second)
	setDefault(&c.MaxDelay, max(c.MinDelay, 5*time.Minute))
	if c.MaxDelay < c.MinDelay {
		return fmt.Errorf("decision log: the greatest delay %v is less than the least, %v; raise it or leave it out", c.MaxDelay, c.MinDelay)
	}
	if c.UploadBytes < minUpload {
		return fmt.Errorf("decision log: a chunk of %d bytes cannot hold an event; allow %d or more", c.UploadBytes, minUpload)
	}
	if c.Client == nil {
		c.Client = &http.Client{}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return nil
}

// minUpload is the least bound of a chunk in which an event fits.
const minUpload = 1 << 10

func setDefault[T int64 | time.Duration](p *T, value T) {
	if *p == 0 {
		*p = value
	}
}

// An Event is one decision.
type Event = spool.Event

// Log puts an event into the spool or the buffer. It never waits for the
// network; where that is full or the logger closed, the event is dropped and
// counted. The event is read before Log returns and may be changed after.
func (l *Logger) Log(e Event) {
	if l.queue.full() {
		return
	}
	data, err := l.encoder.Encode(&e)
	if err != nil {
		l.queue.drop(err.Error())
		return
	}
	if l.queue.add(data) {
		l.signal()
	}
}

func (l *Logger) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Stats returns the counters.
func (l *Logger) Stats() Stats { return l.queue.stats() }

// Flush sends what waits now. The error says what could not be sent within the
// context and stays, or what the server refused.
func (l *Logger) Flush(ctx context.Context) error {
	lost, err := l.drain(ctx)
	return errors.Join(lost, err)
}

// Close refuses further events, sends what is left and ends the logger. Where
// the context has a deadline, it tries again until then. The error says what
// could not be sent: it is lost, or stays in the spool.
func (l *Logger) Close(ctx context.Context) error {
	var err error
	l.once.Do(func() {
		l.queue.close()
		close(l.stop)
		err = l.insist(ctx)
		l.cancel()
		<-l.done
		if n := l.Stats().Buffered; n > 0 {
			err = l.left(n, err)
		}
	})
	return err
}

// left says what became of events that were not sent.
func (l *Logger) left(n int, err error) error {
	if l.config.Spool == nil {
		return fmt.Errorf("%d events are lost at close, the collector did not take them in time: %w", n, err)
	}
	if err == nil {
		return nil // another process sends them
	}
	return fmt.Errorf("%d events wait in %s, the collector did not take them in time; the next policyctl bundle sync or serve sends them: %w",
		n, l.config.Spool.Dir(), err)
}

// The waits between the attempts at the end.
const (
	firstWait = 50 * time.Millisecond
	lastWait  = time.Second
)

// insist flushes until all is sent or the deadline of the context is near.
func (l *Logger) insist(ctx context.Context) error {
	deadline, ends := ctx.Deadline()
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		lost, err := l.drain(ctx)
		if err == nil || !ends || time.Until(deadline) < wait {
			return errors.Join(lost, err)
		}
		select {
		case <-ctx.Done():
			return errors.Join(lost, err)
		case <-time.After(wait):
		}
	}
}

// clean returns the text of an error without secrets.
func clean(err error) string {
	text, _ := redact.Text(err.Error())
	return text
}
