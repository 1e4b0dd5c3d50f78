package channel

import (
	"context"
	"strings"
	"testing"
	"time"
)

// shelf is a store of which only deliveries are asked, and asked those of one request.
type shelf struct {
	Store
	all   []Delivery
	asked int
}

func (s *shelf) Deliveries(_ context.Context, f Filter) ([]Delivery, error) {
	if f.Request != "" {
		s.asked++
	}
	return s.all, nil
}

// at is when the tests below are.
func at() time.Time { return time.Unix(1_800_000_000, 0) }

// onShelf returns a dispatcher that is told in three tiers, all of whose channels are busy.
func onShelf(all ...Delivery) (*Dispatcher, *shelf) {
	s := &shelf{all: all}
	d := New(Options{Store: s, Now: at, Channels: []Channel{
		{Name: "third", After: 2 * time.Hour}, {Name: "first"}, {Name: "second", After: time.Hour}, {Name: "other", After: time.Hour},
	}})
	for _, l := range d.lines {
		l.inFlight = maxInFlight
	}
	return d, s
}

// Only what is due and of a channel that is there is waited for, and only of an ask that was
// not tried yet is it found out whether it is due before its time.
func TestWaitsForDue(t *testing.T) {
	soon := at().Add(time.Second)
	for name, row := range map[string]struct {
		is    Delivery
		sleep time.Duration
		asked int
	}{
		"an ask":                 {Delivery{Channel: "first", About: AboutAsk, State: Due, Next: soon}, time.Second, 1},
		"an outcome":             {Delivery{Channel: "first", About: AboutOutcome, State: Due, Next: soon}, time.Second, 0},
		"tried before":           {Delivery{Channel: "first", About: AboutAsk, State: Due, Next: soon, Tries: 1}, time.Second, 0},
		"due now":                {Delivery{Channel: "first", About: AboutAsk, State: Due, Next: at()}, maxSleep, 0},
		"being sent":             {Delivery{Channel: "first", About: AboutAsk, State: Sending, Next: soon}, maxSleep, 0},
		"of a channel of before": {Delivery{Channel: "gone", About: AboutAsk, State: Due, Next: soon}, maxSleep, 0},
	} {
		row.is.Request = "req_1"
		d, s := onShelf(row.is)
		if sleep, err := d.schedule(t.Context()); err != nil || sleep != row.sleep || s.asked != row.asked {
			t.Errorf("%s: sleeps %v, asks %d times, %v", name, sleep, s.asked, err)
		}
	}
}

// A tier is told before its time where the one before it was used and cannot be relied on,
// whatever the order in which channels are named.
func TestHastens(t *testing.T) {
	later := at().Add(time.Hour)
	of := func(channel string, s State, next time.Time, tries int) Delivery {
		return Delivery{Request: "req_1", Channel: channel, About: AboutAsk, State: s, Next: next, Tries: tries}
	}
	again := of("first", Failed, at(), 1)
	again.About = "another ask"
	for name, row := range map[string]struct {
		all  []Delivery
		down string // a channel that does not work
		want string
	}{
		"the first works":   {[]Delivery{of("first", Sent, at(), 1), of("second", Due, later, 0), of("third", Due, later, 0)}, "", ""},
		"the first failed":  {[]Delivery{of("third", Due, later, 0), of("first", Failed, at(), 1), of("second", Due, later, 0)}, "", "second"},
		"two of a tier":     {[]Delivery{of("first", Uncertain, at(), 1), of("second", Due, later, 0), of("other", Due, later, 0)}, "", "second other"},
		"one after another": {[]Delivery{of("third", Due, later, 0), of("second", Due, later, 0), of("first", Failed, at(), 1)}, "second", "second third"},
		"not used yet":      {[]Delivery{of("first", Due, later, 0), of("second", Due, later, 0)}, "first", ""},
		"tried too often":   {[]Delivery{of("first", Due, later, manyFailures), of("second", Due, later, 0)}, "", "second"},
		"tried once":        {[]Delivery{of("first", Due, later, 1), of("second", Due, later, 0)}, "", ""},
		"no such channel":   {[]Delivery{of("gone", Failed, at(), 1), of("second", Due, later, 0)}, "", ""},
		"an outcome":        {[]Delivery{{Request: "req_1", Channel: "first", About: AboutOutcome, State: Failed}, of("second", Due, later, 0)}, "", ""},
		"another ask":       {[]Delivery{again, of("second", Due, later, 0)}, "", ""},
	} {
		d, _ := onShelf(row.all...)
		if row.down != "" {
			d.lines[row.down].broken, d.lines[row.down].problem = true, "refused"
		}
		if list, err := d.hasten(t.Context(), "req_1", at()); err != nil || strings.Join(list, " ") != row.want {
			t.Errorf("%s: %q, %v, want %q", name, list, err, row.want)
		}
	}
}
