package storetest

import (
	"testing"
	"time"
)

// The latest time that a store was told or has stored is kept, and none before
// it.
func clock(t *testing.T, place Place) {
	s := place(Options{})
	latest := func(want time.Time) {
		t.Helper()
		if got, err := s.Latest(t.Context()); err != nil || !got.Equal(want) {
			t.Errorf("latest: %v, want %v, %v", got, want, err)
		}
	}
	latest(time.Time{})
	put(t, s, newRequest("a"))
	latest(day)
	for _, at := range []time.Duration{time.Hour, 0, time.Minute} {
		if err := s.Observe(t.Context(), day.Add(at)); err != nil {
			t.Fatal(err)
		}
		latest(day.Add(time.Hour))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, place, Options{})
	latest(day.Add(time.Hour))
}
