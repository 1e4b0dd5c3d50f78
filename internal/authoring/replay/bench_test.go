package replay

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// BenchmarkRun replays calls as agents make them, of which many ask, with the
// permissions that are tried.
func BenchmarkRun(b *testing.B) {
	f, err := os.Open("../../../testdata/agent-lines.txt")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var recording strings.Builder
	calls := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), " · ", 4)
		if len(parts) < 4 {
			continue
		}
		for range 10 {
			calls++
			fmt.Fprintf(&recording, "{\"command\":%q,\"dir\":\"/home/dev/project\",\"session\":\"s%d\"}\n", parts[3], calls)
		}
	}
	o := options(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(context.Background(), []Input{Stream("calls", strings.NewReader(recording.String()))}, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*calls), "µs/call")
}
