// Package seed gives random tests their seed. It draws nothing itself.
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
