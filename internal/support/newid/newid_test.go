package newid

import (
	"regexp"
	"slices"
	"testing"
	"time"
)

// Ids are ordered by time, tell those of the same moment apart, and have one form.
func TestAt(t *testing.T) {
	form := regexp.MustCompile(`^req_[A-Z2-7]{26}$`)
	var all []string
	for _, at := range []int64{0, 1, 31, 32, 1 << 20, 1_790_000_000_000, 1_790_000_000_001, 1<<48 - 1} {
		id, other := At(time.UnixMilli(at), "req_"), At(time.UnixMilli(at), "req_")
		if !form.MatchString(id) || id == other || id[:13] != other[:13] {
			t.Errorf("%s and %s", id, other)
		}
		all = append(all, id)
	}
	if !slices.IsSorted(all) {
		t.Errorf("not by time: %q", all)
	}
}

// No two of many are the same, and each of their last characters is random.
func TestRandom(t *testing.T) {
	const many = 2000
	seen := make(map[string]bool)
	var letters [16]map[byte]bool
	for range many {
		id := At(time.UnixMilli(7), "")
		seen[id] = true
		for i := range letters {
			if letters[i] == nil {
				letters[i] = make(map[byte]bool)
			}
			letters[i][id[10+i]] = true
		}
	}
	for i, l := range letters[:15] {
		if len(l) != 32 {
			t.Errorf("character %d is one of %d", 10+i, len(l))
		}
	}
	if len(seen) != many {
		t.Errorf("%d of %d differ", len(seen), many)
	}
}
