package webguard

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		who, session := NewMeter(Bucket{2, 3}, time.Now), NewMeter(Bucket{0.1, 2}, time.Now)
		for i, tc := range []struct {
			want, who, session string
			wait               time.Duration
		}{
			{"200", "a", "1", 0},
			{"200", "a", "1", 0},
			{"429 too-many-requests 10", "a", "1", 0},
			{"429 too-many-requests 1", "a", "2", 0},
			{"200", "b", "2", 0},
			{"429 too-many-requests 9", "b", "1", time.Second},
			{"200", "a", "3", 0},
			{"200", "a", "1", 9 * time.Second},
			{"200", "", "4", 0},
			{"200", "", "5", 0},
			{"200", "", "6", 0},
			{"429 too-many-requests 1", "", "7", 0}, // those without a key share one
		} {
			time.Sleep(tc.wait)
			e := who.Take(tc.who)
			if e == nil {
				e = session.Take(tc.session)
			}
			got := "200"
			if e != nil {
				got = fmt.Sprintf("%d %s %d", e.Status, e.Code, e.RetryAfter)
			}
			if got != tc.want {
				t.Errorf("%d: %s, want %s", i, got, tc.want)
			}
		}
	})
}

func TestRateEdges(t *testing.T) {
	clock := func() time.Time { return time.Unix(0, 0) }
	for _, tc := range []struct {
		want  time.Duration
		rate  float64
		burst int
	}{
		{time.Hour, 1, 0},
		{time.Hour, 0, 0},
		{time.Hour, 0, 1},
		{time.Hour, 1e-9, 1},
		{time.Second, 1, 1},
		{time.Millisecond, 1000, 1},
	} {
		m := NewMeter(Bucket{tc.rate, tc.burst}, clock)
		first := m.take("k")
		if got := m.take("k"); got != tc.want || (first == 0) != (tc.burst > 0) {
			t.Errorf("%+v: %v, %v", tc, first, got)
		}
	}
}

// A bucket that was not set is another one.
func TestBucketOr(t *testing.T) {
	set, other := Bucket{1, 1}, Bucket{2, 3}
	if set.Or(other) != set || (Bucket{}).Or(other) != other {
		t.Errorf("%v, %v", set.Or(other), (Bucket{}).Or(other))
	}
}

// However many keys come, few are kept, and what is refused wins nothing.
func TestRateBounded(t *testing.T) {
	now := time.Unix(0, 0)
	m := NewMeter(Bucket{1, 1}, func() time.Time { return now })
	for i := range maxBuckets + 500 {
		m.take(fmt.Sprint(i))
	}
	if got := m.known.Len(); got != maxBuckets {
		t.Errorf("%d keys are kept", got)
	}
	for range 1000 {
		m.take("flood")
	}
	now = now.Add(time.Second)
	if wait := m.take("flood"); wait != 0 {
		t.Errorf("after a flood a request waits %v", wait)
	}
}
