package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/policy"
)

// instruments are those of the table.
type instruments struct {
	counters [metricCount]metric.Int64Counter
	cost     metric.Float64Counter
	times    [metricCount]metric.Float64Histogram
	gauges   [metricCount]metric.Float64ObservableGauge
	totals   [metricCount]metric.Int64ObservableCounter
	// decided are the labels of decisions by source, decision, stage and reason, made
	// once, because they are on the way of each decision. took are those of its time.
	decided map[outcome]metric.AddOption
	took    map[string]metric.RecordOption
}

// An outcome is what the labels of a decision say.
type outcome struct {
	source   string
	decision policy.Decision
	stage    policy.Stage
	reason   policy.Reason
}

// bounds are the ranges of the histograms.
func bounds(i int) []float64 {
	switch i {
	case requestWait:
		return waitBounds
	case reviewDuration:
		return reviewBounds
	case databaseDuration:
		return databaseBounds
	}
	return decisionBounds
}

// isTotal reports whether a counter is read where it is counted already.
func isTotal(i int) bool { return i == spoolLost || i == callsLost }

// newInstruments makes the instruments; observe is asked for what is read when somebody
// looks.
func newInstruments(m metric.Meter, observe func(context.Context, metric.Observer, *instruments) error) (*instruments, error) {
	out := &instruments{decided: outcomes(), took: make(map[string]metric.RecordOption)}
	for _, source := range []string{backend.Asked, backend.Submitted} {
		out.took[source] = metric.WithAttributeSet(attribute.NewSet(attribute.String("source", source)))
	}
	var read []metric.Observable
	for i := range table {
		if err := out.add(m, i); err != nil {
			return nil, err
		}
		if table[i].Kind == Gauge {
			read = append(read, out.gauges[i])
		}
		if isTotal(i) {
			read = append(read, out.totals[i])
		}
	}
	_, err := m.RegisterCallback(func(ctx context.Context, o metric.Observer) error { return observe(ctx, o, out) }, read...)
	return out, err
}

// add makes the instrument of a row.
func (s *instruments) add(m metric.Meter, i int) (err error) {
	row := &table[i]
	unit, help := metric.WithUnit(row.Unit), metric.WithDescription(row.Help)
	switch {
	case row.Kind == Histogram:
		s.times[i], err = m.Float64Histogram(row.Name, unit, help, metric.WithExplicitBucketBoundaries(bounds(i)...))
	case row.Kind == Gauge:
		s.gauges[i], err = m.Float64ObservableGauge(row.Name, unit, help)
	case isTotal(i):
		s.totals[i], err = m.Int64ObservableCounter(row.Name, unit, help)
	case i == reviewCost:
		s.cost, err = m.Float64Counter(row.Name, unit, help)
	default:
		s.counters[i], err = m.Int64Counter(row.Name, unit, help)
	}
	return err
}

// outcomes returns the labels of all decisions that there can be.
func outcomes() map[outcome]metric.AddOption {
	out := make(map[outcome]metric.AddOption)
	for _, source := range []string{backend.Asked, backend.Submitted} {
		for decision := policy.Deny; decision <= policy.Allow; decision++ {
			for stage := policy.StageNone; stage <= policy.StageMode; stage++ {
				for reason := policy.ReasonError; reason <= policy.ReasonNone; reason++ {
					if (decision == policy.Deny) == (reason == policy.ReasonNone) {
						continue // only denials have a reason
					}
					out[outcome{source, decision, stage, reason}] = labels(
						"decision", decision.String(), "reason", reason.String(), "source", source, "stage", stage.String())
				}
			}
		}
	}
	return out
}

// labels are pairs of a name and a value.
func labels(pairs ...string) metric.MeasurementOption {
	var list []attribute.KeyValue
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, attribute.String(pairs[i], pairs[i+1]))
	}
	return metric.WithAttributeSet(attribute.NewSet(list...))
}

// count adds to a counter, with labels as pairs.
func (t *Telemetry) count(ctx context.Context, metric int, n int64, pairs ...string) {
	t.meters.counters[metric].Add(ctx, n, labels(pairs...))
}

// time adds a value to a histogram, in seconds.
func (t *Telemetry) time(ctx context.Context, metric int, seconds float64, pairs ...string) {
	t.meters.times[metric].Record(ctx, seconds, labels(pairs...))
}
