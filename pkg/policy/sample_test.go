package policy_test

import (
	"context"
	"slices"
	"testing"
	"time"
)

// BenchmarkSample decides the lines of a working day and reports the median
// and the 99th percentile of a decision in microseconds.
func BenchmarkSample(b *testing.B) {
	lines := corpusFile(b, "../../testdata/agent-lines.txt")
	e := engine(b, "deny shell git push --force *|ask shell git push *|allow shell go test *|allow shell npm test *", nil)
	best := make([]time.Duration, len(lines))
	for b.Loop() {
		for i, l := range lines {
			c := call(l.command)
			start := time.Now()
			if _, err := e.Decide(context.Background(), nil, c); err != nil {
				b.Fatal(err)
			}
			if took := time.Since(start); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	slices.Sort(best)
	b.ReportMetric(float64(best[len(best)/2].Nanoseconds())/1000, "µs/median")
	b.ReportMetric(float64(best[len(best)*99/100].Nanoseconds())/1000, "µs/p99")
}
