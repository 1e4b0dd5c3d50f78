package telemetry

import (
	"context"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/support/redact"
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

// Decided counts a decision. Where traces are exported it is a span, with the attributes
// that the semantic conventions of OpenTelemetry for generative AI have for tools.
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
	if t.tracer == nil {
		return
	}
	end := time.Now()
	_, span := t.tracer.Start(ctx, "execute_tool "+plain(d.Call.Tool), trace.WithTimestamp(end.Add(-d.Took)), trace.WithAttributes(attributes(d)...))
	span.End(trace.WithTimestamp(end))
}

// attributes are those of the span of a decision. Arguments are none: they may hold
// anything.
func attributes(d *backend.Decided) []attribute.KeyValue {
	v := d.Verdict
	list := append(make([]attribute.KeyValue, 0, 12),
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", plain(d.Call.Tool)),
		attribute.String("policyctl.source", d.Source),
		attribute.String("policyctl.decision", v.Decision.String()),
		attribute.String("policyctl.stage", v.Stage.String()),
		attribute.String("policyctl.reason", v.Reason.String()),
		attribute.String("policyctl.revision", v.Revision),
	)
	for _, more := range [...]struct{ key, value string }{
		{"gen_ai.tool.call.id", d.Call.ID}, {"gen_ai.conversation.id", d.Call.Session}, {"gen_ai.agent.name", d.Call.Agent}, {"policyctl.rule", v.Rule},
	} {
		if more.value != "" {
			list = append(list, attribute.String(more.key, plain(more.value)))
		}
	}
	return list
}

// maxText bounds what clients write into spans, in bytes.
const maxText = 200

// plain returns a text of a client as spans have it: short, and without secrets.
func plain(s string) string {
	if len(s) > maxText {
		s = s[:maxText]
	}
	s, _ = redact.Text(s)
	return s
}
