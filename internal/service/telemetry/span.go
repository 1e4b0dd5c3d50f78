package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/pkg/policy"
)

// spans makes spans of decisions behind the back of who waits for them: to make one takes
// longer than to decide some calls. The nil spans makes none.
type spans struct {
	t       *Telemetry
	waiting chan decision
	stop    chan struct{}
	done    chan struct{}
}

// maxSpans bounds the decisions that wait to become spans.
const maxSpans = 4096

// A decision is what a span says of one. No argument of the call is in it: they may hold
// anything.
type decision struct {
	parent   trace.SpanContext
	end      time.Time
	took     time.Duration
	decision policy.Decision
	stage    policy.Stage
	reason   policy.Reason

	source, tool, id, session, agent, rule, revision string
}

func newSpans(t *Telemetry) *spans {
	s := &spans{t, make(chan decision, maxSpans), make(chan struct{}), make(chan struct{})}
	go s.run()
	return s
}

// add hands a decision over, or counts it as lost.
func (s *spans) add(ctx context.Context, d *backend.Decided) {
	if s == nil {
		return
	}
	v, c := d.Verdict, d.Call
	select {
	case s.waiting <- decision{
		trace.SpanContextFromContext(ctx), time.Now(), d.Took, v.Decision, v.Stage, v.Reason,
		d.Source, c.Tool, c.ID, c.Session, c.Agent, v.Rule, v.Revision,
	}:
	default:
		s.t.count(ctx, spansLost, 1)
	}
}

// run makes spans until the end, and then of what still waits.
func (s *spans) run() {
	defer close(s.done)
	for {
		select {
		case d := <-s.waiting:
			s.make(&d)
			continue
		case <-s.stop:
		}
		select {
		case d := <-s.waiting:
			s.make(&d)
		default:
			return
		}
	}
}

// end makes spans of what waits.
func (s *spans) end(ctx context.Context) error {
	close(s.stop)
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// make makes the span of a decision, with the attributes that the semantic conventions of
// OpenTelemetry for generative AI have for the execution of a tool.
func (s *spans) make(d *decision) {
	list := append(make([]attribute.KeyValue, 0, 12),
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", plain(d.tool)),
		attribute.String("policyctl.source", d.source),
		attribute.String("policyctl.decision", d.decision.String()),
		attribute.String("policyctl.stage", d.stage.String()),
		attribute.String("policyctl.reason", d.reason.String()),
		attribute.String("policyctl.revision", d.revision),
	)
	for _, more := range [...]struct{ key, value string }{
		{"gen_ai.tool.call.id", d.id}, {"gen_ai.conversation.id", d.session}, {"gen_ai.agent.name", d.agent}, {"policyctl.rule", d.rule},
	} {
		if more.value != "" {
			list = append(list, attribute.String(more.key, plain(more.value)))
		}
	}
	ctx := trace.ContextWithRemoteSpanContext(context.Background(), d.parent)
	_, span := s.t.tracer.Start(ctx, "execute_tool "+plain(d.tool), trace.WithTimestamp(d.end.Add(-d.took)), trace.WithAttributes(list...))
	span.End(trace.WithTimestamp(d.end))
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
