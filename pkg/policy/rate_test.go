package policy_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestWindows counts by key and time, and keeps no more than it must.
func TestWindows(t *testing.T) {
	var w policy.Windows
	at := func(seconds int, id uint64) *policy.Tally {
		return &policy.Tally{Key: "k", At: time.Unix(int64(seconds), 0), Per: time.Minute, N: 1, Add: true, Most: 3, ID: id, Alike: 7}
	}
	for i, want := range []int{0, 1, 2, 3, 4, 4, 4} { // beyond four nothing need be told apart
		if got := w.Count(at(i, uint64(i+1))); got != want {
			t.Errorf("%d: %d before, want %d", i, got, want)
		}
	}
	if got := w.Count(at(6, 7)); got != 3 {
		t.Errorf("the same call again: %d before, want the others", got)
	}
	if got := w.Count(at(66, 8)); got != 0 {
		t.Errorf("a minute later: %d before, want none", got)
	}
	if got := w.Count(at(10, 9)); got != 1 {
		t.Errorf("when the clock was put back: %d before, want the one that is near", got)
	}
	other := at(10, 10)
	other.Key = "other"
	if got := w.Count(other); got != 0 {
		t.Errorf("another key: %d before", got)
	}
	text, err := json.Marshal(&w)
	if err != nil {
		t.Fatal(err)
	}
	var again policy.Windows
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	look := at(11, 0)
	look.Add = false
	if got, want := again.Count(look), w.Count(look); got != want || got == 0 {
		t.Errorf("read again: %d before, want %d", got, want)
	}
	for i := range 10_000 {
		many := at(12, uint64(i+20))
		many.Key = string(rune('a'+i%200)) + "k"
		w.Count(many)
	}
	if text, err := json.Marshal(&w); err != nil || len(text) > 256<<10 {
		t.Errorf("it grows to %d bytes, %v", len(text), err)
	}
}
