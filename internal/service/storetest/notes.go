package storetest

import (
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/grantbook"
	"github.com/policyctl/policyctl/pkg/audit"
)

// grantNotes keep the last use of each grant and who took it back, for as long as they may
// be wanted.
func grantNotes(t *testing.T, place Place) {
	s := open(t, place, Options{})
	check := func(want map[string]grantbook.Note) {
		t.Helper()
		got, err := s.GrantNotes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for id, n := range got {
			if len(n.Entry) == 0 {
				n.Entry = nil
			}
			got[id] = n
		}
		same(t, "notes", got, want)
	}
	later := day.Add(time.Hour)
	for _, uses := range []map[string]time.Time{{"a": day, "b": day, "c": day}, {"a": later, "b": day.Add(-time.Hour)}} {
		if err := s.NoteUses(t.Context(), uses); err != nil {
			t.Fatal(err)
		}
	}
	used := map[string]grantbook.Note{"a": {ID: "a", Used: later}, "b": {ID: "b", Used: day}, "c": {ID: "c", Used: day}}
	check(used)

	gone := grantbook.Note{ID: "b", Revoked: later, By: "token:ann", Entry: []byte(`{"tool":"Bash"}`)}
	if err := s.NoteRevoked(t.Context(), gone, day, entry("nonsense", "")); err == nil {
		t.Error("revoked without a record")
	}
	check(used)
	if err := s.NoteRevoked(t.Context(), gone, day, entry(audit.KindGrant, "")); err != nil {
		t.Fatal(err)
	}
	gone.Used = day
	check(map[string]grantbook.Note{"a": used["a"], "b": gone, "c": used["c"]})
	other := grantbook.Note{ID: "c", Revoked: later, By: "token:ben", Entry: []byte(`{}`)}
	if err := s.NoteRevoked(t.Context(), other, later); err != nil { // b is as old as may be
		t.Fatal(err)
	}
	if err := s.NoteRestored(t.Context(), "c", entry("nonsense", "")); err == nil {
		t.Error("restored without a record")
	}
	other.Used = day
	check(map[string]grantbook.Note{"a": used["a"], "b": gone, "c": other})
	if err := s.NoteRestored(t.Context(), "c", entry(audit.KindGrant, "")); err != nil {
		t.Fatal(err)
	}
	check(map[string]grantbook.Note{"a": used["a"], "b": gone, "c": used["c"]})
	other.Revoked = later.Add(2 * time.Hour)
	if err := s.NoteRevoked(t.Context(), other, later.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	check(map[string]grantbook.Note{"a": used["a"], "c": other})
	if n := ofKind(verify(t, s), audit.KindGrant); n != 2 {
		t.Errorf("%d records", n)
	}
}
