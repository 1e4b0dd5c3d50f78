package storetest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
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

func keys(t *testing.T, place Place) {
	s := open(t, place, Options{})
	old, young := newKey(day), newKey(day.Add(-time.Hour)) // the clock was set back
	for _, k := range []approval.Key{old, young} {
		if err := s.AddKey(t.Context(), k, entry(audit.KindKey, "")); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := old
	ended.Ended = young.Created
	same(t, "keys", got, []approval.Key{young, ended})
	if err := s.AddKey(t.Context(), old, entry(audit.KindKey, "")); err == nil {
		t.Error("a key was stored twice")
	}
	if err := s.AddKey(t.Context(), approval.Key{ID: "short", Public: []byte("x")}); err == nil {
		t.Error("a broken key was stored")
	}
	if got, err = s.Keys(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, "keys after errors", got, []approval.Key{young, ended})
	same(t, "logs", countsOf(t, s), counts{Audit: 2})
}

func newKey(at time.Time) approval.Key {
	return approval.NewKey(approval.NewPrivateKey().Public(), at)
}

// newToken returns a token whose id is made of its name.
func newToken(name string) auth.Token {
	return auth.Token{ID: "id-" + name, Name: name, Scopes: auth.Submit | auth.Read, Hash: sha256.Sum256([]byte(name)), Created: day}
}

func tokens(t *testing.T, place Place) {
	s := open(t, place, Options{})
	a, b := newToken("a"), newToken("b")
	b.Scopes, b.Expires, b.LastUsed, b.Revoked = auth.Admin, day.Add(1), day.Add(time.Hour), day.Add(2*time.Hour)
	b.Expires = b.Expires.Truncate(time.Microsecond)
	for _, k := range []auth.Token{a, b} {
		if err := s.AddToken(t.Context(), k, entry(audit.KindToken, "")); err != nil {
			t.Fatal(err)
		}
	}
	check := func() {
		t.Helper()
		all, err := s.Tokens(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, "tokens", all, []auth.Token{b, a})
		got, found, err := s.TokenByID(t.Context(), "id-a")
		if err != nil || !found || got != a {
			t.Errorf("%+v, %v, %v; want %+v", got, found, err, a)
		}
	}
	check()
	if got, found, err := s.TokenByID(t.Context(), "ID-A"); found || err != nil || got != (auth.Token{}) {
		t.Errorf("unknown: %+v, %v, %v", got, found, err)
	}
	for _, row := range []struct {
		want bool // whether the use is remembered
		at   time.Duration
	}{{true, time.Hour}, {false, time.Hour + time.Second}, {false, 0}, {true, time.Hour + time.Minute}} {
		if row.want {
			a.LastUsed = day.Add(row.at)
		}
		if err := s.TouchToken(t.Context(), "id-a", day.Add(row.at)); err != nil {
			t.Fatal(err)
		}
		check()
	}
	if err := s.TouchToken(t.Context(), "nobody", day); err != nil {
		t.Error(err)
	}
	a.Revoked = day.Add(3 * time.Hour)
	for i, row := range []struct {
		want bool
		id   string
	}{{true, "id-a"}, {false, "id-a"}, {false, "id-b"}, {false, "nobody"}} {
		done, err := s.RevokeToken(t.Context(), row.id, a.Revoked.Add(time.Duration(i)*time.Hour), entry(audit.KindToken, ""))
		if err != nil || done != row.want {
			t.Errorf("revoke %s: %v, %v", row.id, done, err)
		}
		check()
	}
	same(t, "logs", countsOf(t, s), counts{Audit: 3})
}

func badTokens(t *testing.T, place Place) {
	s := open(t, place, Options{})
	if err := s.AddToken(t.Context(), newToken("a")); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*auth.Token){
		"no id": func(k *auth.Token) { k.ID = "" }, "the id of another": func(k *auth.Token) { k.ID = "id-a" },
		"no name": func(k *auth.Token) { k.Name = "" }, "bad name": func(k *auth.Token) { k.Name = "a b" },
		"no scope": func(k *auth.Token) { k.Scopes = 0 }, "unknown scope": func(k *auth.Token) { k.Scopes |= 1 << 7 },
	} {
		k := newToken("b")
		spoil(&k)
		if err := s.AddToken(t.Context(), k, entry(audit.KindToken, "")); err == nil {
			t.Errorf("%s: stored", name)
		}
	}
	if all, err := s.Tokens(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
	same(t, "logs", countsOf(t, s), counts{})
}

// newRow returns a row with all columns.
func newRow(id string, priority int64) ruledb.Row {
	text := func(s string) *string { return &s }
	ttl, closed, timeout := int64(60), 1, int64(3000)
	return ruledb.Row{
		ID: id, Label: text("é"), ScopePluginID: text("github"), ScopeProfileID: text(""), Priority: priority, Enabled: 1, Dialect: "pattern",
		Source: `{"http.method":"DELETE"}`, Decision: "deny", Reason: text("<why>"), ApproverPluginID: text("llm"), LLMPrompt: text("p"),
		LLMModel: text("m"), LLMCacheTTLS: &ttl, LLMFailClosed: &closed, TimeoutMS: &timeout, OnTimeout: text("deny"), CreatedBy: text("token:a"),
		CreatedAt: day, UpdatedAt: day, ApproverAny: new(int64(2)),
	}
}

// putRule stores a row in place of what stands.
func putRule(ctx context.Context, s Store, r ruledb.Row, log ...audit.Entry) error {
	c := ruledb.Change{Rule: r.ID, At: day, By: "token:ops", After: &r}
	if before, ok, err := standing(ctx, s, r.ID); err != nil {
		return err
	} else if ok {
		c.Before = &before
		r.CreatedBy, r.CreatedAt = before.CreatedBy, before.CreatedAt
	}
	return s.ChangeRules(ctx, []ruledb.Change{c}, log...)
}

func standing(ctx context.Context, s Store, id string) (ruledb.Row, bool, error) {
	rows, err := s.Rules(ctx)
	i := slices.IndexFunc(rows, func(r ruledb.Row) bool { return r.ID == id })
	if err != nil || i < 0 {
		return ruledb.Row{}, false, err
	}
	return rows[i], true, nil
}

// deleteRule removes a row and reports whether there was one.
func deleteRule(ctx context.Context, s Store, id, by string, at time.Time, log ...audit.Entry) (bool, error) {
	before, ok, err := standing(ctx, s, id)
	if err != nil || !ok {
		return false, err
	}
	err = s.ChangeRules(ctx, []ruledb.Change{{Rule: id, At: at, By: by, Before: &before}}, log...)
	return err == nil, err
}

func rules(t *testing.T, place Place) {
	s := open(t, place, Options{})
	a, b, c := newRow("a", 1), newRow("b", 2), newRow("c", 2)
	bare := ruledb.Row{ID: "d", Priority: -1, Dialect: "pattern", Source: "{}", Decision: "allow", CreatedAt: day, UpdatedAt: day.Truncate(time.Second)}
	for _, r := range []ruledb.Row{a, c, bare, b} {
		if err := putRule(t.Context(), s, r, entry(audit.KindRule, "")); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...ruledb.Row) {
		t.Helper()
		got, err := s.Rules(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, "rules", got, want)
	}
	check(b, c, a, bare)
	next := ruledb.Row{ID: "a", Priority: 9, Dialect: "pattern", Source: "{}", Decision: "ask", CreatedAt: day.Add(time.Hour), UpdatedAt: day.Add(time.Hour)}
	if err := putRule(t.Context(), s, next); err != nil {
		t.Fatal(err)
	}
	next.CreatedAt, next.CreatedBy = a.CreatedAt, a.CreatedBy
	check(next, b, c, bare)
	for _, id := range []string{"", "\x00", "\xff"} {
		if err := putRule(t.Context(), s, ruledb.Row{ID: id}, entry(audit.KindRule, "")); err == nil {
			t.Errorf("a rule %q was stored", id)
		}
	}
	same(t, "logs", countsOf(t, s), counts{Audit: 4})
}

// Rows are found by what they say, a page at a time.
func searches(t *testing.T, place Place) {
	s := open(t, place, Options{})
	a, b, c, d := newRow("a", -1), newRow("b", 7), newRow("c", 7), newRow("d", 0)
	by := "token:Eve"
	b.Source, c.UpdatedBy, d.Reason = `{"verb":"100% PUSH_"}`, &by, nil
	for _, r := range []ruledb.Row{a, b, c, d} {
		if err := putRule(t.Context(), s, r); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		want  string
		found int
		ruledb.Search
	}{
		{"b c d a", 4, ruledb.Search{}},
		{"b c", 4, ruledb.Search{Limit: 2}},
		{"d a", 4, ruledb.Search{After: "c"}},
		{"", 4, ruledb.Search{After: "a"}},
		{"", 4, ruledb.Search{After: "none"}},
		{"b", 1, ruledb.Search{Text: "100% push_"}},
		{"c", 1, ruledb.Search{Text: "EVE"}},
		{"b c a", 3, ruledb.Search{Text: "<why>"}},
		{"c", 3, ruledb.Search{Text: "<why>", After: "b", Limit: 1}},
		{"b", 1, ruledb.Search{Text: "%"}},
	} {
		rows, found, all, err := s.Search(t.Context(), row.Search)
		var ids []string
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " "); err != nil || got != row.want || found != row.found || all != 4 {
			t.Errorf("%+v: %q, %d of %d, %v, want %q, %d", row.Search, got, found, all, err, row.want, row.found)
		}
	}
	if r, ok, err := s.Rule(t.Context(), "b"); err != nil || !ok || r.Source != b.Source {
		t.Errorf("%+v %v %v", r, ok, err)
	}
	if _, ok, err := s.Rule(t.Context(), "none"); err != nil || ok {
		t.Error(ok, err)
	}
}

// Each change is kept with what was and what is, and one that is based on another row than
// the one that stands changes nothing, nor do those with it.
func changes(t *testing.T, place Place) {
	s := open(t, place, Options{})
	a, b := newRow("a", 1), newRow("b", 2)
	cases, by := `[{"command":"ls","match":true}]`, "token:b"
	next := a
	next.Priority, next.Cases, next.UpdatedBy = 9, &cases, &by
	change := func(before, after *ruledb.Row) ruledb.Change {
		id := "a"
		if after != nil {
			id = after.ID
		}
		return ruledb.Change{Rule: id, At: day, By: "token:b", Before: before, After: after}
	}
	made := []ruledb.Change{change(nil, &a), change(nil, &b)}
	if err := s.ChangeRules(t.Context(), made); err != nil || made[0].ID == 0 || made[1].ID <= made[0].ID {
		t.Fatal(made, err)
	}
	for _, c := range []ruledb.Change{change(&a, &next), change(&next, nil)} {
		list := []ruledb.Change{c}
		if err := s.ChangeRules(t.Context(), list); err != nil {
			t.Fatal(err)
		}
		made = append(made, list[0])
	}
	check := func() {
		t.Helper()
		for _, row := range []struct {
			rule   string
			before int64
			limit  int
			want   []ruledb.Change
		}{
			{"", 0, 0, []ruledb.Change{made[3], made[2], made[1], made[0]}},
			{"a", 0, 0, []ruledb.Change{made[3], made[2], made[0]}},
			{"a", made[2].ID, 0, []ruledb.Change{made[0]}},
			{"", 0, 1, []ruledb.Change{made[3]}},
			{"none", 0, 0, nil},
		} {
			got, err := s.Changes(t.Context(), row.rule, row.before, row.limit)
			if err != nil {
				t.Fatal(err)
			}
			same(t, fmt.Sprint("changes of ", row.rule), got, row.want)
		}
	}
	check()
	got, err := s.Change(t.Context(), made[2].ID)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "a change", got, made[2])
	if _, err := s.Change(t.Context(), 999); !errors.Is(err, ruledb.ErrNoChange) {
		t.Error(err)
	}
	other := newRow("c", 1)
	for name, c := range map[string]ruledb.Change{
		"it is gone": change(&a, &next), "it is another": change(&a, &b), "it stands": change(nil, &b), "it never was": change(&a, nil),
	} {
		var stale *ruledb.Stale
		if err := s.ChangeRules(t.Context(), []ruledb.Change{change(nil, &other), c}, entry(audit.KindRule, "")); !errors.As(err, &stale) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check()
	if rows, err := s.Rules(t.Context()); err != nil || len(rows) != 1 {
		t.Errorf("%v, %v", rows, err)
	}
	same(t, "logs", countsOf(t, s), counts{})
}

func tombstones(t *testing.T, place Place) {
	s := open(t, place, Options{})
	var want []ruledb.Tombstone
	for i, id := range []string{"a", "b", "a"} {
		r := newRow(id, int64(i))
		if err := putRule(t.Context(), s, r); err != nil {
			t.Fatal(err)
		}
		at := day.Add(-time.Duration(i) * time.Hour)
		if done, err := deleteRule(t.Context(), s, id, "token:b", at, entry(audit.KindRule, "")); !done || err != nil {
			t.Fatal(done, err)
		}
		want = append([]ruledb.Tombstone{{Row: r, DeletedBy: "token:b", DeletedAt: at}}, want...)
	}
	if done, err := deleteRule(t.Context(), s, "a", "token:b", day, entry(audit.KindRule, "")); done || err != nil {
		t.Errorf("deleted twice: %v, %v", done, err)
	}
	for limit, n := range map[int]int{0: 3, 2: 2, 9: 3} {
		got, err := s.Tombstones(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("tombstones, at most %d", limit), got, want[:n])
	}
	if rows, err := s.Rules(t.Context()); err != nil || len(rows) != 0 {
		t.Errorf("%v, %v", rows, err)
	}
	same(t, "logs", countsOf(t, s), counts{Audit: 3})
}

func calls(t *testing.T, place Place) {
	s := open(t, place, Options{KeepCalls: 3})
	var want []ruledb.Recorded
	for i := range 5 {
		c := ruledb.Recorded{At: day, Session: strings.Repeat("é", i), JSON: json.RawMessage(`{"tool":"<b>","n":1.0}`)}
		if err := s.RecordCalls(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		want = append([]ruledb.Recorded{c}, want...)
	}
	several := []ruledb.Recorded{{At: day, Session: "a", JSON: json.RawMessage(`{}`)}, {At: day, Session: "b", JSON: json.RawMessage(`{}`)}}
	if err := s.RecordCalls(t.Context(), several...); err != nil {
		t.Fatal(err)
	}
	want = append([]ruledb.Recorded{several[1], several[0]}, want...)
	for limit, n := range map[int]int{0: 3, 2: 2} {
		got, err := s.Calls(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "calls", got, want[:n])
	}
	for _, c := range []ruledb.Recorded{{Session: "\xff", JSON: []byte("{}")}, {JSON: []byte("{")}, {}} {
		if err := s.RecordCalls(t.Context(), several[0], c); err == nil {
			t.Errorf("%q %q was stored", c.Session, c.JSON)
		}
	}
	if got, err := s.Calls(t.Context(), 0); err != nil || len(got) != 3 || got[0].Session != "b" {
		t.Errorf("with one that is refused, others were stored: %v, %v", got, err)
	}
}

// The seal of a rule is kept by what writes it, and by nothing else.
func seals(t *testing.T, place Place) {
	s := open(t, place, Options{})
	check := func(want map[string]string) {
		t.Helper()
		got, err := s.Seals(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, "seals", got, want)
	}
	check(map[string]string{})
	a, b := newRow("a", 1), newRow("b", 2)
	for _, r := range []ruledb.Row{a, b} {
		if err := putRule(t.Context(), s, r); err != nil {
			t.Fatal(err)
		}
	}
	check(map[string]string{"a": a.Hash(), "b": b.Hash()})
	if err := s.Seal(t.Context(), "a", "x", nil, entry(audit.KindRule, "")); err != nil {
		t.Fatal(err)
	}
	if _, err := deleteRule(t.Context(), s, "b", "token:ops", day); err != nil {
		t.Fatal(err)
	}
	check(map[string]string{"a": "x"})
	if err := s.Seal(t.Context(), "a", "", nil); err != nil {
		t.Fatal(err)
	}
	check(map[string]string{})
	same(t, "logs", countsOf(t, s), counts{Audit: 1})
	by := ruledb.Change{Rule: "a", At: day, By: "token:ops", Before: &a, After: &a}
	if err := s.Seal(t.Context(), "a", a.Hash(), &by, entry(audit.KindRule, "")); err != nil {
		t.Fatal(err)
	}
	check(map[string]string{"a": a.Hash()})
	same(t, "logs", countsOf(t, s), counts{Audit: 2})
	if last, err := s.Changes(t.Context(), "a", 0, 1); err != nil || len(last) != 1 || last[0].By != "token:ops" || last[0].After.Hash() != a.Hash() {
		t.Errorf("%+v, %v", last, err)
	}
}
