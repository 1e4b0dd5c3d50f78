package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Store returns data that counts what is stored of requests, reviews and deliveries when
// it is stored, and what the database cannot do. The nil Telemetry returns it as it is.
func (t *Telemetry) Store(d backend.Data) backend.Data {
	if t == nil {
		return d
	}
	return &store{d, t}
}

type store struct {
	backend.Data
	t *Telemetry
}

// The operations of the database.
const (
	reading = "read"
	writing = "write"
)

// done counts an operation that began at a time.
func (s *store) done(ctx context.Context, operation string, begun time.Time, err error) {
	s.t.time(ctx, databaseDuration, time.Since(begun).Seconds(), "operation", operation)
	if isFailure(err) {
		s.t.count(ctx, databaseErrors, 1, "operation", operation)
	}
}

// isFailure reports whether an error is one of the database, and no answer of it or of
// who asks.
func isFailure(err error) bool {
	return err != nil && approval.CodeOf(err) == "" && !errors.Is(err, context.Canceled)
}

func (s *store) Create(ctx context.Context, r *approval.Request, log ...audit.Entry) (stored *approval.Request, created, undenied bool, err error) {
	begun := time.Now()
	stored, created, undenied, err = s.Data.Create(ctx, r, log...)
	s.done(ctx, writing, begun, err)
	if err == nil && created && stored.Kind != approval.KindTest {
		s.t.count(ctx, requestsSubmitted, 1, "state", string(stored.State))
	}
	return stored, created, undenied, err
}

// Update implements [approval.Store]. What change refuses is no error of the database.
func (s *store) Update(ctx context.Context, id string, change func(*approval.Request) ([]audit.Entry, error)) (*approval.Request, error) {
	begun := time.Now()
	var was approval.State
	var reviewed int
	var refused error
	r, err := s.Data.Update(ctx, id, func(r *approval.Request) ([]audit.Entry, error) {
		was, reviewed = r.State, len(r.Reviews)
		var log []audit.Entry
		log, refused = change(r)
		return log, refused
	})
	if refused != nil {
		s.done(ctx, writing, begun, nil)
		return r, err
	}
	s.done(ctx, writing, begun, err)
	if err != nil {
		return r, err
	}
	if was == approval.Pending && r.State != approval.Pending && r.Kind != approval.KindTest {
		s.t.ended(ctx, r)
	}
	for i := reviewed; i < len(r.Reviews); i++ {
		s.t.reviewed(ctx, &r.Reviews[i])
	}
	return r, err
}

func (s *store) Get(ctx context.Context, id string) (*approval.Request, error) {
	begun := time.Now()
	r, err := s.Data.Get(ctx, id)
	s.done(ctx, reading, begun, err)
	return r, err
}

func (s *store) List(ctx context.Context, f approval.Filter) ([]*approval.Request, error) {
	begun := time.Now()
	list, err := s.Data.List(ctx, f)
	s.done(ctx, reading, begun, err)
	return list, err
}

func (s *store) Record(ctx context.Context, log ...audit.Entry) error {
	begun := time.Now()
	err := s.Data.Record(ctx, log...)
	s.done(ctx, writing, begun, err)
	return err
}

func (s *store) Observe(ctx context.Context, at time.Time) error {
	begun := time.Now()
	err := s.Data.Observe(ctx, at)
	s.done(ctx, writing, begun, err)
	return err
}

func (s *store) Due(ctx context.Context, now time.Time, limit int) ([]string, time.Time, error) {
	begun := time.Now()
	ids, next, err := s.Data.Due(ctx, now, limit)
	s.done(ctx, reading, begun, err)
	return ids, next, err
}

func (s *store) ChangeDelivery(ctx context.Context, c channel.Change) (bool, error) {
	begun := time.Now()
	counted, err := s.Data.ChangeDelivery(ctx, c)
	s.done(ctx, writing, begun, err)
	if err != nil || !counted {
		return counted, err
	}
	switch {
	case c.State == channel.Sent, c.State == channel.Failed, c.State == channel.Uncertain:
		s.t.count(ctx, channelDeliveries, 1, "channel", c.Channel, "outcome", string(c.State))
	case c.State == channel.Due && c.Problem != "":
		s.t.count(ctx, channelDeliveries, 1, "channel", c.Channel, "outcome", "retried")
	}
	return counted, err
}

// ended counts a request that waits no more. Where traces are exported its wait is a
// span, which the id of the call joins to the decision that asked.
func (t *Telemetry) ended(ctx context.Context, r *approval.Request) {
	source, end := "none", time.Now()
	if r.Decision != nil {
		source, end = r.Decision.Source, r.Decision.At
	}
	t.count(ctx, requestsEnded, 1, "source", source, "state", string(r.State))
	t.time(ctx, requestWait, end.Sub(r.Created).Seconds(), "state", string(r.State))
	if t.tracer == nil {
		return
	}
	list := []attribute.KeyValue{
		attribute.String("gen_ai.tool.name", plain(r.Tool)), attribute.String("policyctl.request.id", r.ID),
		attribute.String("policyctl.request.state", string(r.State)), attribute.String("policyctl.decided_by", source),
	}
	var call struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(r.Call, &call) == nil && call.ID != "" {
		list = append(list, attribute.String("gen_ai.tool.call.id", plain(call.ID)))
	}
	_, span := t.tracer.Start(ctx, "await_approval "+plain(r.Tool), trace.WithTimestamp(r.Created), trace.WithAttributes(list...))
	span.End(trace.WithTimestamp(end))
}

// reviewed counts what a language model said, or did not.
func (t *Telemetry) reviewed(ctx context.Context, v *approval.Review) {
	t.count(ctx, reviews, 1, "outcome", v.Outcome, "reviewer", v.By)
	t.time(ctx, reviewDuration, float64(v.Latency)/1000, "reviewer", v.By)
	for _, n := range [...]struct {
		kind string
		n    int64
	}{{"input", v.In}, {"output", v.Out}, {"cached", v.CachedIn}} {
		t.count(ctx, reviewTokens, n.n, "reviewer", v.By, "type", n.kind)
	}
	t.meters.cost.Add(ctx, v.Cost, labels("reviewer", v.By))
}
