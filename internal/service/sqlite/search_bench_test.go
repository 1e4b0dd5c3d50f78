package sqlite_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/approval"
)

// historyRows is how many requests the benchmark of the history has; the variable
// HISTORY_ROWS says another number, such as 1000000.
const historyRows = 5000

// A page of the history costs what it shows, however many requests there are.
func BenchmarkHistory(b *testing.B) {
	n := historyRows
	if text := os.Getenv("HISTORY_ROWS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	path := newPath(b)
	shut(b, open(b, path, sqlite.Options{}))
	fillHistory(b, path, n)
	d := open(b, path, sqlite.Options{})
	defer shut(b, d)
	for began, more := time.Now(), true; more; {
		var err error
		if more, err = d.Index(b.Context()); err != nil {
			b.Fatal(err)
		}
		if !more {
			b.Logf("%d requests were indexed in %s", n, time.Since(began).Round(time.Millisecond))
		}
	}
	day := time.Unix(0, 0).UTC()
	for _, row := range []struct {
		name string
		f    approval.Filter
		want int
	}{
		{"all", approval.Filter{}, 100},
		{"a page in the middle", approval.Filter{Before: fmt.Sprint("req_", n/2)}, 100},
		{"a state that is everywhere", approval.Filter{States: []approval.State{approval.Executed}}, 100},
		{"a word that is everywhere", approval.Filter{Text: "deploy"}, 100},
		{"a word that is once", approval.Filter{Text: "deploy-77"}, 1},
		{"a word with an agent that never has it", approval.Filter{Text: "deploy-77", Agent: "codex"}, 0},
		{"a rule that is rare", approval.Filter{Rule: "rare"}, min(n/5000, 100)},
		{"an agent, who decided and a state", approval.Filter{Agent: "claude", By: "login:1", States: []approval.State{approval.Executed}}, 100},
		{"the words of a path", approval.Filter{Text: "/home/dev/src/app7"}, 100},
		{"dates in the middle", approval.Filter{From: day.Add(time.Duration(n/2) * time.Second), To: day.Add(time.Duration(n/2+50) * time.Second)}, 50},
		{"dates and a word", approval.Filter{Text: "deploy", To: day.Add(time.Duration(n/2) * time.Second)}, 100},
	} {
		b.Run(row.name, func(b *testing.B) {
			for b.Loop() {
				list, err := d.List(b.Context(), row.f)
				if err != nil || len(list) != row.want {
					b.Fatalf("%d, want %d: %v", len(list), row.want, err)
				}
			}
		})
	}
	b.Run("statistics", func(b *testing.B) {
		for b.Loop() {
			if facts, err := d.Facts(b.Context(), time.Time{}, 10_000); err != nil || len(facts) != min(n, 10_000) {
				b.Fatal(len(facts), err)
			}
		}
	})
}

// fillHistory stores requests as fast as the file takes them.
func fillHistory(b *testing.B, path string, n int) {
	b.Helper()
	db, err := tryOpen(path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	t, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	insert, err := t.Prepare(`INSERT INTO requests (id, version, submitter, key, digest, state, kind, session, created, expires, document)
		VALUES (?, 1, 'token:agent', '', '', ?, 'call', ?, ?, ?, ?)`)
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		r := approval.Request{
			ID: fmt.Sprint("req_", i), Version: 1, State: approval.Executed, Kind: approval.KindCall, Submitter: "token:agent", Tool: "shell",
			Call:    json.RawMessage(fmt.Sprintf(`{"tool":"shell","input":{"command":"make deploy-%d"}}`, i)),
			Session: fmt.Sprint("s", i/20), Agent: "claude", Dir: fmt.Sprintf("/home/dev/src/app%d", i%20), Title: fmt.Sprintf("shell: make deploy-%d", i),
			Created: time.Unix(int64(i), 0).UTC(), Expires: time.Unix(int64(i+300), 0).UTC(),
		}
		r.Asked = approval.Asked{Stage: "confirm", Rule: fmt.Sprint("rule-", i%10), Why: "no rule allows it, and it may change something"}
		if i%5000 == 4999 {
			r.Asked.Rule = "rare"
		}
		r.Decision = &approval.Decision{Word: approval.ApprovedOnce, By: "login:1", Source: approval.Human, At: r.Created.Add(time.Duration(i%60) * time.Second)}
		text, err := json.Marshal(r)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := insert.Exec(r.ID, string(r.State), r.Session, r.Created.UnixMicro(), r.Expires.UnixMicro(), string(text)); err != nil {
			b.Fatal(err)
		}
	}
	if err := t.Commit(); err != nil {
		b.Fatal(err)
	}
}

// Who looks at the record of decisions waits for a page, however many there are.
func BenchmarkVerdicts(b *testing.B) {
	path := newPath(b)
	d := open(b, path, sqlite.Options{})
	defer shut(b, d)
	storetest.Verdicts(b, d, func() {})
	if info, err := os.Stat(path); err == nil {
		b.Logf("the file has %d MB", info.Size()>>20)
	}
}
