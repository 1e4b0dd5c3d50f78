package pattern

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

func TestCanonIsCoarserThanEveryFold(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for _, other := range []rune{unicode.ToLower(r), unicode.ToUpper(r), unicode.SimpleFold(r)} {
			if canon(r) != canon(other) {
				t.Errorf("canon(%U) = %U, but canon(%U) = %U", r, canon(r), other, canon(other))
			}
		}
		if canon(canon(r)) != canon(r) {
			t.Errorf("canon(%U) = %U is not its own", r, canon(r))
		}
	}
}

func TestTrieFindsAsStringsDoes(t *testing.T) {
	start := seed.New(t)
	t.Logf("SEED=%d", start)
	g := &ruleMaker{Rand: rand.New(rand.NewPCG(start, 1))}
	found := newBitset(50)
	hits := 0
	for range 20_000 {
		rules := map[string][]int32{}
		for range 1 + g.IntN(20) {
			if key, ok := canonical(g.text()); ok && key != "" {
				rules[key] = nil
			}
		}
		text := g.text() + g.text() + g.text()
		folded, _ := canonical(text)
		tr := newTrie(rules)
		if tr == nil {
			continue
		}
		for i, key := range keysOf(rules) {
			tr.begins(text, &found)
			hits += checkKey(t, start, &found, int32(i), strings.HasPrefix(folded, key), text, key)
			tr.contained(text, &found)
			hits += checkKey(t, start, &found, int32(i), strings.Contains(folded, key), text, key)
		}
	}
	if hits < 10_000 {
		t.Errorf("SEED=%d: only %d keys are found: the test is too weak", start, hits)
	}
}

// checkKey compares whether a key was found with what should be, and empties the
// set.
func checkKey(t *testing.T, start uint64, found *bitset, i int32, want bool, text, key string) int {
	got := found.words[i/64]&(1<<(i%64)) != 0
	if got != want {
		t.Fatalf("SEED=%d: %q in %q: %t, want %t", start, key, text, got, want)
	}
	found.clear()
	if got {
		return 1
	}
	return 0
}

func keysOf(m map[string][]int32) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func TestBitsetGivesOutInOrder(t *testing.T) {
	for _, size := range []int{1, 64, 65, 4096, 4097, 20_000} {
		b := newBitset(size)
		var want []int32
		for range 300 {
			i := int32(rand.IntN(size))
			b.add(i)
			want = append(want, i)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		var got []int32
		for i := b.least(); i >= 0; i = b.least() {
			b.remove(i)
			got = append(got, i)
		}
		if !slices.Equal(got, want) {
			t.Errorf("size %d: %v, want %v", size, got, want)
		}
		b.addAll(want)
		if b.clear(); b.least() >= 0 || slices.Max(b.words) != 0 {
			t.Errorf("size %d: not empty after clear", size)
		}
	}
}

func TestCanonicalCutsLongLiterals(t *testing.T) {
	key, ok := canonical(strings.Repeat("日", 100))
	if !ok || key != strings.Repeat("日", longestKey/3) {
		t.Errorf("%q, %t", key, ok)
	}
	if key, ok := canonical("a\xff"); ok {
		t.Errorf("%q is no valid text", key)
	}
}
