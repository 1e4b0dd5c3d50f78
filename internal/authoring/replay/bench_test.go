package replay

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/policy"
)

// agentLines returns calls as agents make them, of sessions of 50, and the
// recording of them.
func agentLines(t testing.TB, each int) (calls []*policy.Call, recording string) {
	f, err := os.Open("../../../testdata/agent-lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b strings.Builder
	for lines := bufio.NewScanner(f); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), " · ", 4)
		if len(parts) < 4 {
			continue
		}
		for range each {
			c := policy.Shell(parts[3], "/home/dev/project")
			c.Session = fmt.Sprint("s", len(calls)/50)
			calls = append(calls, c)
			fmt.Fprintf(&b, "{\"command\":%q,\"dir\":%q,\"session\":%q}\n", parts[3], c.Dir, c.Session)
		}
	}
	return calls, b.String()
}

// TestRunCost shows that a replay takes a few times what its decisions alone
// take: it reads each call, says what asks in it, and tries permissions.
func TestRunCost(t *testing.T) {
	if cputime.Slower > 1 {
		t.Skip("the race detector slows one more than the other")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	calls, recording := agentLines(t, 10)
	o := options(t)
	ratio := 1e9
	for range 3 {
		start := time.Now()
		for _, c := range calls {
			if _, err := o.Policy.Decide(context.Background(), nil, c); err != nil {
				t.Fatal(err)
			}
		}
		decided := time.Now()
		r, err := Run(context.Background(), []Input{Stream("calls", strings.NewReader(recording))}, o)
		if err != nil || r.Calls != len(calls) {
			t.Fatal(r.Calls, err)
		}
		ratio = min(ratio, float64(time.Since(decided))/float64(decided.Sub(start)))
	}
	t.Logf("%.1f times the decisions", ratio)
	if ratio > 8 {
		t.Errorf("a replay takes %.1f times what its decisions take", ratio)
	}
}

// BenchmarkRun replays 200,000 calls as agents make them, of which many ask, with the
// permissions that are tried.
func BenchmarkRun(b *testing.B) {
	calls, recording := agentLines(b, 377)
	o := options(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(context.Background(), []Input{Stream("calls", strings.NewReader(recording))}, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(calls)), "µs/call")
}
