// Package telemetry counts and times what the approval service does: metrics for
// Prometheus and, where the environment names a collector, traces, metrics and logs by
// OTLP over HTTP.
//
//	t, err := telemetry.New(ctx, telemetry.Options{Version: version, Log: handler})
//	defer t.Close()
//
// Each metric is one row of a table, counted in one place and told to both. Labels come
// from closed sets: no session, no command and no text of a call is one. The package
// opens no route and decides nothing, and what it fails at holds up nobody.
package telemetry

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/trace"
)

// Options are what telemetry works with. Log must be set.
type Options struct {
	// Version is that of the program.
	Version string
	// Log gets what the service logs, without secrets.
	Log slog.Handler
}

// A Telemetry counts, times and exports. It is safe for concurrent use. The nil
// Telemetry does nothing. [Telemetry.Close] must be called.
type Telemetry struct {
	version string
	log     *slog.Logger // for all
	own     *slog.Logger // for what is wrong with exports, which is not exported
	reader  *sdkmetric.ManualReader
	tracer  trace.Tracer // nil where no traces are exported
	spans   *spans       // nil there too
	meters  *instruments
	sources atomic.Pointer[Sources]
	// ends let go of what exports.
	ends   []func(context.Context) error
	closed sync.Once
}

// scope is the name of what the instruments belong to.
const scope = "github.com/policyctl/policyctl"

// New returns what counts from now on. The environment says where to export to; see
// docs/metrics.md. An error says which variable is wrong.
func New(ctx context.Context, o Options) (*Telemetry, error) {
	quiet := redacting{o.Log}
	t := &Telemetry{version: o.Version, own: slog.New(quiet), reader: sdkmetric.NewManualReader()}
	t.log = t.own
	heard := &problems{log: t.own}
	heard.hear()
	if err := cmp.Or(t.export(ctx, quiet), heard.end()); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Log returns the log of the service. Secrets that are known by their form are masked
// in it, wherever it goes.
func (t *Telemetry) Log() *slog.Logger { return t.log }

// meter makes the instruments of a provider.
func (t *Telemetry) meter(p metric.MeterProvider) (err error) {
	t.meters, err = newInstruments(p.Meter(scope, metric.WithInstrumentationVersion(t.version)), t.observe)
	return err
}
