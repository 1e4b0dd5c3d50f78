// Package seed reads from the environment how random tests run: from which seed
// and how long; and which of the tests that take long run at all.
package seed

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
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
	if full() {
		return func() bool { return true }
	}
	r := rand.New(rand.NewPCG(New(t), 10))
	return func() bool { return r.IntN(10) == 0 }
}

// Slow leaves out a test that takes seconds, but for one run in ten: it runs where
// FULL is set, as in the gate, and where -run asks for some tests. SEED repeats a
// choice.
func Slow(t testing.TB) {
	t.Helper()
	if !Drawn(t.Name()) {
		t.Skip("it takes long, and runs one time in ten: FULL=1 runs all, and so does -run")
	}
}

// Drawn is [Slow] for one of many files that a test goes through.
func Drawn(name string) bool {
	if full() || flag.Lookup("test.run").Value.String() != "" {
		return true
	}
	lot := fnv.New64a()
	fmt.Fprint(lot, ofRun(), name)
	return lot.Sum64()%10 == 0
}

// ofRun is what the tests of a run are drawn by.
var ofRun = sync.OnceValue(func() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		return n
	}
	return rand.Uint64()
})

func full() bool { return os.Getenv("FULL") != "" }
