package approval

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A clock that is set back revives no receipt whose time was over, while the
// service runs and after it was killed and started.
func TestSetBackReceipt(t *testing.T) {
	for name, back := range map[string]func(*rig){
		"while it runs": func(r *rig) { _ = r.Service.Now(); r.now.Add(-299) },
		"over a restart": func(r *rig) {
			ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer stop()
			r.Run(ctx, func(err error) { t.Error(err) }) // which looks at the clock, and is killed
			r.now.Add(-299)
			r.restartQuietly()
		},
	} {
		r := newRig(t)
		q, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", once)
		if err != nil {
			t.Fatal(err)
		}
		r.now.Add(300) // the receipt is over now
		if _, err := r.Verify(t.Context(), "", q.Receipt.Text); !errors.Is(err, ErrReceipt) {
			t.Fatal(err)
		}
		back(r)
		if _, err := r.Verify(t.Context(), "", q.Receipt.Text); !errors.Is(err, ErrReceipt) {
			t.Errorf("%s: verified: %v", name, err)
		}
		if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); !errors.Is(err, ErrReceipt) {
			t.Errorf("%s: consumed: %v", name, err)
		}
	}
}

// A clock that is set back gives no request more time, and what is approved
// after that can be used.
func TestSetBackRequest(t *testing.T) {
	for name, restart := range map[string]bool{"while it runs": false, "over a restart": true} {
		r := newRig(t)
		q := r.submit("make")
		r.now.Add(200)
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		r.Run(ctx, func(err error) { t.Error(err) })
		stop()
		r.now.Add(-190)
		if restart {
			r.restartQuietly()
		}
		r.want(q.ID, Pending)
		r.now.Add(100) // 300 seconds after it was made
		if r.want(q.ID, TimedOut); r.Now().Unix() != start+300 {
			t.Errorf("%s: the time is %s", name, r.Now())
		}
		q, err := r.Decide(t.Context(), r.submit("make 2").ID, "token:ann", once)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Keys().Verify(q.Receipt.Text, time.Unix(r.now.Load(), 0)); err != nil {
			t.Errorf("%s: by the clock of the machine: %v", name, err)
		}
		if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What nobody waits for is not written.
func TestObserveRarely(t *testing.T) {
	r := newRig(t)
	r.now.Add(1000)
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	r.Run(ctx, func(err error) { t.Error(err) })
	first := r.store.latest
	last, err := r.observe(t.Context(), r.Now(), false)
	if r.now.Add(1000); err != nil {
		t.Fatal(err)
	}
	if _, err := r.observe(t.Context(), last, false); err != nil || r.store.latest != first {
		t.Errorf("%v, then %v, %v", first, r.store.latest, err)
	}
	if _, err := r.observe(t.Context(), last, true); err != nil || r.store.latest != r.Now() {
		t.Errorf("with a request that waits: %v, %v", r.store.latest, err)
	}
}

// The time never goes back, whatever the clock of the machine does.
func TestClock(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := noon
	c := newClock(func() time.Time { return at }, time.Time{})
	for _, row := range []struct{ wall, want time.Duration }{
		{0, 0}, {10, 10}, {5, 10}, {6, 11}, {-100, 11}, {-90, 21}, {1000, 1111}, {1000, 1111}, {0, 1111},
	} {
		at = noon.Add(row.wall * time.Second)
		if got := c.now().Sub(noon); got != row.want*time.Second {
			t.Errorf("at %d: %v, want %d", row.wall, got, row.want)
		}
	}
	at = noon
	if got := newClock(func() time.Time { return at }, noon.Add(time.Hour)).now(); got != noon.Add(time.Hour) {
		t.Errorf("started at %v", got)
	}
}
