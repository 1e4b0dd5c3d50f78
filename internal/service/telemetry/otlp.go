package telemetry

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/contrib/bridges/otelslog"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// The signals of OTLP.
const (
	signalTraces  = "traces"
	signalMetrics = "metrics"
	signalLogs    = "logs"
)

// exported reports whether the environment has a signal exported, and refuses what it
// says of that and is not possible. The variables are those of the OpenTelemetry
// specification; the exporters read the rest of them.
func exported(signal string) (bool, error) {
	name := strings.ToUpper(signal)
	switch how := os.Getenv("OTEL_" + name + "_EXPORTER"); how {
	case "", "otlp":
	case "none":
		return false, nil
	default:
		return false, fmt.Errorf("OTEL_%s_EXPORTER=%q: give otlp or none; Prometheus reads /metrics", name, how)
	}
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	endpoint, at := either("OTEL_EXPORTER_OTLP_"+name+"_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
	if endpoint == "" {
		return false, nil
	}
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false, fmt.Errorf("%s: it is no URL: give one such as http://localhost:4318", at)
	}
	protocol, at := either("OTEL_EXPORTER_OTLP_"+name+"_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
	if !slices.Contains([]string{"", "http/protobuf", "http/json"}, protocol) {
		return false, fmt.Errorf("%s=%q: policyctl speaks OTLP over HTTP: give http/protobuf, and the port of the collector for HTTP, which is usually 4318", at, protocol)
	}
	return true, nil
}

// either returns the value of the first variable that has one, and its name.
func either(names ...string) (value, name string) {
	for _, name := range names {
		if value := os.Getenv(name); value != "" {
			return value, name
		}
	}
	return "", names[0]
}

// export makes what the environment wants, and the instruments.
func (t *Telemetry) export(ctx context.Context, quiet slog.Handler) error {
	on := make(map[string]bool)
	var wrong []error
	for _, signal := range []string{signalTraces, signalMetrics, signalLogs} {
		yes, err := exported(signal)
		on[signal], wrong = yes, append(wrong, err)
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithHost(), resource.WithAttributes(
		attribute.String("service.name", "policyctl"), attribute.String("service.version", t.version), attribute.String("service.instance.id", rand.Text()),
	), resource.WithFromEnv())
	if err != nil {
		// The error has its value.
		return errors.New("OTEL_RESOURCE_ATTRIBUTES cannot be followed: give pairs such as deployment.environment.name=production,team=agents")
	}
	metrics := []sdkmetric.Option{sdkmetric.WithResource(about), sdkmetric.WithReader(t.reader)}
	if on[signalMetrics] {
		e, err := otlpmetrichttp.New(ctx)
		if err != nil {
			return fmt.Errorf("OTLP metrics: %w", err)
		}
		metrics = append(metrics, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(metricExporter{e, t.course(signalMetrics)})))
	}
	meters := sdkmetric.NewMeterProvider(metrics...)
	t.ends = append(t.ends, meters.Shutdown)
	if err := t.meter(meters); err != nil {
		return err
	}
	if on[signalTraces] {
		if err := t.exportTraces(ctx, about); err != nil {
			return err
		}
	}
	if on[signalLogs] {
		return t.exportLogs(ctx, about, quiet)
	}
	return nil
}

// exportTraces has the spans of decisions exported. Where the environment names no
// sampler all are: a client whose traceparent says "not sampled" would else keep what it
// asks for out of the traces.
func (t *Telemetry) exportTraces(ctx context.Context, about *resource.Resource) error {
	e, err := otlptracehttp.New(ctx)
	if err != nil {
		return fmt.Errorf("OTLP traces: %w", err)
	}
	options := []sdktrace.TracerProviderOption{sdktrace.WithResource(about), sdktrace.WithBatcher(spanExporter{e, t.course(signalTraces)})}
	if os.Getenv("OTEL_TRACES_SAMPLER") == "" {
		options = append(options, sdktrace.WithSampler(sdktrace.AlwaysSample()))
	}
	p := sdktrace.NewTracerProvider(options...)
	t.tracer = p.Tracer(scope)
	t.spans = newSpans(t)
	t.ends = append(t.ends, func(ctx context.Context) error { return errors.Join(t.spans.end(ctx), p.Shutdown(ctx)) })
	return nil
}

// exportLogs has what the service logs exported too.
func (t *Telemetry) exportLogs(ctx context.Context, about *resource.Resource, quiet slog.Handler) error {
	e, err := otlploghttp.New(ctx)
	if err != nil {
		return fmt.Errorf("OTLP logs: %w", err)
	}
	p := sdklog.NewLoggerProvider(sdklog.WithResource(about), sdklog.WithProcessor(sdklog.NewBatchProcessor(logExporter{e, t.course(signalLogs)})))
	t.ends = append(t.ends, p.Shutdown)
	bridge := otelslog.NewHandler(scope, otelslog.WithLoggerProvider(p))
	t.log = slog.New(slog.NewMultiHandler(quiet, redacting{bridge}))
	return nil
}

// endTime is how long what was counted last may take to be exported at the end.
const endTime = 3 * time.Second

// Close exports what was not exported yet, as far as there is time. It may be called
// again.
func (t *Telemetry) Close() {
	if t != nil {
		t.closed.Do(t.close)
	}
}

func (t *Telemetry) close() {
	ctx, stop := context.WithTimeout(context.Background(), endTime)
	defer stop()
	var work sync.WaitGroup
	for _, end := range t.ends {
		work.Go(func() { _ = end(ctx) }) // the course of the signal tells
	}
	work.Wait()
}

// A course is how the export of a signal goes.
type course struct {
	t      *Telemetry
	signal string

	mu      sync.Mutex
	failing bool
}

func (t *Telemetry) course(signal string) *course { return &course{t: t, signal: signal} }

// note counts what failed. The log is told when exports begin to fail and when they work
// again, not each time. No error is returned: the libraries would print it.
func (c *course) note(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil && !c.failing:
		c.t.own.Warn("the OTLP collector does not take what is exported: check OTEL_EXPORTER_OTLP_ENDPOINT and the collector; the service goes on, and what was not taken is lost", "signal", c.signal, "error", err)
	case err == nil && c.failing:
		c.t.own.Info("the OTLP collector takes what is exported again", "signal", c.signal)
	}
	if c.failing = err != nil; c.failing && c.t.meters != nil {
		c.t.count(context.Background(), exportFailures, 1, "signal", c.signal)
	}
	return nil
}

type spanExporter struct {
	sdktrace.SpanExporter
	course *course
}

func (e spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	return e.course.note(e.SpanExporter.ExportSpans(ctx, spans))
}

type metricExporter struct {
	sdkmetric.Exporter
	course *course
}

func (e metricExporter) Export(ctx context.Context, m *metricdata.ResourceMetrics) error {
	return e.course.note(e.Exporter.Export(ctx, m))
}

type logExporter struct {
	sdklog.Exporter
	course *course
}

func (e logExporter) Export(ctx context.Context, records []sdklog.Record) error {
	return e.course.note(e.Exporter.Export(ctx, records))
}
