package subscription

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/bundle"
)

// run runs for so many requests and returns the pauses between them, with
// before called ahead of each request but the first.
func (r *rig) run(requests int, before func(i int)) (pauses []time.Duration) {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.t.Context())
	defer cancel()
	r.random = func() float64 { return 1 } // the longest
	r.wait = func(ctx context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		if len(pauses) == requests {
			cancel()
			return ctx.Err()
		}
		r.pass(d)
		if before != nil {
			before(len(pauses))
		}
		return nil
	}
	if err := r.Run(ctx); !errors.Is(err, context.Canceled) {
		r.t.Fatal(err)
	}
	return pauses
}

func TestPauses(t *testing.T) {
	origin := newTestServer(t)
	good := signed(t, 1)
	for want, row := range map[string]struct {
		archive      []byte
		first, later http.HandlerFunc
		edit         func(*Config)
	}{
		"[2m0s 2m0s 2m0s 2m0s]": {good, nil, nil, func(*Config) {}},
		"[7s 7s 7s 7s]":         {good, nil, nil, func(c *Config) { c.MinDelay, c.MaxDelay = 5*time.Second, 7*time.Second }},
		"[1s 2s 4s 8s]":         {good, status(500), status(500), func(*Config) {}},
		"[1s 2s 3s 3s]":         {good, status(500), status(500), func(c *Config) { c.MinDelay, c.MaxDelay = time.Second, 3*time.Second }},
		"[300ms 300ms 300ms]":   {good, status(500), status(500), func(c *Config) { c.MaxDelay = 300 * time.Millisecond }},
		"[1m0s 2m0s 2m0s 2m0s]": {plain(t, 1), nil, nil, func(*Config) {}},
		// News over long polls may come at once; a server that does not hold
		// requests is polled.
		"[100ms 2m0s 2m0s]": {good, nil, status304, func(c *Config) { c.LongPoll = 30 * time.Second }},
	} {
		origin.publish(row.archive)
		origin.misbehave(row.first)
		r := newRig(t, origin.URL, row.edit)
		got := fmt.Sprint(r.run(strings.Count(want, " ")+1, func(int) { origin.misbehave(row.later) }))
		if got != want {
			t.Errorf("pauses %s, want %s", got, want)
		}
	}
}

func status304(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }

func TestJitter(t *testing.T) {
	r := newRig(t, "https://example.com/b")
	for _, row := range []struct {
		random             float64
		poll, retry, third time.Duration
	}{{0, 60 * time.Second, 500 * time.Millisecond, 2 * time.Second}, {0.5, 90 * time.Second, 750 * time.Millisecond, 3 * time.Second}} {
		r.random = func() float64 { return row.random }
		if poll, retry, third := r.delay(outcome{}), r.backOff(outcome{}, 0), r.backOff(outcome{}, 2); poll != row.poll || retry != row.retry || third != row.third {
			t.Errorf("%v: %v %v %v", row.random, poll, retry, third)
		}
	}
	if d := r.backOff(outcome{}, 1<<30); d <= 0 || d > defaultMax {
		t.Errorf("after many failures: %v", d)
	}
}

// A bundle that is refused is downloaded seldom, and its successor taken.
func TestRunWithRefusedBundle(t *testing.T) {
	origin := newTestServer(t)
	origin.publish(signed(t, 1))
	r := newRig(t, origin.URL)
	r.run(8, func(i int) {
		switch i {
		case 1:
			origin.publish(plain(t, 2))
		case 6:
			origin.publish(signed(t, 2))
		}
	})
	r.has("r2")
	if passed := r.now().Sub(noon); passed < 10*time.Minute || r.Health().Err != nil {
		t.Errorf("%v passed, health %v", passed, r.Health().Err)
	}
}

func TestServerGoneAndBack(t *testing.T) {
	origin := newTestServer(t)
	origin.publish(signed(t, 1))
	r := newRig(t, origin.URL)
	pauses := r.run(6, func(i int) {
		switch i {
		case 1:
			origin.misbehave(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		case 4:
			r.has("r1")
			if r.Health().Err == nil {
				t.Error("no error in health")
			}
			origin.misbehave(nil)
			origin.publish(signed(t, 2))
		}
	})
	r.has("r2")
	if got := fmt.Sprint(pauses); got != "[2m0s 1s 2s 4s 2m0s 2m0s]" {
		t.Errorf("pauses %s", got)
	}
}

// Over real time: news arrive at once, and nothing is left running.
func TestLongPoll(t *testing.T) {
	origin := newTestServer(t)
	origin.publish(signed(t, 1))
	before := runtime.NumGoroutine()
	came := make(chan string, 10)
	r := newRig(t, origin.URL, func(c *Config) {
		c.LongPoll, c.Now = time.Second, time.Now
		c.Activate = func(_ context.Context, b *bundle.Bundle) error { came <- b.Revision; return nil }
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	for n := range uint64(4) {
		select {
		case got := <-came:
			if want := fmt.Sprintf("r%d", n+1); got != want {
				t.Errorf("activated %s, want %s", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("the news did not come")
		}
		if n == 2 {
			time.Sleep(1500 * time.Millisecond) // one request ends without news
		}
		origin.publish(signed(t, n+2))
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if requests, full := origin.counts(); requests > 9 || full < 4 || origin.last().Get("Prefer") != "modes=snapshot;wait=1" {
		t.Errorf("%d requests, %d bundles, headers %v", requests, full, origin.last())
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Readers see one whole bundle at any time, and never an older one.
func TestReload(t *testing.T) {
	const activations = 1000
	var current atomic.Pointer[bundle.Bundle]
	var number atomic.Uint64
	archives := make([][]byte, activations+1)
	for n := range archives {
		archives[n] = plain(t, uint64(n), func(b *bundle.Bundle) { b.Data = map[string]any{"team": b.Revision} })
	}
	r := newRig(t, "https://example.com/b", unsigned, func(c *Config) {
		c.Activate = func(_ context.Context, b *bundle.Bundle) error { current.Store(b); return nil }
	})
	r.source = sourceFunc(func(context.Context, string) (answer, error) {
		return answer{archive: archives[number.Add(1)]}, nil
	})
	stop, failed := make(chan struct{}), make(chan string, 4)
	for range cap(failed) {
		go func() { failed <- look(&current, r.Subscription, stop) }()
	}
	for range activations {
		if err := r.Fetch(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	for range cap(failed) {
		if text := <-failed; text != "" {
			t.Error(text)
		}
	}
	if h := r.Health(); h.Sequence != activations {
		t.Errorf("active is %d", h.Sequence)
	}
}

func look(current *atomic.Pointer[bundle.Bundle], s *Subscription, stop chan struct{}) string {
	var last uint64
	for {
		select {
		case <-stop:
			return ""
		default:
		}
		if b := current.Load(); b != nil {
			if b.Sequence < last || b.Revision != fmt.Sprintf("r%d", b.Sequence) || b.Data["team"] != b.Revision {
				return fmt.Sprintf("after %d: %d %q %v", last, b.Sequence, b.Revision, b.Data)
			}
			last = b.Sequence
		}
		if h := s.Health(); h.Digest != "" && h.Revision != fmt.Sprintf("r%d", h.Sequence) {
			return fmt.Sprintf("health %+v", h)
		}
		runtime.Gosched()
	}
}

type sourceFunc func(context.Context, string) (answer, error)

func (f sourceFunc) get(ctx context.Context, tag string) (answer, error) { return f(ctx, tag) }
