package serve

import (
	"context"
	"io"
	"log/slog"
	"slices"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/reviewer"
	"github.com/policyctl/policyctl/internal/service/telemetry"
	"github.com/policyctl/policyctl/internal/support/release"
)

// logTo returns what writes the log in a format.
func logTo(w io.Writer, format string) (slog.Handler, error) {
	switch format {
	case "text":
		return slog.NewTextHandler(w, nil), nil
	case "json":
		return slog.NewJSONHandler(w, nil), nil
	}
	return nil, console.Usagef("--log-format %q: give text or json", format)
}

// observe has what the service does counted, and its log written.
func (s *serve) observe(ctx context.Context, r *instance) error {
	to, err := logTo(s.Stderr, s.logFormat)
	if err != nil {
		return err
	}
	if r.telemetry, err = telemetry.New(ctx, telemetry.Options{Version: release.Read().Version, Log: to}); err != nil {
		return console.Usagef("%v", err)
	}
	r.log = r.telemetry.Log()
	r.ends = append(r.ends, func() error { r.telemetry.Close(); return nil })
	return nil
}

// watch says what there is to see of a service, for its health and its metrics.
func (s *serve) watch(r *instance, b *backend.Backend, live *layers.Live, judge *backend.Judge) {
	b.Metrics = r.telemetry.Write
	b.PolicyProblem = func() error {
		live.Engine() // which looks at the files
		last, _ := live.Policies()
		return last.Err
	}
	lost := lossesOf(s.spools())
	b.Beside = map[string]func() bool{
		"bundles": func() bool {
			return slices.ContainsFunc(s.bundles(), func(b telemetry.Bundle) bool { return !b.Current })
		},
		"reviewers": func() bool { return slices.ContainsFunc(r.reviewers, (*reviewer.Reviewer).Resting) },
		// What was lost before is known, and no reason to call anybody again.
		"spool": func() bool { return lossesOf(s.spools()) > lost },
	}
	r.telemetry.Watch(telemetry.Sources{
		Pending: func(ctx context.Context) (n int, err error) {
			sessions, err := b.Data.PendingSessions(ctx)
			for _, more := range sessions {
				n += more
			}
			return n, err
		},
		Parts: b.Parts,
		Ready: func() bool { ready, _ := b.Ready(); return ready },
		Channels: func() map[string]bool {
			out, down := make(map[string]bool), b.Channels.Down()
			for _, name := range b.Channels.Names() {
				out[name] = down[name] == ""
			}
			return out
		},
		Breakers: r.breakers, PushFailing: b.Push.Failing, Bundles: s.bundles, Spools: s.spools, CallsLost: judge.Lost,
		AuditVerified: func() int64 { v := b.Verified(); return v.Records - v.Base },
	})
}

// breakers says of each language model whether it is asked.
func (r *instance) breakers() map[string]bool {
	out := make(map[string]bool)
	for _, one := range r.reviewers {
		out[one.Identity()] = !one.Resting()
	}
	return out
}

// bundles returns how the subscriptions are.
func (s *serve) bundles() (list []telemetry.Bundle) {
	if s.Bundle.Client == nil {
		return nil
	}
	for _, h := range s.Bundle.Client.Healths() {
		list = append(list, telemetry.Bundle{Name: h.Source.Name, Contact: h.Contact, Current: h.Err == nil && !h.Stale && !h.Expired})
	}
	return list
}

// recordSpool names the spool of the decisions that go on record; a subscription to a
// bundle has a name of its own.
const recordSpool = "record"

// spools returns the spools of this machine.
func (s *serve) spools() (list []telemetry.Spool) {
	place, err := s.Policies()
	if err != nil {
		return nil
	}
	list = append(list, spoolOf(recordSpool, spool.Verdicts(place.State)))
	if s.Bundle.Client == nil {
		return list
	}
	for _, h := range s.Bundle.Client.Healths() {
		if h.Source.LogURL != "" {
			list = append(list, spoolOf(h.Source.Name, spool.Of(place.State, h.Source.Name)))
		}
	}
	return list
}

func spoolOf(name string, events *spool.Spool) telemetry.Spool {
	one := telemetry.Spool{Name: name, Lost: make(map[string]int64)}
	one.Size, _ = events.Depth() // of what can be read
	for cause, n := range events.Losses() {
		one.Lost[string(cause)] = n
	}
	return one
}

func lossesOf(list []telemetry.Spool) (n int64) {
	for _, s := range list {
		for _, lost := range s.Lost {
			n += lost
		}
	}
	return n
}
