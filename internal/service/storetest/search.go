package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/trail"
)

// putSearched adds requests that a search tells apart: the later are the younger.
func putSearched(t *testing.T, s Store) {
	t.Helper()
	for i, row := range []struct{ command, agent, rule string }{
		{"make deploy-prod", "claude", "no-rule"},
		{"npm run lint", "claude", "ask-npm"},
		{`echo "größe" > src/app/main.go && true`, "codex", "no-rule"},
		{"curl -H 'Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345' x.test", "codex", ""},
	} {
		r := newRequest(fmt.Sprint(i))
		r.Agent, r.Asked.Rule, r.Created = row.agent, row.rule, day.Add(time.Duration(i)*24*time.Hour)
		call, _ := json.Marshal(map[string]any{"tool": "Bash", "input": map[string]any{"command": row.command, "password": "correcthorse"}})
		r.Call, r.Title = call, "Bash: "+strings.Fields(row.command)[0]
		put(t, s, r)
	}
	settle(t, s, "0", approval.Denied)
	settle(t, s, "1", approval.Approved)
}

// What is searched is found, whatever its place in the list, and nothing else; what
// changed meanwhile as it is now, and no secret at all.
func search(t *testing.T, place Place) {
	s := open(t, place, Options{})
	putSearched(t, s)
	check := func(rows map[string]approval.Filter) {
		t.Helper()
		for key, f := range rows {
			want, _, _ := strings.Cut(key, ":")
			if got := ids(t, s, f); got != want {
				t.Errorf("%+v: %q, want %q", f, got, want)
			}
		}
	}
	check(map[string]approval.Filter{
		"0:a":       {Text: "deploy"},
		"0:b":       {Text: "DEPLOY-PROD"},
		"0:c":       {Text: "dep*"},
		"0:d":       {Text: "prod make"},
		":a":        {Text: "dep"},
		":b":        {Text: "prod-deploy"},
		":c":        {Text: "deploy lint"},
		"2:a":       {Text: "src/app/main.go"},
		"2:b":       {Text: "&& true"},
		"2:c":       {Text: "große", From: day.Add(-time.Hour)},
		"3:a":       {Text: `curl`},
		":d":        {Text: `" OR words : "make`},
		":e":        {Text: "ghp_0123456789abcdefghijABCDEFGHIJ012345"},
		":f":        {Text: "correcthorse"},
		"1 0:a":     {Agent: "claude"},
		"2 0:a":     {Rule: "no-rule"},
		"0:e":       {Rule: "no-rule", Agent: "claude"},
		"0:g":       {Agent: "claude", Text: "deploy"},
		":k":        {Agent: "codex", Text: "deploy"},
		"1 0:b":     {By: "token:ann"},
		"1 0:c":     {Word: approval.Rejected},
		":g":        {Word: approval.ApprovedOnce},
		":h":        {Agent: "clau"},
		"1:a":       {Agent: "claude", States: []approval.State{approval.Approved}},
		"1 0:d":     {Agent: "claude", States: []approval.State{approval.Approved, approval.Denied}},
		"0:f":       {Agent: "claude", Before: "1"},
		"1:b":       {Agent: "claude", Limit: 1},
		"3 2:a":     {From: day.Add(48 * time.Hour)},
		"1 0:e":     {To: day.Add(48 * time.Hour)},
		"2 1:a":     {From: day.Add(time.Hour), To: day.Add(50 * time.Hour)},
		"2:d":       {From: day.Add(time.Hour), To: day.Add(50 * time.Hour), Agent: "codex"},
		":i":        {From: day.Add(1000 * time.Hour)},
		":j":        {From: day.Add(1000 * time.Hour), Agent: "codex"},
		"3 2 1 0:a": {From: day.Add(-1000 * time.Hour), To: day.Add(1000 * time.Hour)},
	})
	settle(t, s, "2", approval.Denied)
	check(map[string]approval.Filter{"2 1 0:a": {By: "token:ann"}, "2:a": {States: []approval.State{approval.Denied}, Agent: "codex"}, "3:a": {States: []approval.State{approval.Pending}, Agent: "codex"}})
	var invalid *approval.Invalid
	if _, err := s.List(t.Context(), approval.Filter{Text: "&& ||"}); !errors.As(err, &invalid) {
		t.Errorf("a text without words: %v", err)
	}
	facts, err := s.Facts(t.Context(), day.Add(-time.Hour), 3)
	if err != nil || len(facts) != 3 || facts[0].Program != "curl" || facts[2].By != "token:ann" || !facts[2].Decided.Equal(day) || !facts[1].Asked.Equal(day.Add(48*time.Hour)) {
		t.Errorf("%+v, %v", facts, err)
	}
	if n, err := s.Behind(t.Context()); n == 0 || err != nil { // the log was not searched yet
		t.Errorf("%d behind, %v", n, err)
	}
	for more := true; more; {
		if more, err = s.Index(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Behind(t.Context()); n != 0 || err != nil {
		t.Errorf("%d behind, %v", n, err)
	}
}

// A request that changes while it is read into the index is read again.
func searchChanged(t *testing.T, place Place) {
	s := open(t, place, Options{})
	put(t, s, newRequest("a"))
	changing, change := make(chan struct{}), make(chan struct{})
	var both sync.WaitGroup
	both.Go(func() {
		_, err := s.Update(t.Context(), "a", func(r *approval.Request) ([]audit.Entry, error) {
			close(changing)
			<-change
			r.Agent = "later"
			return []audit.Entry{entry(audit.KindExtension, "a")}, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-changing
	both.Go(func() {
		if _, err := s.Index(t.Context()); err != nil {
			t.Error(err)
		}
	})
	time.Sleep(100 * time.Millisecond) // the index has read it, and waits to write
	close(change)
	both.Wait()
	if got := ids(t, s, approval.Filter{Agent: "later"}); got != "a" {
		t.Errorf("%q", got)
	}
}

// The log is searched as the requests are. What is found does not depend on how much
// of it was searched before.
func searchAudit(t *testing.T, place Place) {
	s := open(t, place, Options{})
	for i := range 500 {
		e := entry(audit.KindRequest, fmt.Sprint("req_", i))
		e.Time = day.Add(time.Duration(i) * time.Hour)
		e.Session, e.Agent = fmt.Sprint("s", i%3), "claude"
		e.Arguments = json.RawMessage(fmt.Sprintf(`{"command":"make target-%d"}`, i))
		if i%5 == 0 {
			e.Kind, e.Decision, e.DecidedBy, e.Rule = audit.KindDecision, "rejected", "token:ann", "no-rule"
		}
		if i%7 == 0 {
			e.Kind, e.Stage, e.Detail = audit.KindVerdict, "doom_loop", map[string]string{trail.ID: fmt.Sprint("id-", i)}
			e.Tool = strings.Repeat("long ", 2000) // which hides nothing
		}
		if err := s.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if i == 250 {
			if _, err := s.SearchAudit(t.Context(), audit.Filter{Text: "make"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := verify(t, s)
	for _, f := range []audit.Filter{
		{}, {Kind: audit.KindDecision}, {Kind: audit.KindDecision, Session: "s1"}, {Actor: "token:agent"}, {Actor: "token:nobody"},
		{RequestID: "req_33"}, {Decision: "rejected", By: "token:ann", Rule: "no-rule", Agent: "claude"},
		{From: day.Add(100 * time.Hour)}, {To: day.Add(100 * time.Hour)}, {From: day.Add(99*time.Hour + time.Second), To: day.Add(200 * time.Hour), Session: "s2"},
		{To: day.Add(1000 * time.Hour)}, {From: day.Add(498 * time.Hour)}, {From: day.Add(1000 * time.Hour)},
		{From: day.Add(490 * time.Hour), To: day.Add(499*time.Hour + 30*time.Second), OldestFirst: true},
		{Before: 100}, {After: 480}, {After: 100, Before: 110, Kind: audit.KindRequest}, {OldestFirst: true, After: 7}, {OldestFirst: true, Kind: audit.KindDecision}, {OldestFirst: true, Text: "make"},
		{Limit: 3}, {Limit: 3, Session: "s1", OldestFirst: true}, {Text: "target-77"}, {Text: "make target-7*", Limit: 50}, {Text: "token:ann", Before: 300}, {Text: "nothing"},
		{Stage: "doom_loop"}, {Stage: "doom"}, {Stage: "doom_loop", Kind: audit.KindVerdict, Limit: 2}, {ID: "id-77"}, {ID: "id-78"},
	} {
		got, err := s.SearchAudit(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if want := chosen(all, f); !slices.EqualFunc(got, want, func(a, b *audit.Record) bool { return a.Hash == b.Hash }) {
			t.Errorf("%+v: %s, want %s", f, seqs(got), seqs(want))
		}
	}
	for seq, want := range map[int64]bool{0: false, 1: true, 500: true, 501: false} {
		if r, ok, err := s.AuditRecord(t.Context(), seq); err != nil || ok != want || ok && r.Seq != seq {
			t.Errorf("record %d: %v, %v", seq, ok, err)
		}
	}
}

// chosen is what a filter chooses, looked at one by one.
func chosen(all []*audit.Record, f audit.Filter) (out []*audit.Record) {
	is := func(want, has string) bool { return want == "" || want == has }
	for _, r := range all {
		words := strings.FieldsFunc(strings.ToLower(r.Words()), func(c rune) bool { return strings.ContainsRune(" -_:\n", c) })
		hasWords := true
		for term := range strings.FieldsSeq(f.Text) {
			stem, open := strings.CutSuffix(term, "*")
			for word := range strings.FieldsFuncSeq(stem, func(c rune) bool { return c == '-' || c == ':' }) {
				hasWords = hasWords && slices.ContainsFunc(words, func(w string) bool { return w == word || open && strings.HasPrefix(w, word) })
			}
		}
		if is(f.Kind, r.Kind) && is(f.Actor, r.Actor) && is(f.RequestID, r.RequestID) && is(f.Session, r.Session) && is(f.Agent, r.Agent) && is(f.Rule, r.Rule) &&
			is(f.Stage, r.Stage) && is(f.ID, r.Detail[trail.ID]) &&
			is(f.Decision, r.Decision) && is(f.By, r.DecidedBy) && (f.From.IsZero() || !r.Time.Before(f.From.Truncate(time.Second))) && (f.To.IsZero() || r.Time.Before(f.To.Truncate(time.Second))) &&
			r.Seq > f.After && (f.Before == 0 || r.Seq < f.Before) && hasWords {
			out = append(out, r)
		}
	}
	if !f.OldestFirst {
		slices.Reverse(out)
	}
	limit := f.Limit
	if limit == 0 {
		limit = approval.DefaultLimit
	}
	return out[:min(limit, len(out))]
}

func seqs(list []*audit.Record) string {
	var out []string
	for _, r := range list {
		out = append(out, fmt.Sprint(r.Seq))
	}
	return strings.Join(out, " ")
}
