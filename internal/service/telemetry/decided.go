package telemetry

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/propagation"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Traceparent has what a request leads to belong to the trace that its header traceparent
// names (W3C Trace Context), if it has one.
func Traceparent(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Traceparent") != "" {
			r = r.WithContext(propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header)))
		}
		next.ServeHTTP(w, r)
	})
}

// Decided counts a decision. Where traces are exported it becomes a span. It never waits.
func (t *Telemetry) Decided(ctx context.Context, d *backend.Decided) {
	if t == nil {
		return
	}
	v := d.Verdict
	if add, ok := t.meters.decided[outcome{d.Source, v.Decision, v.Stage, v.Reason}]; ok {
		t.meters.counters[decisions].Add(ctx, 1, add)
	}
	if took, ok := t.meters.took[d.Source]; ok {
		t.meters.times[decisionDuration].Record(ctx, d.Took.Seconds(), took)
	}
	if v.Stage == policy.StageHardline {
		t.count(ctx, floorDenials, 1, "rule", v.Rule)
	}
	t.spans.add(ctx, d)
}
