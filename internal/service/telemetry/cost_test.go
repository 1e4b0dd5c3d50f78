package telemetry_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/telemetry"
	"github.com/policyctl/policyctl/pkg/policy"
)

// nowhere keeps no call.
type nowhere struct{}

func (nowhere) RecordCalls(context.Context, ...ruledb.Recorded) error { return nil }

// judge decides under the defaults, and tells telemetry of it.
func judge(t testing.TB, of *telemetry.Telemetry) *backend.Judge {
	t.Helper()
	engine, err := policy.New(policy.Defaults(), policy.Options{Revision: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return backend.NewJudge(backend.JudgeOptions{
		Engine: func() *policy.Engine { return engine }, Calls: nowhere{}, Now: time.Now, Decided: of.Decided,
	})
}

// tracing exports to a collector that takes everything.
func tracing(t testing.TB) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	t.Cleanup(s.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", s.URL)
}

// BenchmarkDecide shows what telemetry adds to a decision: metrics, and metrics with
// traces. The three take turns, and of each the best round counts, so that what else the
// machine does tells in none of them.
func BenchmarkDecide(b *testing.B) {
	call := &policy.Call{Tool: "shell", Input: map[string]any{"command": "cat README.md"}, Dir: "/w"}
	rows := []struct {
		name string
		*backend.Judge
		best time.Duration
	}{{name: "without", Judge: judge(b, nil)}, {name: "metrics", Judge: judge(b, newTelemetry(b, io.Discard))}, {name: "traces"}}
	tracing(b)
	rows[2].Judge = judge(b, newTelemetry(b, io.Discard))
	decide := func(i int) {
		if v, err := rows[i].Decide(b.Context(), call); err != nil || v.Decision != policy.Allow {
			b.Fatal(v.Decision, err)
		}
	}
	const round = 50
	for b.Loop() {
		for i := range rows {
			begun := time.Now()
			for range round {
				decide(i)
			}
			if took := time.Since(begun) / round; rows[i].best == 0 || took < rows[i].best {
				rows[i].best = took
			}
		}
	}
	b.ReportMetric(0, "ns/op") // of rounds, and of no use
	for i := range rows {
		b.ReportMetric(float64(rows[i].best), rows[i].name+"-ns")
		b.ReportMetric(testing.AllocsPerRun(1000, func() { decide(i) }), rows[i].name+"-allocs")
		if i > 0 {
			b.ReportMetric(float64(rows[i].best-rows[0].best), rows[i].name+"-ns-more")
		}
	}
}

// maxCost is what telemetry may add to a decision.
const maxCost = 2 * time.Microsecond

// TestCost bounds what telemetry adds to a decision. The best of many short rounds counts:
// a busy machine makes the others longer.
func TestCost(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector is slow")
	}
	d := decided(backend.Asked, policy.Verdict{Decision: policy.Deny, Stage: policy.StageHardline, Reason: policy.ReasonHardline, Rule: "root-delete", Revision: "r"})
	for _, row := range []struct {
		name   string
		allocs float64
		traces bool
	}{{"metrics", 8, false}, {"traces", 10, true}} {
		if row.traces {
			tracing(t)
		}
		of, ctx := newTelemetry(t, io.Discard), t.Context()
		best := time.Hour
		for range 400 {
			const n = 50
			begun := time.Now()
			for range n {
				of.Decided(ctx, d)
			}
			best = min(best, time.Since(begun)/n)
		}
		allocs := testing.AllocsPerRun(100, func() { of.Decided(ctx, d) })
		t.Logf("%s: %s, %.0f allocations", row.name, best, allocs)
		if best > maxCost {
			t.Errorf("%s add %s to a decision, want at most %s", row.name, best, maxCost)
		}
		if allocs > row.allocs {
			t.Errorf("%s: %.0f allocations, want at most %.0f", row.name, allocs, row.allocs)
		}
	}
}
