package state_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/agents/state"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestCounts: whoever counts at the same time counts each call once, as hooks do, each of
// which is a process of its own.
func TestCounts(t *testing.T) {
	dir, start := t.TempDir(), time.Now()
	var work sync.WaitGroup
	var mu sync.Mutex
	var got []int
	for i := range 20 {
		work.Go(func() {
			tally := &policy.Tally{Key: "k", At: start, Per: time.Hour, N: 1, Add: true, Most: 100, ID: uint64(i + 1)}
			before, err := state.New(dir, time.Now).Count(t.Context(), "agent\x00claude", tally)
			mu.Lock()
			defer mu.Unlock()
			if got = append(got, before); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	slices.Sort(got)
	for i, n := range got {
		if n != i {
			t.Fatalf("counted %v", got)
		}
	}
	other, err := state.New(dir, time.Now).Count(t.Context(), "agent\x00codex", &policy.Tally{Key: "k", At: start, Per: time.Hour, N: 1, Most: 100})
	if other != 0 || err != nil {
		t.Errorf("another name has %d, %v", other, err)
	}
}

// TestCountsThatCannotBeRead are an error: that nothing is known must not pass for nothing
// having been.
func TestCountsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	tally := &policy.Tally{Key: "k", At: time.Now(), Per: time.Hour, N: 1, Add: true, Most: 100, ID: 1}
	if _, err := state.New(dir, time.Now).Count(t.Context(), "all", tally); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "sessions", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if before, err := state.New(dir, time.Now).Count(t.Context(), "all", tally); err == nil {
		t.Errorf("got %d and no error", before)
	}
}
