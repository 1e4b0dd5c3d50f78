package backend_test

import (
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestCounts: the instances of a service count together, and a restart forgets nothing.
func TestCounts(t *testing.T) {
	path, start := filepath.Join(t.TempDir(), "a.db"), time.Now()
	var mu sync.Mutex
	var got []int
	count := func(c *backend.Counts, name string, id int, add bool) {
		before, err := c.Count(t.Context(), name, &policy.Tally{Key: "k", At: start.Add(time.Duration(id)), Per: time.Hour, N: 1, Add: add, Most: 100, ID: uint64(id), Alike: uint64(id + 1)})
		mu.Lock()
		defer mu.Unlock()
		if got = append(got, before); err != nil {
			t.Error(err)
		}
	}
	for round := range 2 {
		db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var work sync.WaitGroup
		for i := range 10 {
			work.Go(func() { count(&backend.Counts{db.Shelf}, "all", 1+10*round+i, true) })
		}
		work.Wait()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(got)
	for i, n := range got {
		if n != i {
			t.Fatalf("counted %v", got)
		}
	}
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	got = nil
	count(&backend.Counts{db.Shelf}, "all", 0, false)
	count(&backend.Counts{db.Shelf}, "session\x00claude\x00s", 0, false)
	count(&backend.Counts{db.Shelf}, "all", 5, true) // the same call again
	if !slices.Equal(got, []int{20, 0, 19}) {
		t.Errorf("got %v", got)
	}
}
