package program_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
)

// A word is found in a short list and in a long one alike.
func TestHasWord(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	word := func() string {
		out := make([]byte, 1+rng.IntN(3))
		for i := range out {
			out[i] = "ab-"[rng.IntN(3)]
		}
		return string(out)
	}
	found := 0
	for range 20_000 {
		words := make([]string, rng.IntN(30))
		for i := range words {
			words[i] = word()
		}
		list, asked := strings.Join(words, " "), word()
		want := slices.Contains(words, asked)
		if got := program.HasWord(list, asked); got != want {
			t.Fatalf("%q in %q: %v", asked, list, got)
		}
		if want {
			found++
		}
	}
	if found < 2000 || found > 18_000 {
		t.Errorf("found %d of 20000", found)
	}
	for _, none := range []string{"", "a b", " "} {
		if program.HasWord("a b", none) {
			t.Errorf("%q is no word", none)
		}
	}
}
