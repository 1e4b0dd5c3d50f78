package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Recorder keeps calls for previews.
type Recorder interface {
	RecordCalls(ctx context.Context, all ...ruledb.Recorded) error
}

// Bounds of what waits to be kept: calls, and bytes of one call. What is
// larger is not kept.
const (
	maxWaiting = 256
	maxCall    = 64 << 10
)

// So many calls are stored together, and the first of them waits so long for others: no
// answer depends on them, but whoever stores a request waits for their transaction.
const (
	maxTogether = 64
	gatherTime  = 200 * time.Millisecond
)

// storeTime is how long a call may take to be stored.
const storeTime = 5 * time.Second

// A recorder keeps calls without holding up who decides them.
type recorder struct {
	into    Recorder
	failed  func(error)
	waiting chan secretCall
	// known are calls with an id that were kept: to ask about one twice is one
	// call.
	known *lru.Cache[string, struct{}]
	lost  atomic.Uint64
}

// A secretCall is a call with its secrets.
type secretCall struct {
	at   time.Time
	json []byte
}

func newRecorder(into Recorder, failed func(error)) *recorder {
	return &recorder{into: into, failed: failed, waiting: make(chan secretCall, maxWaiting), known: newCache[struct{}](16 * maxWaiting)}
}

// keep puts a call in the queue, or counts it as lost.
func (r *recorder) keep(c *policy.Call) {
	if c.ID != "" {
		if again, _ := r.known.ContainsOrAdd(fmt.Sprintf("%q %s", c.Session, c.ID), struct{}{}); again {
			return
		}
	}
	text, err := policy.EncodeCall(c)
	if err != nil || len(text) > maxCall {
		r.lost.Add(1)
		return
	}
	select {
	case r.waiting <- secretCall{c.Time, text}:
	default:
		r.lost.Add(1)
	}
}

// run stores what waits until the context ends, and then what still does.
func (r *recorder) run(ctx context.Context) {
	for {
		select {
		case w := <-r.waiting:
			r.store(ctx, w)
			continue
		case <-ctx.Done():
		}
		select {
		case w := <-r.waiting:
			r.store(ctx, w)
		default:
			return
		}
	}
}

// store stores a call, with those that come soon.
func (r *recorder) store(ctx context.Context, w secretCall) {
	together := r.gather(ctx, w)
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer stop()
	var all []ruledb.Recorded
	for _, w := range together {
		c, err := w.withoutSecrets()
		if err != nil {
			r.lose(1, err)
			continue
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return
	}
	if err := r.into.RecordCalls(ctx, all...); err != nil {
		r.lose(len(all), err)
	}
}

// gather returns a call and those that come soon, as many as are stored together. When the
// context ends, it waits for none.
func (r *recorder) gather(ctx context.Context, first secretCall) []secretCall {
	ctx, stop := context.WithTimeout(ctx, gatherTime)
	defer stop()
	all := []secretCall{first}
	for len(all) < maxTogether {
		select {
		case w := <-r.waiting:
			all = append(all, w)
			continue
		default:
		}
		select {
		case w := <-r.waiting:
			all = append(all, w)
		case <-ctx.Done():
			return all
		}
	}
	return all
}

// lose counts calls that are not kept.
func (r *recorder) lose(n int, why error) {
	r.lost.Add(uint64(n))
	r.failed(fmt.Errorf("%d decided calls are not kept for previews: %w", n, why))
}

// withoutSecrets returns the call as it is kept.
func (w *secretCall) withoutSecrets() (ruledb.Recorded, error) {
	c, err := policy.DecodeCall(w.json)
	if err != nil {
		return ruledb.Recorded{}, err
	}
	for _, values := range []*map[string]any{&c.Input, &c.Record} {
		if *values == nil {
			continue
		}
		clean, _ := redact.Value(*values)
		m, ok := clean.(map[string]any)
		if !ok {
			return ruledb.Recorded{}, errors.New("its arguments are not an object")
		}
		*values = m
	}
	for _, text := range []*string{&c.ID, &c.Dir, &c.ProjectDir, &c.SessionDir, &c.Session, &c.Agent} {
		*text, _ = redact.Text(*text)
	}
	text, err := policy.EncodeCall(c)
	return ruledb.Recorded{At: w.at.UTC(), Session: c.Session, JSON: json.RawMessage(text)}, err
}

// flushEvery is how often the uses of grants are stored.
const flushEvery = time.Minute

// Run keeps what is decided until the context ends.
func (j *Judge) Run(ctx context.Context) {
	if j.o.Grants == nil {
		j.recorder.run(ctx)
		return
	}
	flushed := make(chan struct{})
	go func() {
		defer close(flushed)
		j.flush(ctx)
	}()
	j.recorder.run(ctx)
	<-flushed
}

// flush stores the uses of grants now and then, and at the end.
func (j *Judge) flush(ctx context.Context) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for ended := false; !ended; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			ended = true
		}
		bounded, stop := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
		if err := j.o.Grants.Flush(bounded); err != nil {
			j.o.Failed(fmt.Errorf("when grants were used last is not kept: %w", err))
		}
		stop()
	}
}

// Lost returns how many calls were not kept: they came too fast, were too
// large, or could not be stored.
func (j *Judge) Lost() uint64 { return j.recorder.lost.Load() }
