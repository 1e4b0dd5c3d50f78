package telemetry

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// Write writes all metrics in the text format of Prometheus, version 0.0.4. A metric
// without a value has its lines HELP and TYPE alone. The error is that of the writer.
func (t *Telemetry) Write(ctx context.Context, w io.Writer) error {
	var all metricdata.ResourceMetrics
	if err := t.reader.Collect(ctx, &all); err != nil {
		return err
	}
	values := make(map[string]metricdata.Aggregation)
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			values[m.Name] = m.Data
		}
	}
	out := bufio.NewWriter(w)
	for i := range table {
		m := &table[i]
		name := m.Prometheus()
		fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, m.Help, name, m.Kind)
		for _, line := range samples(name, values[m.Name]) {
			_, _ = out.WriteString(line) // Flush tells
		}
	}
	return out.Flush()
}

// samples returns the lines of a metric, sorted by their labels.
func samples(name string, values metricdata.Aggregation) []string {
	var out []string
	switch v := values.(type) {
	case metricdata.Sum[int64]:
		out = numbers(name, v.DataPoints)
	case metricdata.Sum[float64]:
		out = numbers(name, v.DataPoints)
	case metricdata.Gauge[int64]:
		out = numbers(name, v.DataPoints)
	case metricdata.Gauge[float64]:
		out = numbers(name, v.DataPoints)
	case metricdata.Histogram[float64]:
		for i := range v.DataPoints {
			out = append(out, ranges(name, &v.DataPoints[i]))
		}
	}
	slices.Sort(out)
	return out
}

func numbers[N int64 | float64](name string, points []metricdata.DataPoint[N]) []string {
	var out []string
	for i := range points {
		out = append(out, sample(name, points[i].Attributes, "", float64(points[i].Value)))
	}
	return out
}

// ranges returns the lines of a histogram: a range holds those below it.
func ranges(name string, p *metricdata.HistogramDataPoint[float64]) string {
	var out strings.Builder
	below := uint64(0)
	for i, n := range p.BucketCounts {
		below += n
		bound := "+Inf"
		if i < len(p.Bounds) {
			bound = number(p.Bounds[i])
		}
		out.WriteString(sample(name+"_bucket", p.Attributes, bound, float64(below)))
	}
	out.WriteString(sample(name+"_sum", p.Attributes, "", p.Sum))
	out.WriteString(sample(name+"_count", p.Attributes, "", float64(p.Count)))
	return out.String()
}

// sample returns one line. bound is the label le, "" for none.
func sample(name string, labels attribute.Set, bound string, value float64) string {
	var pairs []string
	for _, kv := range labels.ToSlice() {
		pairs = append(pairs, fmt.Sprintf(`%s="%s"`, kv.Key, escape(kv.Value.String())))
	}
	if bound != "" {
		pairs = append(pairs, `le="`+bound+`"`)
	}
	list := strings.Join(pairs, ",")
	return name + strings.TrimSuffix("{"+list+"}", "{}") + " " + number(value) + "\n"
}

// escape writes the value of a label as the format wants it.
func escape(s string) string { return strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(s) }

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
