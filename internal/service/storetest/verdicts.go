package storetest

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// verdictRows is how many decisions the benchmark of the record has; the variable
// HISTORY_ROWS says another number, such as 10000000.
const verdictRows = 5000

// Verdicts measures how long somebody waits who looks at the record of many decisions.
// ready is called when they are there.
func Verdicts(b *testing.B, s Store, ready func()) {
	n := verdictRows
	if text := os.Getenv("HISTORY_ROWS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	began := time.Now()
	fillVerdicts(b, s, n)
	stored := time.Now()
	for more := true; more; {
		var err error
		if more, err = s.Index(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	ready()
	b.Logf("%d decisions were stored in %s and indexed in %s", n, stored.Sub(began).Round(time.Millisecond), time.Since(stored).Round(time.Millisecond))
	last := day.Add(time.Duration(n) * time.Second)
	for _, row := range []struct {
		name string
		f    audit.Filter
		want int
	}{
		{"the first page", audit.Filter{Limit: 100}, 100},
		{"a page in the middle", audit.Filter{Before: int64(n / 2), Limit: 100}, 100},
		{"a word that is everywhere", audit.Filter{Text: "deploy", Limit: 100}, 100},
		{"a word that is once", audit.Filter{Text: "deploy-77", Limit: 100}, 1},
		{"two words that are never together", audit.Filter{Text: "deploy-77 app3", Limit: 100}, 0},
		{"denials of an agent", audit.Filter{Kind: audit.KindVerdict, Decision: "deny", Agent: "codex", Limit: 100}, min(n/100, 100)},
		{"a rule that is rare", audit.Filter{Rule: "rare", Limit: 100}, min(n/5000, 100)},
		{"a session", audit.Filter{Session: "s3", Limit: 100}, 20},
		{"dates in the middle", audit.Filter{From: last.Add(-time.Duration(n/2) * time.Second), To: last.Add(-time.Duration(n/2-50) * time.Second), Limit: 100}, 50},
	} {
		b.Run(row.name, func(b *testing.B) {
			for b.Loop() {
				list, err := s.SearchAudit(b.Context(), row.f)
				if err != nil || len(list) != row.want {
					b.Fatalf("%d, want %d: %v", len(list), row.want, err)
				}
			}
		})
	}
}

// fillVerdicts puts decisions on record in batches, as a collector does.
func fillVerdicts(b *testing.B, s Store, n int) {
	b.Helper()
	const batch = 500
	for first := 0; first < n; first += batch {
		var log []audit.Entry
		for i := first; i < min(first+batch, n); i++ {
			log = append(log, verdictEntry(i))
		}
		if err := s.Record(b.Context(), log...); err != nil {
			b.Fatal(err)
		}
	}
}

func verdictEntry(i int) audit.Entry {
	e := audit.Entry{
		Time: day.Add(time.Duration(i) * time.Second), Kind: audit.KindVerdict, Actor: "token:laptops", Tool: "Bash", Session: fmt.Sprint("s", i/20), Agent: "claude",
		Arguments: json.RawMessage(fmt.Sprintf(`{"command":"make deploy-%d"}`, i)), Dir: fmt.Sprintf("/home/dev/src/app%d", i%20),
		Decision: "ask", DecidedBy: "policy", Reason: "none", Rule: fmt.Sprint("rule-", i%10), Stage: "confirm", Revision: "sha256:0123456789abcdef",
		Detail: map[string]string{"id": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "via": "hook", "took_us": "180", "why": "no rule allows it, and it may change something"},
	}
	if i%50 == 0 {
		e.Decision, e.Reason, e.Stage, e.Rule = "deny", "hardline", "hardline", "delete-root"
	}
	if i%100 == 0 {
		e.Agent = "codex"
	}
	if i%5000 == 4999 {
		e.Rule = "rare"
	}
	return e
}
