package telemetry_test

import (
	"context"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/telemetry"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
)

// newTelemetry returns one whose log goes nowhere.
func newTelemetry(t testing.TB, log io.Writer) *telemetry.Telemetry {
	t.Helper()
	out, err := telemetry.New(t.Context(), telemetry.Options{Version: "v1", Log: slog.NewTextHandler(log, nil)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(out.Close)
	return out
}

// metrics returns what Prometheus makes of the metrics.
func metrics(t testing.TB, from *telemetry.Telemetry) map[string]*dto.MetricFamily {
	t.Helper()
	var text strings.Builder
	if err := from.Write(context.Background(), &text); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	out, err := parser.TextToMetricFamilies(strings.NewReader(text.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	return out
}

// value returns the value of the series with labels such as a=b, and whether there is one.
func value(m *dto.MetricFamily, labels ...string) (float64, bool) {
	for _, s := range m.GetMetric() {
		var have []string
		for _, l := range s.GetLabel() {
			have = append(have, l.GetName()+"="+l.GetValue())
		}
		if slices.Equal(have, labels) {
			return s.GetCounter().GetValue() + s.GetGauge().GetValue() + float64(s.GetHistogram().GetSampleCount()), true
		}
	}
	return 0, false
}

func decided(source string, v policy.Verdict) *backend.Decided {
	return &backend.Decided{
		Call:    &policy.Call{ID: "call_1", Tool: "shell", Session: "s1", Agent: "claude-code"},
		Verdict: &v, Source: source, Took: 30 * time.Microsecond,
	}
}

func TestDecisions(t *testing.T) {
	of := newTelemetry(t, io.Discard)
	denied := policy.Verdict{Decision: policy.Deny, Stage: policy.StageHardline, Reason: policy.ReasonHardline, Rule: "root-delete"}
	allowed := policy.Verdict{Decision: policy.Allow, Stage: policy.StageReadonly, Reason: policy.ReasonNone}
	for range 3 {
		of.Decided(t.Context(), decided(backend.Asked, denied))
	}
	of.Decided(t.Context(), decided(backend.Submitted, allowed))
	of.Decided(t.Context(), decided(backend.Asked, policy.Verdict{})) // what could not be judged
	got := metrics(t, of)
	for _, row := range []struct {
		want   float64
		name   string
		labels []string
	}{
		{3, "policyctl_decisions_total", []string{"decision=deny", "reason=hardline", "source=decide", "stage=hardline"}},
		{1, "policyctl_decisions_total", []string{"decision=allow", "reason=none", "source=submit", "stage=readonly"}},
		{1, "policyctl_decisions_total", []string{"decision=deny", "reason=error", "source=decide", "stage=none"}},
		{3, "policyctl_floor_denials_total", []string{"rule=root-delete"}},
		{4, "policyctl_decision_duration_seconds", []string{"source=decide"}},
		{1, "policyctl_decision_duration_seconds", []string{"source=submit"}},
		{1, "policyctl_build_info", []string{"version=v1"}},
	} {
		if n, ok := value(got[row.name], row.labels...); !ok || n != row.want {
			t.Errorf("%s %v: %v %t, want %v", row.name, row.labels, n, ok, row.want)
		}
	}
	h := got["policyctl_decision_duration_seconds"].GetMetric()[0].GetHistogram()
	for _, b := range h.GetBucket() {
		if want := b.GetUpperBound() >= 30e-6; (b.GetCumulativeCount() == 4) != want {
			t.Errorf("%d of 4 decisions of 30 µs took at most %v s", b.GetCumulativeCount(), b.GetUpperBound())
		}
	}
}

// No label holds what a client has written.
func TestLabelsAreClosed(t *testing.T) {
	of := newTelemetry(t, io.Discard)
	d := decided(backend.Asked, policy.Verdict{Decision: policy.Deny, Stage: policy.StageRules, Reason: policy.ReasonPermissionRule, Rule: "planted-rule"})
	d.Call.Tool, d.Call.Session, d.Call.ID, d.Call.Dir, d.Call.Agent = "planted-tool", "planted-session", "planted-id", "/planted", "planted-agent"
	of.Decided(t.Context(), d)
	var text strings.Builder
	if err := of.Write(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), `reason="permission_rule"`) || strings.Contains(text.String(), "planted") {
		t.Error(text.String())
	}
}

// What is read when somebody looks, with values that the format must escape.
func TestSources(t *testing.T) {
	of := newTelemetry(t, io.Discard)
	const odd = "a \"b\" \\ c\nd"
	of.Watch(telemetry.Sources{
		Pending:  func(context.Context) (int, error) { return 7, nil },
		Parts:    func() map[string]bool { return map[string]bool{"database": true, "policy": false} },
		Ready:    func() bool { return false },
		Channels: func() map[string]bool { return map[string]bool{odd: true} },
		Breakers: func() map[string]bool { return map[string]bool{"reviewer:a": false, "reviewer:b": true} },
		Bundles: func() []telemetry.Bundle {
			return []telemetry.Bundle{{Name: "org", Contact: time.Now().Add(-time.Hour), Current: true}, {Name: "new"}}
		},
		Spools: func() []telemetry.Spool {
			return []telemetry.Spool{{Name: "org", Size: 42, Lost: map[string]int64{"dropped": 3}}}
		},
		PushFailing:   func() int { return 2 },
		CallsLost:     func() uint64 { return 5 },
		AuditVerified: func() int64 { return 9 },
	})
	got := metrics(t, of)
	for _, row := range []struct {
		want   float64
		name   string
		labels []string
	}{
		{7, "policyctl_requests_pending", nil},
		{1, "policyctl_health", []string{"part=database"}},
		{0, "policyctl_health", []string{"part=policy"}},
		{0, "policyctl_ready", nil},
		{1, "policyctl_channel_up", []string{"channel=" + odd}},
		{1, "policyctl_reviewer_breaker_open", []string{"reviewer=reviewer:a"}},
		{0, "policyctl_reviewer_breaker_open", []string{"reviewer=reviewer:b"}},
		{1, "policyctl_bundle_current", []string{"bundle=org"}},
		{0, "policyctl_bundle_current", []string{"bundle=new"}},
		{42, "policyctl_spool_size_bytes", []string{"spool=org"}},
		{3, "policyctl_spool_lost_total", []string{"cause=dropped", "spool=org"}},
		{2, "policyctl_push_failing", nil},
		{5, "policyctl_calls_lost_total", nil},
		{9, "policyctl_audit_verified", nil},
	} {
		if n, ok := value(got[row.name], row.labels...); !ok || n != row.want {
			t.Errorf("%s %v: %v %t, want %v", row.name, row.labels, n, ok, row.want)
		}
	}
	if age, ok := value(got["policyctl_bundle_age_seconds"], "bundle=org"); !ok || age < 3590 || age > 3700 {
		t.Errorf("the bundle is %v s old", age)
	}
	if _, ok := value(got["policyctl_bundle_age_seconds"], "bundle=new"); ok {
		t.Error("a bundle that was never there has an age")
	}
}

// A database that does not answer gives no number, and holds nobody up for long.
func TestPendingUnknown(t *testing.T) {
	seed.Slow(t)
	of := newTelemetry(t, io.Discard)
	of.Watch(telemetry.Sources{Pending: func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }})
	begun := time.Now()
	got := metrics(t, of)
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("%s", took)
	}
	if n, ok := value(got["policyctl_requests_pending"]); ok {
		t.Errorf("%v requests", n)
	}
	if n, _ := value(metrics(t, of)["policyctl_database_errors_total"], "operation=read"); n < 1 {
		t.Errorf("%v errors of the database", n)
	}
}

// The table of the documentation is that of the program, and both are what is printed.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, m := range telemetry.Metrics() {
		labels := "–"
		if len(m.Labels) > 0 {
			labels = "`" + strings.Join(m.Labels, "`, `") + "`"
		}
		want = append(want, "| `"+m.Prometheus()+"` | "+m.Kind.String()+" | "+m.Unit+" | "+labels+" | "+m.Help+" |")
	}
	got := regexp.MustCompile("(?m)^\\| `policyctl_[^\n]*").FindAllString(string(doc), -1)
	if !slices.Equal(got, want) {
		t.Errorf("docs/metrics.md must have these rows and no others:\n%s", strings.Join(want, "\n"))
	}
	var text strings.Builder
	if err := newTelemetry(t, io.Discard).Write(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	for _, m := range telemetry.Metrics() {
		if !strings.Contains(text.String(), "# HELP "+m.Prometheus()+" "+m.Help+"\n# TYPE "+m.Prometheus()+" "+m.Kind.String()+"\n") {
			t.Errorf("%s is not printed", m.Prometheus())
		}
	}
}

// The nil Telemetry counts nothing and harms nobody.
func TestNil(t *testing.T) {
	var none *telemetry.Telemetry
	none.Decided(t.Context(), decided(backend.Asked, policy.Verdict{}))
	none.Watch(telemetry.Sources{})
	none.Close()
	if none.Store(nil) != nil {
		t.Error("a store of nothing")
	}
}
