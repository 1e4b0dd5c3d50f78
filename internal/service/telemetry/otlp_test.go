package telemetry_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	spanproto "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/telemetry"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A collector takes OTLP over HTTP, and reads it by the published schema.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	spans   []*spanproto.Span
	about   map[string]string // of the resource of the last spans
	metrics map[string]bool
	logs    []string
	raw     bytes.Buffer // all that came
	refuses bool
	asked   int
}

func newCollector(t testing.TB) *collector {
	t.Helper()
	c := &collector{metrics: make(map[string]bool)}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	return c
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	if c.refuses {
		http.Error(w, "no", http.StatusForbidden)
		return
	}
	var from io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		from, _ = gzip.NewReader(r.Body)
	}
	body, err := io.ReadAll(from)
	c.raw.Write(body)
	if err == nil {
		err = c.take(r.URL.Path, body)
	}
	if err != nil || r.Header.Get("Content-Type") != "application/x-protobuf" {
		http.Error(w, "not OTLP", http.StatusBadRequest)
	}
}

func (c *collector) take(path string, body []byte) error {
	switch path {
	case "/v1/traces":
		var in coltrace.ExportTraceServiceRequest
		if err := proto.Unmarshal(body, &in); err != nil {
			return err
		}
		for _, rs := range in.ResourceSpans {
			c.about = texts(rs.Resource.Attributes)
			for _, ss := range rs.ScopeSpans {
				c.spans = append(c.spans, ss.Spans...)
			}
		}
	case "/v1/metrics":
		var in colmetrics.ExportMetricsServiceRequest
		if err := proto.Unmarshal(body, &in); err != nil {
			return err
		}
		for _, rm := range in.ResourceMetrics {
			for _, sm := range rm.ScopeMetrics {
				for _, m := range sm.Metrics {
					c.metrics[m.Name+" "+m.Unit] = true
				}
			}
		}
	case "/v1/logs":
		var in collogs.ExportLogsServiceRequest
		if err := proto.Unmarshal(body, &in); err != nil {
			return err
		}
		for _, rl := range in.ResourceLogs {
			for _, sl := range rl.ScopeLogs {
				for _, l := range sl.LogRecords {
					c.logs = append(c.logs, l.SeverityText+" "+l.Body.GetStringValue())
				}
			}
		}
	default:
		return http.ErrNotSupported
	}
	return nil
}

func texts(list []*common.KeyValue) map[string]string {
	out := make(map[string]string)
	for _, kv := range list {
		out[kv.Key] = kv.Value.GetStringValue()
	}
	return out
}

// planted are secrets of different forms.
var planted = []string{"ghp_" + strings.Repeat("a1B2", 9), "AKIA" + "IOSFODNN7EXAMPLE", "hunter2-correct-horse"}

// A decision is one span with its attributes, in the trace of who asks; and secrets are
// in nothing that leaves, nor in the log.
func TestExport(t *testing.T) {
	c := newCollector(t)
	t.Setenv("OTEL_SERVICE_NAME", "policyctl-eu")
	var log bytes.Buffer
	of, err := telemetry.New(t.Context(), telemetry.Options{Version: "v1", Log: slog.NewJSONHandler(&log, nil)})
	if err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	r := httptest.NewRequest("POST", "/v1/decide", nil)
	r.Header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00") // not sampled, says the client
	telemetry.Traceparent(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { ctx = r.Context() })).ServeHTTP(nil, r)
	d := decided(backend.Asked, policy.Verdict{Decision: policy.Deny, Stage: policy.StageHardline, Reason: policy.ReasonHardline, Rule: "root-delete", Revision: "r7"})
	d.Call.Input = map[string]any{"command": "curl -H 'Authorization: Bearer " + planted[0] + "'"}
	of.Decided(ctx, d)
	other := decided(backend.Submitted, policy.Verdict{Decision: policy.Ask, Stage: policy.StageConfirm, Reason: policy.ReasonNone})
	other.Call.ID, other.Call.Session = planted[0], "token="+planted[0]
	of.Decided(t.Context(), other)
	of.Log().Warn("cannot reach https://user:"+planted[2]+"@example.com", "error", http.ErrAbortHandler, "password", planted[2])
	of.Log().With("key", planted[1]).WithGroup("g").Error("the key "+planted[0]+" is refused", slog.Group("in", "err", &net.AddrError{Err: planted[0]}))
	of.Close()

	if len(c.spans) != 2 {
		t.Fatalf("%d spans of 2 decisions", len(c.spans))
	}
	s := c.spans[0]
	if s.Name != "execute_tool shell" || trace.TraceID(s.TraceId).String() != "0af7651916cd43dd8448eb211c80319c" || trace.SpanID(s.ParentSpanId).String() != "b7ad6b7169203331" {
		t.Errorf("%s in %x below %x", s.Name, s.TraceId, s.ParentSpanId)
	}
	if took := s.EndTimeUnixNano - s.StartTimeUnixNano; took != uint64(d.Took) {
		t.Errorf("the span takes %d ns", took)
	}
	have := texts(s.Attributes)
	for name, want := range map[string]string{
		"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "shell", "gen_ai.tool.call.id": "call_1", "gen_ai.conversation.id": "s1",
		"gen_ai.agent.name": "claude-code", "policyctl.decision": "deny", "policyctl.stage": "hardline", "policyctl.reason": "hardline",
		"policyctl.rule": "root-delete", "policyctl.revision": "r7", "policyctl.source": "decide",
	} {
		if have[name] != want {
			t.Errorf("%s is %q, want %q", name, have[name], want)
		}
		delete(have, name)
	}
	if len(have) > 0 {
		t.Errorf("more attributes: %v", have)
	}
	if c.about["service.name"] != "policyctl-eu" || c.about["service.version"] != "v1" || c.about["service.instance.id"] == "" {
		t.Errorf("the resource is %v", c.about)
	}
	if !c.metrics["policyctl.decisions {decision}"] || !c.metrics["policyctl.decision.duration s"] {
		t.Errorf("metrics: %v", c.metrics)
	}
	if len(c.logs) != 2 || !strings.HasPrefix(c.logs[0], "WARN cannot reach https://") || !strings.Contains(c.logs[1], "[redacted github-token]") {
		t.Errorf("logs: %q", c.logs)
	}
	for _, secret := range planted {
		if strings.Contains(c.raw.String(), secret) {
			t.Errorf("%s was exported", secret)
		}
		if strings.Contains(log.String(), secret) {
			t.Errorf("%s is in the log: %s", secret, log.String())
		}
	}
	if !strings.Contains(log.String(), `"error":"net/http: abort Handler"`) {
		t.Errorf("the log lost an error: %s", log.String())
	}
}

// Nothing is exported where no endpoint is set, or the environment says so.
func TestOff(t *testing.T) {
	c := newCollector(t)
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "", "OTEL_SDK_DISABLED": "true",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			of := newTelemetry(t, io.Discard)
			of.Decided(t.Context(), decided(backend.Asked, policy.Verdict{}))
			of.Log().Error("x")
			of.Close()
			if c.asked != 0 {
				t.Errorf("the collector was asked %d times", c.asked)
			}
		})
	}
	t.Setenv("OTEL_LOGS_EXPORTER", "none")
	t.Setenv("OTEL_METRICS_EXPORTER", "none")
	of := newTelemetry(t, io.Discard)
	of.Decided(t.Context(), decided(backend.Asked, policy.Verdict{}))
	of.Log().Error("x")
	of.Close()
	if len(c.spans) != 1 || len(c.metrics) != 0 || len(c.logs) != 0 {
		t.Errorf("%d spans, %d metrics, %d logs", len(c.spans), len(c.metrics), len(c.logs))
	}
}

// What the environment cannot mean is refused at the start, without its value where that
// may hold a password.
func TestEnvironment(t *testing.T) {
	for _, row := range []struct{ name, value, want string }{
		{"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "http/protobuf"},
		{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", "http://localhost:4318"},
		{"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "ftp://user:hunter2@x", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"},
		{"OTEL_TRACES_EXPORTER", "zipkin", "give otlp or none"},
		{"OTEL_METRICS_EXPORTER", "prometheus", "/metrics"},
		{"OTEL_EXPORTER_OTLP_HEADERS", "Authorization hunter2,a=%zzhunter2,x y=hunter2", "OTEL_EXPORTER_OTLP_HEADERS"},
		{"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "Authorization hunter2", "parse headers"},
		{"OTEL_EXPORTER_OTLP_TIMEOUT", "hunter2", "OTEL_EXPORTER_OTLP_TIMEOUT"},
		{"OTEL_EXPORTER_OTLP_CERTIFICATE", "/none/hunter2", "read tls ca cert file"},
		{"OTEL_TRACES_SAMPLER", "hunter2", "unsupported sampler"},
		{"OTEL_RESOURCE_ATTRIBUTES", "hunter2", "OTEL_RESOURCE_ATTRIBUTES"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
			t.Setenv(row.name, row.value)
			_, err := telemetry.New(t.Context(), telemetry.Options{Log: slog.DiscardHandler})
			if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s=%s: %v", row.name, row.value, err)
			}
		})
	}
}

// A collector that does not answer holds up no decision, and is told of once; when it is
// back that is told too.
func TestUnreachable(t *testing.T) {
	seed.Slow(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // it takes connections, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+silent.Addr().String())
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "200")
	t.Setenv("OTEL_BSP_EXPORT_TIMEOUT", "300")
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
	var log lockedBuffer
	of := newTelemetry(t, &log)
	d := decided(backend.Asked, policy.Verdict{})
	longest := time.Duration(0)
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until); {
		begun := time.Now()
		for range 1000 { // more than any queue holds, in all
			of.Decided(t.Context(), d)
		}
		longest = max(longest, time.Since(begun))
	}
	if longest > time.Second {
		t.Errorf("1000 decisions waited %s for the collector", longest)
	}
	begun := time.Now()
	of.Close()
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("the end took %s", took)
	}
	if n := strings.Count(log.String(), "signal=traces"); n != 1 {
		t.Errorf("told %d times: %s", n, log.String())
	}
}

// A collector that refuses is told of once, counted each time, and once more when it takes
// what is exported.
func TestRefused(t *testing.T) {
	c := newCollector(t)
	c.refuses = true
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
	t.Setenv("OTEL_LOGS_EXPORTER", "none")
	t.Setenv("OTEL_METRICS_EXPORTER", "none")
	var log lockedBuffer
	of := newTelemetry(t, &log)
	failures := func() float64 {
		n, _ := value(metrics(t, of)["policyctl_otlp_failures_total"], "signal=traces")
		return n
	}
	until(t, "three exports have failed", func() bool {
		of.Decided(t.Context(), decided(backend.Asked, policy.Verdict{}))
		return failures() >= 3
	})
	c.mu.Lock()
	c.refuses = false
	c.mu.Unlock()
	until(t, "it is told that exports work", func() bool {
		of.Decided(t.Context(), decided(backend.Asked, policy.Verdict{}))
		return strings.Contains(log.String(), "again")
	})
	if n := strings.Count(log.String(), "does not take"); n != 1 {
		t.Errorf("told %d times: %s", n, log.String())
	}
}

// until waits for what is to come.
func until(t *testing.T, what string, come func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !come(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// A lockedBuffer may be written and read at once.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
