package channel

import (
	"context"
	"errors"
	"slices"
	"time"
)

// A Health is how a channel fares.
type Health struct {
	Name string `json:"name"`
	Type string `json:"type"`
	// Down says why nothing arrives by it, or nothing is heard, "" where it works as far
	// as is known.
	Down string `json:"down,omitempty"`
	// Told reports whether the policy in force names it for its asks.
	Told bool `json:"told"`
	// LastSent is when something arrived last, nil for never; LastError what went wrong
	// last, at LastFailed.
	LastSent   *time.Time `json:"last_sent"`
	LastError  string     `json:"last_error,omitempty"`
	LastFailed *time.Time `json:"last_failed"`
	// Waiting counts what is to be sent.
	Waiting int `json:"waiting"`
	// People are those who may answer.
	People []string `json:"people"`
	// OneTap is the highest risk that one press approves, After how long a request
	// waits before this channel is told, in seconds.
	OneTap string  `json:"one_tap"`
	After  float64 `json:"after_seconds"`
}

// Healths returns how the channels fare, in the order of the settings.
func (d *Dispatcher) Healths(ctx context.Context) ([]Health, error) {
	open, err := d.o.Store.Deliveries(ctx, Filter{})
	if err != nil {
		return nil, err
	}
	now, named := d.o.Now(), d.named()
	list := []Health{}
	for _, name := range d.names {
		l := d.lines[name]
		h := Health{Name: name, Type: l.Type, Down: l.down(), Told: slices.Contains(named, name), People: l.people(), OneTap: l.OneTap, After: l.After.Seconds()}
		if h.OneTap == "" {
			h.OneTap = Taps()[0]
		}
		told, err := d.o.Store.Deliveries(ctx, Filter{Channel: name})
		if err != nil {
			return nil, err
		}
		for i := range told {
			h.add(&told[i])
		}
		for i := range open {
			if open[i].Channel == name && !open[i].Next.After(now) {
				h.Waiting++
			}
		}
		list = append(list, h)
	}
	return list, nil
}

// add counts a delivery.
func (h *Health) add(v *Delivery) {
	switch {
	case v.State == Sent && (h.LastSent == nil || v.Changed.After(*h.LastSent)):
		h.LastSent = &v.Changed
	case v.State != Sent && v.State != Over && v.Problem != "" && (h.LastFailed == nil || !v.Changed.Before(*h.LastFailed)):
		h.LastError, h.LastFailed = v.Problem, &v.Changed
	}
}

// Down says of each channel that is down why, by its name.
func (d *Dispatcher) Down() map[string]string {
	out := make(map[string]string)
	for name, l := range d.lines {
		if why := l.down(); why != "" {
			out[name] = why
		}
	}
	return out
}

// Names returns the names of the channels.
func (d *Dispatcher) Names() []string { return slices.Clone(d.names) }

// Knows reports whether somebody of a name, in lower case, may answer by a channel: nobody
// where d is nil.
func (d *Dispatcher) Knows(name string) bool {
	if d == nil {
		return false
	}
	for _, l := range d.lines {
		if slices.Contains(l.people(), name) {
			return true
		}
	}
	return false
}

// KnowsAt is [Dispatcher.Knows] for one channel.
func (d *Dispatcher) KnowsAt(channel, name string) bool {
	return d != nil && d.lines[channel] != nil && slices.Contains(d.lines[channel].people(), name)
}

func (l *line) people() []string {
	all := []string{}
	for _, name := range l.People {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// down says why nothing arrives, or is heard, "" where it is as far as is known.
func (l *line) down() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.broken, l.failures >= manyFailures:
		return l.problem
	case l.deaf != "":
		return "it hears nothing: " + l.deaf
	}
	return ""
}

// note notes what came of sending something.
func (l *line) note(now time.Time, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		l.failures, l.broken, l.problem, l.paused = 0, false, "", time.Time{}
		return
	}
	if errors.Is(err, context.Canceled) {
		return // the service ends
	}
	l.problem = problemOf(err)
	if pause := pauseOf(err); pause > 0 {
		l.paused, l.broken = now.Add(pause), isLong(pause)
		return // it is there, and busy
	}
	l.failures++
	l.broken = refusal(err) != nil
}

// isLong reports whether a pause that a service wants is so long that others are to be told
// meanwhile.
func isLong(pause time.Duration) bool { return pause > maxBackoff }

// deafen notes why nothing is heard, nil where it may be.
func (l *line) deafen(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deaf = ""
	if err != nil {
		l.deaf = problemOf(err)
	}
}

func (l *line) pausedUntil() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paused
}

// takeOff reports whether one thing more may be on its way.
func (l *line) takeOff() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inFlight >= maxInFlight {
		return false
	}
	l.inFlight++
	return true
}

func (l *line) land() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight--
}

// A limiter bounds how often the audit log is told of what strangers do, so that they
// cannot fill it. The zero value is ready.
type limiter struct {
	spent float64
	last  time.Time
}

// The burst of a limiter, and how long one of it takes to come back.
const (
	alarmBurst = 20
	alarmEvery = 10 * time.Second
)

// allow reports whether to tell. The caller guards it.
func (l *limiter) allow(now time.Time) bool {
	l.spent = max(0, l.spent-float64(now.Sub(l.last))/float64(alarmEvery))
	l.last = now
	if l.spent+1 > alarmBurst {
		return false
	}
	l.spent++
	return true
}
