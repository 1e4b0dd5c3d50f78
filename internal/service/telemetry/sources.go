package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/metric"
)

// Sources are what is read when somebody looks at the metrics. Fields may be nil.
type Sources struct {
	// Pending counts the requests that wait.
	Pending func(ctx context.Context) (int, error)
	// Parts says of each part of the service whether it is in order, and Ready whether
	// the service is.
	Parts func() map[string]bool
	Ready func() bool
	// Channels and Breakers say of each channel, and of each reviewer, whether it works.
	Channels, Breakers func() map[string]bool
	// PushFailing counts the browsers to which the last message did not come.
	PushFailing func() int
	Bundles     func() []Bundle
	Spools      func() []Spool
	// CallsLost counts decided calls that were not kept, AuditVerified the records that
	// were verified.
	CallsLost     func() uint64
	AuditVerified func() int64
}

// A Bundle is a subscription. A zero Contact is that there was none.
type Bundle struct {
	Name    string
	Contact time.Time
	Current bool
}

// A Spool is one of this machine. Size is what waits in it, in bytes; Lost are events
// that were lost, by their cause.
type Spool struct {
	Name string
	Size int64
	Lost map[string]int64
}

// Watch has sources read from now on.
func (t *Telemetry) Watch(s Sources) {
	if t != nil {
		t.sources.Store(&s)
	}
}

// pendingTime bounds how long the database may take to say what is pending.
const pendingTime = 2 * time.Second

// observe reads the sources.
func (t *Telemetry) observe(ctx context.Context, o metric.Observer, in *instruments) error {
	gauge := func(i int, value float64, pairs ...string) { o.ObserveFloat64(in.gauges[i], value, labels(pairs...)) }
	gauge(build, 1, "version", t.version)
	s := t.sources.Load()
	if s == nil {
		return nil
	}
	t.pending(ctx, s, gauge)
	truths := func(i int, label string, read func() map[string]bool, bad bool) {
		if read == nil {
			return
		}
		for name, good := range read() {
			gauge(i, yes(good != bad), label, name)
		}
	}
	truths(healthy, "part", s.Parts, false)
	truths(channelUp, "channel", s.Channels, false)
	truths(breakerOpen, "reviewer", s.Breakers, true)
	if s.Ready != nil {
		gauge(ready, yes(s.Ready()))
	}
	if s.PushFailing != nil {
		gauge(pushFailing, float64(s.PushFailing()))
	}
	if s.AuditVerified != nil {
		gauge(auditVerified, float64(s.AuditVerified()))
	}
	if s.CallsLost != nil {
		o.ObserveInt64(in.totals[callsLost], int64(s.CallsLost()))
	}
	machine(s, o, in, gauge)
	return nil
}

func (t *Telemetry) pending(ctx context.Context, s *Sources, gauge func(int, float64, ...string)) {
	if s.Pending == nil {
		return
	}
	ctx, stop := context.WithTimeout(ctx, pendingTime)
	defer stop()
	n, err := s.Pending(ctx)
	if err != nil {
		t.count(ctx, databaseErrors, 1, "operation", reading)
		return // no value is better than a wrong one
	}
	gauge(requestsPending, float64(n))
}

// machine reads bundles and spools.
func machine(s *Sources, o metric.Observer, in *instruments, gauge func(int, float64, ...string)) {
	if s.Bundles != nil {
		for _, b := range s.Bundles() {
			gauge(bundleCurrent, yes(b.Current), "bundle", b.Name)
			if !b.Contact.IsZero() {
				gauge(bundleAge, time.Since(b.Contact).Seconds(), "bundle", b.Name)
			}
		}
	}
	if s.Spools == nil {
		return
	}
	for _, p := range s.Spools() {
		gauge(spoolSize, float64(p.Size), "spool", p.Name)
		for cause, n := range p.Lost {
			o.ObserveInt64(in.totals[spoolLost], n, labels("cause", cause, "spool", p.Name))
		}
	}
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
