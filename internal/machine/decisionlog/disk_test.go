package decisionlog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/machine/spool"
)

func closeWithin(t *testing.T, l *Logger, d time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	return l.Close(ctx)
}

// A healthy collector gets every event of a burst, once.
func TestBurst(t *testing.T) {
	const n = 20_000
	c := newCollector(t, always(200))
	s := spool.New(t.TempDir(), 0)
	l := started(t, Config{URL: c.URL, Spool: s}, time.After)
	for i := range n {
		l.Log(event(fmt.Sprint("e", i)))
	}
	if err := closeWithin(t, l, time.Minute); err != nil {
		t.Error(err)
	}
	got := c.ids()
	slices.Sort(got)
	if st := l.Stats(); len(got) != n || len(slices.Compact(got)) != n || st.Dropped+st.Rejected != 0 || st.Buffered != 0 {
		t.Errorf("%d events, %+v", len(got), st)
	}
}

// What a collector does not take at the end stays, is said, and goes to it the
// next time; a short failure is waited out.
func TestCollectorFailsAtTheEnd(t *testing.T) {
	c := newCollector(t, always(503))
	s := spool.New(t.TempDir(), 0)
	l := manual(t, Config{URL: c.URL, Spool: s})
	want := logged(l, 100)
	err := closeWithin(t, l, 300*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "100 events wait in "+s.Dir()) || len(c.sizes) < 2 {
		t.Errorf("%v after %d requests", err, len(c.sizes))
	}
	c.mu.Lock()
	c.answer = func(n int) int {
		if n%2 == 0 {
			return 200
		}
		return 503
	}
	c.mu.Unlock()
	again := manual(t, Config{URL: c.URL, Spool: s})
	again.Log(event("later"))
	if err := closeWithin(t, again, 10*time.Second); err != nil {
		t.Error(err)
	}
	if got := c.ids(); !slices.Equal(got, append(want, "later")) {
		t.Errorf("%d events", len(got))
	}
}

// In memory, too, the end waits for a collector that fails for a moment.
func TestMemoryWaitsAtTheEnd(t *testing.T) {
	c := newCollector(t, func(n int) int {
		if n < 4 {
			return 503
		}
		return 200
	})
	l := manual(t, Config{URL: c.URL})
	want := logged(l, 100)
	if err := closeWithin(t, l, 10*time.Second); err != nil || !slices.Equal(c.ids(), want) {
		t.Errorf("%v, %d events", err, len(c.ids()))
	}
}

// What other processes add is sent, too, and by one at a time.
func TestOthersAdd(t *testing.T) {
	c := newCollector(t, always(200))
	s := spool.New(t.TempDir(), 0)
	l := started(t, Config{URL: c.URL, Spool: s, MinDelay: 5 * time.Millisecond}, time.After)
	data, err := new(spool.Encoder).Encode(&Event{DecisionID: "hook"})
	if err == nil {
		err = s.Add(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the event of the hook", func() bool { return slices.Equal(c.ids(), []string{"hook"}) })
	turn, err := s.Ship()
	for i := 0; err != nil && i < 100; i++ { // the logger looks now and then
		time.Sleep(time.Millisecond)
		turn, err = s.Ship()
	}
	if err != nil {
		t.Fatal(err)
	}
	l.Log(event("mine"))
	if err := closeWithin(t, l, time.Second); err != nil || len(c.ids()) != 1 {
		t.Errorf("%v, %v", err, c.ids())
	}
	turn.Close()
	if n, err := s.Waiting(); n != 1 || err != nil {
		t.Errorf("%d wait (%v)", n, err)
	}
}

// What a collector refuses for good, or the disk does not take, is counted.
func TestLostOfTheSpool(t *testing.T) {
	c := newCollector(t, always(400))
	s := spool.New(t.TempDir(), 3000)
	l := manual(t, Config{URL: c.URL, Spool: s})
	logged(l, 100)
	if err := closeWithin(t, l, time.Second); err == nil {
		t.Error("no error")
	}
	st := l.Stats()
	if st.Dropped == 0 || st.Rejected == 0 || st.Dropped+st.Rejected != 100 || s.Lost(spool.Dropped) != int64(st.Dropped) || s.Lost(spool.Rejected) != int64(st.Rejected) {
		t.Errorf("%+v", st)
	}
	l.Log(event("late"))
	if l.Stats().Dropped != st.Dropped+1 {
		t.Error("an event after the end is not counted")
	}
}
