// Package seed reads from the environment how random tests run: from which seed
// and how long. It draws nothing itself.
package seed

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// New returns the number in the environment variable SEED, so that a run can be
// repeated, or another one for each run where there is none. A test that fails
// prints it.
func New(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal("SEED: ", err)
		}
	}
	t.Logf("SEED=%d", seed)
	return seed
}

// Count returns the number in an environment variable, as LINES, or another one
// where the variable is not set. A test ends if the text is no number.
func Count(t testing.TB, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("environment: %s=%q is no number", name, text)
	}
	return n
}

// Share returns what reports of each case of a large set whether to try it: of
// all where the environment variable FULL is set, as in the gate, and of a
// random tenth otherwise. SEED repeats a choice.
func Share(t testing.TB) func() bool {
	t.Helper()
	if os.Getenv("FULL") != "" {
		return func() bool { return true }
	}
	r := rand.New(rand.NewPCG(New(t), 10))
	return func() bool { return r.IntN(10) == 0 }
}
