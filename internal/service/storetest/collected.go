package storetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/trail"
)

// batch returns a batch of entries whose ids are their positions.
func batch(source string, positions ...int64) trail.Batch {
	b := trail.Batch{Source: source}
	for _, p := range positions {
		e := entry(audit.KindVerdict, "")
		e.Detail = map[string]string{trail.ID: fmt.Sprint(source, "-", p)}
		b.Entries = append(b.Entries, trail.Placed{Position: p, Entry: e})
	}
	return b
}

// collectedIDs returns the ids of the decisions in the log, in its order.
func collectedIDs(t *testing.T, s Store) []string {
	t.Helper()
	var ids []string
	for _, r := range verify(t, s) {
		if r.Kind == audit.KindVerdict {
			ids = append(ids, r.Detail[trail.ID])
		}
	}
	return ids
}

// collect shows that what comes again is not recorded again, that a source is one
// of its shipper alone, and that a batch with what cannot be recorded leaves
// nothing behind.
func collect(t *testing.T, place Place) {
	s := open(t, place, Options{})
	bad := batch("a", 8, 9)
	bad.Entries[1].Entry.Kind = "nonsense"
	for _, row := range []struct {
		shipper string
		b       trail.Batch
		want    int64 // -1 for an error
	}{
		{"token:x", batch("a"), 0},
		{"token:x", batch("a", 2, 5), 5},
		{"token:x", batch("a", 2, 5), 5},
		{"token:x", batch("a", 1, 3), 5}, // backwards
		{"token:x", batch("a", 5, 7), 7}, // a part is known
		{"token:x", bad, -1},
		{"token:x", batch("a", 8), 8},
		{"token:y", batch("a", 3), 3}, // of another
		{"token:x", batch("b", 1), 1},
		{"token:x", batch("a"), 8},
	} {
		got, err := s.Collect(t.Context(), row.shipper, row.b)
		if (err != nil) != (row.want < 0) || err == nil && got != row.want {
			t.Errorf("%s %+v: %d, %v; want %d", row.shipper, row.b, got, err, row.want)
		}
	}
	if got, want := strings.Join(collectedIDs(t, s), " "), "a-2 a-5 a-7 a-8 a-3 b-1"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
}

// collectRace shows that of several that bring the same one is recorded.
func collectRace(t *testing.T, place Place) {
	s := open(t, place, Options{})
	const batches, racers = 20, 4
	for i := range int64(batches) {
		var all sync.WaitGroup
		for range racers {
			all.Go(func() {
				if _, err := s.Collect(t.Context(), "token:x", batch("a", 2*i+1, 2*i+2)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	ids := collectedIDs(t, s)
	slices.Sort(ids)
	if n := len(slices.Compact(slices.Clone(ids))); len(ids) != 2*batches || n != 2*batches {
		t.Errorf("%d records of %d decisions, want %d", len(ids), n, 2*batches)
	}
}
