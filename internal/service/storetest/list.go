package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// ids lists requests in one line.
func ids(t *testing.T, s Store, f approval.Filter) string {
	t.Helper()
	all, err := s.List(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range all {
		out = append(out, r.ID)
	}
	return strings.Join(out, " ")
}

func list(t *testing.T, place Place) {
	s := open(t, place, Options{})
	putFour(t, s)
	for _, row := range []struct {
		want string
		f    approval.Filter
	}{
		{"3 2 1 0", approval.Filter{}},
		{"3 2", approval.Filter{Limit: 2}},
		{"1 0", approval.Filter{Before: "2"}},
		{"2", approval.Filter{Before: "3", Limit: 1}},
		{"", approval.Filter{Before: "0"}},
		{"3 2", approval.Filter{States: []approval.State{approval.Pending}}},
		{"1 0", approval.Filter{States: []approval.State{approval.Denied, approval.Approved}}},
		{"1", approval.Filter{States: []approval.State{approval.Denied, approval.Approved}, Limit: 1}},
		{"", approval.Filter{States: []approval.State{"NONSENSE"}}},
		{"2 0", approval.Filter{Session: "s1"}},
		{"0", approval.Filter{Session: "s1", Submitter: "token:agent"}},
		{"", approval.Filter{Session: "S1"}},
		{"", approval.Filter{Session: "s1' OR '1'='1"}},
		{"2", approval.Filter{Kind: approval.KindContract}},
		{"2", approval.Filter{Name: "clr_1"}},
		{"2", approval.Filter{Name: "clr_1", Submitter: "token:other"}},
		{"", approval.Filter{Name: "clr_1", Submitter: "token:agent"}},
		{"", approval.Filter{Name: "clr"}},
		{"3 1", approval.Filter{Alike: "sha256:odd"}},
		{"1", approval.Filter{Alike: "sha256:odd", States: []approval.State{approval.Approved}}},
		{"", approval.Filter{Alike: "sha256:od"}},
		{"0", approval.Filter{Session: "s1", Before: "2", States: []approval.State{approval.Denied}}},
		{"3 2 1 0", approval.Filter{Limit: approval.MaxLimit + 1}},
		{"3 2 1 0", approval.Filter{Limit: -1}},
		{"0 1 2 3", approval.Filter{Fair: true}},
		{"0 1 3", approval.Filter{Fair: true, Limit: 3}},
		{"2 3", approval.Filter{Fair: true, States: []approval.State{approval.Pending}}},
		{"1", approval.Filter{Owing: true}},
		{"", approval.Filter{Owing: true, States: []approval.State{approval.Pending}}},
	} {
		if got := ids(t, s, row.f); got != row.want {
			t.Errorf("%+v: %q, want %q", row.f, got, row.want)
		}
	}
	for _, f := range []approval.Filter{{Before: "9"}, {Before: "9", From: day.Add(-time.Hour)}, {Before: "9", To: day.Add(time.Hour)}} {
		if _, err := s.List(t.Context(), f); !errors.Is(err, approval.ErrNotFound) {
			t.Errorf("%+v: before an unknown id: %v", f, err)
		}
	}
}

// A list leaves out what the caller has, in the version that it has; of a caller that has
// more than a list can have, nothing.
func listKnown(t *testing.T, place Place) {
	s := open(t, place, Options{})
	putFour(t, s)
	known := map[string]int64{"3": 1, "2": 2, "0": 1, "x": 1}
	bare := func() (out string) {
		all, err := s.List(t.Context(), approval.Filter{Known: known})
		if err != nil || len(all) != 4 {
			t.Fatalf("%d requests, %v", len(all), err)
		}
		for _, r := range all {
			if r.Bare() {
				out += fmt.Sprint(r.ID, " ", r.Version, " ", r.State, ".")
			}
		}
		return out
	}
	if got := bare(); got != "3 1 PENDING." {
		t.Errorf("left out: %q", got)
	}
	for i := range approval.MaxLimit - len(known) {
		known[fmt.Sprint("y", i)] = 1
	}
	if got := bare(); got != "3 1 PENDING." {
		t.Errorf("with as many as a list can have: %q", got)
	}
	if known["z"] = 1; bare() != "" {
		t.Errorf("with one more, there is left out: %q", bare())
	}
}

// putFour adds the requests 0 to 3, of which the later are the older.
func putFour(t *testing.T, s Store) {
	t.Helper()
	for i, session := range []string{"s1", "s2", "s1", ""} {
		r := newRequest(fmt.Sprint(i))
		r.Session = session
		if i == 2 {
			r.Submitter, r.Kind, r.Name = "token:other", approval.KindContract, "clr_1"
		}
		r.Created = day.Add(-time.Duration(i) * time.Second) // the clock was set back
		if i%2 == 1 {
			r.Alike = "sha256:odd"
		}
		put(t, s, r)
	}
	settle(t, s, "0", approval.Denied)
	settle(t, s, "1", approval.Approved)
	for _, owed := range []struct{ id, entries string }{{"1", `["make"]`}, {"0", `["make"]`}, {"0", ""}} {
		_, err := s.Update(t.Context(), owed.id, func(r *approval.Request) ([]audit.Entry, error) {
			r.Owed = nil
			if owed.entries != "" {
				r.Owed = json.RawMessage(owed.entries)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Who pages through a list sees what was there at the beginning once each,
// whatever is added meanwhile. A list is bounded.
func pages(t *testing.T, place Place) {
	s := open(t, place, Options{})
	const n = approval.DefaultLimit + 20
	for i := range n {
		put(t, s, newRequest(fmt.Sprintf("r%03d", i)))
	}
	if got := strings.Count(ids(t, s, approval.Filter{}), "r"); got != approval.DefaultLimit {
		t.Errorf("%d without a limit, want %d", got, approval.DefaultLimit)
	}
	var seen []string
	for before := ""; ; {
		page, err := s.List(t.Context(), approval.Filter{Before: before, Limit: 7})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			seen, before = append(seen, r.ID), r.ID
		}
		put(t, s, newRequest("new"+before))
	}
	slices.Reverse(seen)
	if len(seen) != n || !slices.IsSorted(seen) || len(slices.Compact(seen)) != n {
		t.Errorf("%d of %d: %v", len(seen), n, seen)
	}
}

func due(t *testing.T, place Place) {
	s := open(t, place, Options{})
	for id, after := range map[string]time.Duration{"b": 2, "a": 1, "d": 4, "c": 3, "over": 0} {
		r := newRequest(id)
		r.Expires = day.Add(after * time.Microsecond)
		put(t, s, r)
	}
	settle(t, s, "over", approval.Denied)
	for _, row := range []struct {
		want  string
		now   time.Duration // microseconds after day
		limit int
		next  time.Duration
	}{
		{"", 0, 10, 1},
		{"a", 1, 10, 2},
		{"a b c", 3, 10, 4},
		{"a b c d", 4, 10, 0},
		{"a b c d", 99, 4, 0},
		{"a b", 99, 2, 3}, // the next one is due already
		{"", 99, 0, 1},
	} {
		ids, next, err := s.Due(t.Context(), day.Add(row.now*time.Microsecond), row.limit)
		if err != nil {
			t.Fatal(err)
		}
		want := time.Time{}
		if row.next != 0 {
			want = day.Add(row.next * time.Microsecond)
		}
		if got := strings.Join(ids, " "); got != row.want || !next.Equal(want) {
			t.Errorf("at %d, %d of them: %q, next %v; want %q, %v", row.now, row.limit, got, next, row.want, want)
		}
	}
}

// The denial of a session replaces the one before it, with its record.
func sessionDenials(t *testing.T, place Place) {
	s := open(t, place, Options{})
	for i, session := range []string{"s1", "s2", "s1", "a wild/session"} {
		d := newDenial(session)
		d.Denied = i
		if err := s.PutSessionDenial(t.Context(), d, entry(audit.KindSession, "")); err != nil {
			t.Fatal(err)
		}
	}
	for _, session := range []string{"s2", "unknown"} {
		if err := s.DropSessionDenial(t.Context(), session, entry(audit.KindSession, "")); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.SessionDenials(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wild, first := newDenial("a wild/session"), newDenial("s1")
	wild.Denied, first.Denied = 3, 2
	same(t, "denials", got, []approval.SessionDenial{wild, first})
	for session, want := range map[string]*approval.SessionDenial{"a wild/session": &wild, "s1": &first, "s2": nil, "unknown": nil} {
		one, err := s.SessionDenial(t.Context(), session)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the denial of "+session, one, want)
	}
	if _, created, undenied, err := s.Create(t.Context(), newRequest("amid"), entry(audit.KindRequest, "amid")); err != nil || !created || undenied {
		t.Errorf("a request while sessions are denied: %v, %v, %v", created, undenied, err)
	}
	for _, session := range []string{"a wild/session", "s1"} {
		if err := s.DropSessionDenial(t.Context(), session); err != nil {
			t.Fatal(err)
		}
	}
	if _, created, undenied, err := s.Create(t.Context(), newRequest("after"), entry(audit.KindRequest, "after")); err != nil || !created || !undenied {
		t.Errorf("a request when none is denied any more: %v, %v, %v", created, undenied, err)
	}
	if n := ofKind(verify(t, s), audit.KindSession); n != 6 {
		t.Errorf("%d records, want 6", n)
	}
	if err := s.PutSessionDenial(t.Context(), newDenial("a\x00b")); err == nil {
		t.Error("a session with a NUL")
	}
}

func pending(t *testing.T, place Place) {
	s := open(t, place, Options{})
	for i, session := range []string{"s1", "s1", "s1", "s2", ""} {
		r := newRequest(fmt.Sprint(i))
		r.Session = session
		put(t, s, r)
	}
	settle(t, s, "0", approval.Cancelled)
	for session, want := range map[string]int{"s1": 2, "s2": 1, "": 1, "s3": 0} {
		if n, all, d, err := s.Pending(t.Context(), "token:nobody", session); err != nil || n != 0 || all != 0 || d != nil {
			t.Errorf("%q of another submitter: %d of %d, %v, %v", session, n, all, d, err)
		}
		if n, all, d, err := s.Pending(t.Context(), newRequest("x").Submitter, session); err != nil || n != want || all != 4 || d != nil {
			t.Errorf("%q: %d of %d, %v, %v; want %d of 4", session, n, all, d, err, want)
		}
	}
	d := newDenial("s1")
	if err := s.PutSessionDenial(t.Context(), d, entry(audit.KindSession, "")); err != nil {
		t.Fatal(err)
	}
	for submitter, want := range map[string]int{"token:nobody": 0, newRequest("x").Submitter: 4} {
		_, all, found, err := s.Pending(t.Context(), submitter, "s1")
		if err != nil || all != want {
			t.Errorf("a denied session of %s: %d in all, %v; want %d", submitter, all, err, want)
		}
		same(t, "the denial of s1", found, &d)
		if _, _, found, err := s.Pending(t.Context(), submitter, "s2"); err != nil || found != nil {
			t.Errorf("a session beside it: %v, %v", found, err)
		}
	}
	sessions, err := s.PendingSessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "pending requests by session", sessions, map[string]int{"s1": 2, "s2": 1, "": 1})
}
