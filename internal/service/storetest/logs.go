package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

func events(t *testing.T, place Place) {
	var told []approval.Event
	s := open(t, place, Options{Notify: func(e approval.Event) { told = append(told, e) }})
	if first, last, err := s.EventBounds(t.Context()); first != 0 || last != 0 || err != nil {
		t.Errorf("bounds of nothing: %d, %d, %v", first, last, err)
	}
	put(t, s, newRequest("a"), newRequest("b"))
	if len(told) != 2 {
		t.Errorf("told of %d when Create returns", len(told))
	}
	settle(t, s, "a", approval.Denied)
	_, _, _, err := s.Create(t.Context(), newRequest("a"))
	if err != nil {
		t.Fatal(err)
	}
	want := []approval.Event{
		{ID: 1, RequestID: "a", State: approval.Pending, Version: 1},
		{ID: 2, RequestID: "b", State: approval.Pending, Version: 1},
		{ID: 3, RequestID: "a", State: approval.Denied, Version: 2},
	}
	for i := range want {
		want[i].Time, want[i].Session, want[i].Tool, want[i].Title = day, "s1", "Bash", "Bash: make"
	}
	same(t, "told", told, want)
	for after := range int64(4) {
		got, err := s.EventsAfter(t.Context(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if rest := want[after:]; !slices.Equal(got, rest[:min(2, len(rest))]) {
			t.Errorf("after %d: %+v", after, got)
		}
	}
	if first, last, err := s.EventBounds(t.Context()); first != 1 || last != 3 || err != nil {
		t.Errorf("bounds: %d, %d, %v", first, last, err)
	}
}

// votedEvents tell of each vote how many there are.
func votedEvents(t *testing.T, place Place) {
	s := open(t, place, Options{})
	r := newRequest("a")
	r.Asked.Approver, r.Asked.Quorum = "ann,bob,carol", 2
	put(t, s, r)
	for _, by := range []string{"token:ann", "token:bob"} {
		_, err := s.Update(t.Context(), "a", func(r *approval.Request) ([]audit.Entry, error) {
			r.Votes = append(r.Votes, approval.Vote{Answer: approval.Answer{Word: approval.ApprovedOnce}, By: by})
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.EventsAfter(t.Context(), 0, 0)
	if err != nil || len(got) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, e := range got {
		if e.Quorum != 2 || e.Approved != i {
			t.Errorf("%d: %+v", i, e)
		}
	}
	if stored, err := s.Get(t.Context(), "a"); err != nil || len(stored.Votes) != 2 || stored.Votes[1].By != "token:bob" {
		t.Errorf("%+v, %v", stored, err)
	}
}

func keptEvents(t *testing.T, place Place) {
	s := open(t, place, Options{KeepEvents: 3})
	for i := range 10 {
		put(t, s, newRequest(fmt.Sprint(i)))
	}
	if first, last, err := s.EventBounds(t.Context()); first != 8 || last != 10 || err != nil {
		t.Errorf("bounds: %d, %d, %v", first, last, err)
	}
	got, err := s.EventsAfter(t.Context(), 0, 0)
	if err != nil || len(got) != 3 || got[0].ID != 8 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Events are told in the order of their ids, without a gap, and what is told
// can be read.
func eventRace(t *testing.T, place Place) {
	var told []approval.Event // Notify is called by one at a time
	s := open(t, place, Options{Notify: func(e approval.Event) { told = append(told, e) }})
	const writers, each = 40, 5
	race(writers, func(i int) {
		for j := range each {
			r := newRequest(fmt.Sprintf("%d.%d", i, j))
			if _, _, _, err := s.Create(t.Context(), r, entry(audit.KindRequest, r.ID)); err != nil {
				t.Error(err)
			}
			_, err := s.Update(t.Context(), r.ID, func(r *approval.Request) ([]audit.Entry, error) {
				decide(r, approval.Denied)
				return nil, nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	versions := map[string]int64{}
	for i, e := range told {
		if e.ID != int64(i+1) || e.Version != versions[e.RequestID]+1 {
			t.Fatalf("event %d is %+v", i, e)
		}
		versions[e.RequestID]++
	}
	stored, err := s.EventsAfter(t.Context(), 0, 1000)
	if err != nil || len(told) != 2*writers*each {
		t.Fatalf("%d told, %v", len(told), err)
	}
	same(t, "stored", stored, told)
}

func auditLog(t *testing.T, place Place) {
	s := open(t, place, Options{})
	if head, err := s.AuditHead(t.Context()); head != nil || err != nil {
		t.Errorf("the head of nothing: %v, %v", head, err)
	}
	at := day.Add(time.Second)
	full := audit.Entry{
		Time: day, Kind: audit.KindDecision, Actor: "token:a", RequestID: "r", Tool: "Bash", Arguments: json.RawMessage(`{"n":12345678901234567890.10,"t":"<é&>"}`),
		Session: "s", Agent: "x", Dir: "/d", Decision: "rejected", DecidedBy: "token:b", DecidedAt: &at, Reason: "why", Rule: "ru", Stage: "st",
		Revision: "re", RequestHash: "sha256:0", ExecutionResult: "FAILED", Detail: map[string]string{"k": "v"},
	}
	if err := s.Record(t.Context(), entry(audit.KindLogin, ""), full); err != nil {
		t.Fatal(err)
	}
	if err := s.Record(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, s, newRequest("a"))
	all := verify(t, s)
	if len(all) != 3 {
		t.Fatalf("%d records", len(all))
	}
	same(t, "an entry", all[1].Entry, full)
	last, err := s.SearchAudit(t.Context(), audit.Filter{Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the last", last, []*audit.Record{all[2], all[1]})
	head, err := s.AuditHead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the head", head, all[2])
	page, err := s.Audit(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "a page", page, []*audit.Record{all[1]})
}

// All that writes at once makes one chain.
func auditRace(t *testing.T, place Place) {
	s := open(t, place, Options{})
	service := newService(t, s)
	race(80, func(i int) {
		var err error
		switch i % 4 {
		case 0:
			err = s.Record(t.Context(), entry(audit.KindLogin, ""), entry(audit.KindRefusal, ""))
		case 1:
			_, err = service.Submit(t.Context(), "token:agent", submission("", "make"))
		case 2:
			err = putRule(t.Context(), s, ruledb.Row{ID: fmt.Sprint(i), CreatedAt: day, UpdatedAt: day}, entry(audit.KindRule, ""))
		case 3:
			err = s.AddToken(t.Context(), newToken(fmt.Sprint("t", i)), entry(audit.KindToken, ""))
		}
		if err != nil {
			t.Error(err)
		}
	})
	if n := len(verify(t, s)); n != 1+20*5 {
		t.Errorf("%d records, want the key and 100", n)
	}
}

// A record names the token by which its actor acts, beside what else it tells.
func tokenRecord(t *testing.T, place Place) {
	s := open(t, place, Options{})
	more := entry(audit.KindLogin, "")
	more.Detail = map[string]string{"k": "v"}
	for _, who := range []auth.Identity{{Name: "token:agent", TokenID: "tok1"}, {Name: "token:other", TokenID: "tok2"}, {Name: "token:agent"}} {
		if err := s.Record(auth.NewContext(t.Context(), who), entry(audit.KindLogin, ""), more); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, r := range verify(t, s) {
		got = append(got, fmt.Sprint(r.Detail))
	}
	same(t, "details", got, []string{"map[token_id:tok1]", "map[k:v token_id:tok1]", "map[]", "map[k:v]", "map[]", "map[k:v]"})
	if len(more.Detail) != 1 {
		t.Errorf("the caller's detail was changed: %v", more.Detail)
	}
}

// What cannot be recorded is not done.
func badEntry(t *testing.T, place Place) {
	s := open(t, place, Options{})
	good, bad := entry(audit.KindLogin, ""), entry("nonsense", "")
	at := day
	for name, do := range map[string]func() error{
		"record":     func() error { return s.Record(t.Context(), good, bad) },
		"create":     func() error { _, _, _, err := s.Create(t.Context(), newRequest("a"), good, bad); return err },
		"put rule":   func() error { return putRule(t.Context(), s, ruledb.Row{ID: "a"}, good, bad) },
		"add token":  func() error { return s.AddToken(t.Context(), newToken("a"), good, bad) },
		"signingkey": func() error { return s.AddKey(t.Context(), newKey(at), good, bad) },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "nonsense") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := putRule(t.Context(), s, ruledb.Row{ID: "b"}); err != nil {
		t.Fatal(err)
	}
	if err := s.AddToken(t.Context(), newToken("b")); err != nil {
		t.Fatal(err)
	}
	if done, err := deleteRule(t.Context(), s, "b", "x", at, bad); done || err == nil {
		t.Errorf("delete rule: %v, %v", done, err)
	}
	if done, err := s.RevokeToken(t.Context(), newToken("b").ID, at, bad); done || err == nil {
		t.Errorf("revoke token: %v, %v", done, err)
	}
	rows, err := s.Rules(t.Context())
	tokens, err2 := s.Tokens(t.Context())
	keys, err3 := s.Keys(t.Context())
	if err != nil || err2 != nil || err3 != nil || len(rows) != 1 || len(tokens) != 1 || !tokens[0].Revoked.IsZero() || len(keys) != 0 {
		t.Errorf("%v %v %v: %v %v %v", rows, tokens, keys, err, err2, err3)
	}
	same(t, "logs", countsOf(t, s), counts{})
}
