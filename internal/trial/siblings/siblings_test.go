package siblings_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
)

// usual is how many siblings a run has, about: four times as many are each spelling of
// each base once, from which a run without SIBLINGS takes one in four.
const usual, whole = 200_000, 800_000

// shown is how many kinds of each spelling are printed.
const shown = 10

// TestSiblings spells the bases in other ways and demands the decisions that the law of each
// spelling asks for. SIBLINGS says how many, and SEED which.
func TestSiblings(t *testing.T) {
	n, first := seed.Count(t, "SIBLINGS", usual), start(t)
	if testing.Short() {
		n = usual / 10
	}
	found := spell(t, n, first)
	for _, sp := range spellings {
		kinds := found.of(sp.name)
		for _, k := range kinds[:min(len(kinds), shown)] {
			t.Logf("%s\n\t%s", k, found.kinds[k])
		}
		if len(kinds) > 0 {
			t.Errorf("%s: %d kinds of siblings are decided about otherwise", sp.name, len(kinds))
		}
	}
	t.Logf("%d siblings of %d lines", found.siblings, found.bases)
}

// start returns the number in SEED, 1 without one.
func start(t *testing.T) uint64 {
	text := os.Getenv("SEED")
	if text == "" {
		return 1
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal("SEED: ", err)
	}
	return n
}

// Findings are the kinds of siblings that break their law, each with an example.
type findings struct {
	mu              sync.Mutex
	bases, siblings int
	kinds           map[string]string
}

// of returns the kinds of a spelling.
func (f *findings) of(spelling string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f.kinds)), func(k string) bool {
		return len(k) < len(spelling)+1 || k[:len(spelling)+1] != spelling+":"
	})
}

// spell judges about n siblings.
func spell(t *testing.T, n int, first uint64) *findings {
	t.Helper()
	engines, lines := newEngines(t), bases(t)
	f := &findings{kinds: map[string]string{}}
	each(len(lines), func(i int) {
		all := sites(lines[i])
		if len(all) == 0 {
			return
		}
		base := judge(&engines, lines[i])
		f.mu.Lock()
		f.bases++
		f.mu.Unlock()
		for _, sp := range spellings {
			for round := range uint64((n + whole - 1) / whole) {
				r := rand.New(rand.NewPCG(first+round, key(lines[i], sp.name)))
				if r.IntN(whole) >= n-int(round)*whole {
					continue
				}
				s := all[r.IntN(len(all))]
				if other := sp.spell(s, r); other != "" && other != lines[i] {
					f.compare(sp, s.name, lines[i], other, base, judge(&engines, other))
				}
			}
		}
	})
	return f
}

// compare notes a sibling that breaks its law. Its kind has no text of the line, so
// that a further line of the corpus seldom makes a new one.
func (f *findings) compare(sp spelling, program, line, other string, base, got rulings) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.siblings++
	for k, name := range names {
		if !sp.law.broken(base[k], got[k]) {
			continue
		}
		kind := fmt.Sprintf("%s: %s: %s, not %s", sp.name, program, got[k].decision, base[k].decision)
		example := fmt.Sprintf("%s: %q is %s, %q is %s", name, line, base[k], other, got[k])
		if was, ok := f.kinds[kind]; !ok || example < was {
			f.kinds[kind] = example
		}
	}
}

// broken reports whether a sibling breaks the law.
func (l law) broken(base, got ruling) bool {
	switch {
	case l == denied:
		return base.decision == policy.Deny && got.decision != policy.Deny
	case l == tighter:
		return got.decision > base.decision
	}
	return got.decision != base.decision || got.decision == policy.Deny && got.rule != base.rule && !isOuter(got.rule) && !isOuter(base.rule)
}

// isOuter reports whether a rule is that of a program which starts another: what it starts
// may be denied by its own rule instead.
func isOuter(rule string) bool { return rule == "runner" || rule == "other-shell" }

// key is what the choices for a line are drawn by: a further line of the corpus changes
// none of them.
func key(line, name string) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, line, name)
	return h.Sum64()
}
