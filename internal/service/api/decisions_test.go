package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// batch is a batch of decisions whose ids are their positions.
func batch(source string, positions ...int64) trail.Batch {
	b := trail.Batch{Source: source, Entries: []trail.Placed{}}
	for _, at := range positions {
		o := policy.Outcome{Call: *policy.Shell("rm -rf /", "/w"), Verdict: policy.Verdict{Stage: policy.StageHardline, Reason: policy.ReasonHardline}, Time: decidedAt}
		e := trail.Entry(trail.From{Actor: "uid:1000", Via: "hook"}, &o)
		e.Detail[trail.ID] = fmt.Sprint("d-", at)
		b.Entries = append(b.Entries, trail.Placed{Position: at, Entry: e})
	}
	return b
}

// body returns a value as JSON.
func body(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// into decodes an answer.
func into(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
}

// decidedAt is when the decisions of these tests were made.
var decidedAt = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Decisions that are brought are on record once, in the name of the token that
// brings them, whatever is brought again.
func TestDecisions(t *testing.T) {
	s := start(t)
	c := newCaller(t, s)
	token, other, reader := s.Token(t, "m1", "record"), s.Token(t, "m2", "record"), s.Token(t, "ann", "read")
	at := func(token string, b trail.Batch) int64 {
		var r trail.Receipt
		into(t, c.do(http.StatusOK, token, "POST", "/v1/decisions", body(b)).Text, &r)
		return r.Position
	}
	for i, row := range []struct {
		token string
		b     trail.Batch
		want  int64
	}{
		{token, batch("a"), 0}, {token, batch("a", 1, 2), 2}, {token, batch("a", 1, 2), 2}, {token, batch("a", 2, 4), 4},
		{token, batch("a", 3), 4}, {other, batch("a", 3), 3}, {token, batch("b", 1), 1}, {token, batch("a"), 4},
	} {
		if got := at(row.token, row.b); got != row.want {
			t.Errorf("batch %d: position %d, want %d", i, got, row.want)
		}
	}
	var page struct{ Records []audit.Record }
	into(t, c.do(http.StatusOK, reader, "GET", "/v1/audit?kind=verdict", "").Text, &page)
	var got []string
	for _, r := range page.Records {
		got = append(got, r.Actor+" "+r.Detail[trail.ID])
		if r.Decision != "deny" || r.Reason != "hardline" || r.DecidedBy != "policy" || r.DecidedAt == nil || !r.DecidedAt.Equal(decidedAt) || r.Time.Equal(decidedAt) ||
			r.Detail[trail.AskedBy] != "uid:1000" || r.Detail["token_id"] == "" || r.Detail[trail.Spool] == "" {
			t.Errorf("%+v", r)
		}
	}
	if want := "token:m1 d-1|token:m1 d-2|token:m1 d-4|token:m2 d-3|token:m1 d-1"; strings.Join(got, "|") != want {
		t.Errorf("on record are %v, want %s", got, want)
	}
}

// What is no decision of a policy is refused, with all that comes with it.
func TestForgedDecisions(t *testing.T) {
	s := start(t)
	token, reader := s.Token(t, "m1", "record"), s.Token(t, "ann", "read")
	for name, forge := range map[string]func(*trail.Batch){
		"a decision of a person": func(b *trail.Batch) { b.Entries[1].Entry.Kind = audit.KindDecision },
		"a receipt":              func(b *trail.Batch) { b.Entries[1].Entry.Kind = audit.KindReceipt },
		"another decider":        func(b *trail.Batch) { b.Entries[1].Entry.DecidedBy = "token:ann" },
		"another token":          func(b *trail.Batch) { b.Entries[1].Entry.Detail["token_id"] = "x" },
		"a request":              func(b *trail.Batch) { b.Entries[1].Entry.RequestID = "req_1" },
		"no source":              func(b *trail.Batch) { b.Source = "" },
		"a source of NUL":        func(b *trail.Batch) { b.Source = "a\x00" },
		"position 0":             func(b *trail.Batch) { b.Entries[0].Position = 0 },
		"position twice":         func(b *trail.Batch) { b.Entries[1].Position = 1 },
		"backwards":              func(b *trail.Batch) { b.Entries[0].Position = 3 },
		"the last position":      func(b *trail.Batch) { b.Entries[1].Position = 1<<63 - 1 },
	} {
		b := batch("a", 1, 2)
		forge(&b)
		if a := s.Do(t, token, "POST", "/v1/decisions", body(b)); a.Status != http.StatusBadRequest || a.Code() != "invalid" {
			t.Errorf("%s: %d %s", name, a.Status, a.Text)
		}
	}
	many := batch("a")
	for i := range int64(trail.MaxBatch + 1) {
		many.Entries = append(many.Entries, batch("a", i+1).Entries...)
	}
	for name, sent := range map[string]string{
		"too many": body(many), "too long": `{"source":"` + strings.Repeat("a", 5<<20) + `"}`, "no JSON": "{", "a list": "[]",
		"an unknown key": `{"source":"a","entries":[],"actor":"token:ann"}`, "a key twice": `{"source":"a","source":"b","entries":[]}`,
	} {
		if a := s.Do(t, token, "POST", "/v1/decisions", sent); a.Status < 400 || a.Status >= 500 {
			t.Errorf("%s: %d %s", name, a.Status, a.Text)
		}
	}
	if a := s.Do(t, reader, "GET", "/v1/audit?kind=verdict", ""); strings.Contains(a.Text, `"verdict"`) {
		t.Errorf("something is on record: %s", a.Text)
	}
}
