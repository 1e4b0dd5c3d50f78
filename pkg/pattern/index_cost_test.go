package pattern

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/record"
)

func TestAllocations(t *testing.T) {
	if RaceEnabled {
		t.Skip("the race detector empties pools")
	}
	for _, shape := range shapeNames {
		s := shapedSet(t, shape, 10_000)
		for _, i := range []int{5000, 10_001} {
			r := shapedCall(i)
			if n := testing.AllocsPerRun(100, func() { s.Decide(r, Scope{}, &Input{}) }); n != 0 {
				t.Errorf("%s: %v allocations for call %d", shape, n, i)
			}
		}
	}
}

// Few candidates are what makes ten thousand rules as cheap as ten.
func TestFewRulesAreCandidates(t *testing.T) {
	for _, shape := range shapeNames {
		s := shapedSet(t, shape, 10_000)
		if n := candidatesOf(t, s, shapedCall(5000), Scope{}, &Input{}); n > 2 {
			t.Errorf("%s: %d candidates", shape, n)
		}
	}
	var rules []*Rule
	for i := range 10_000 {
		when, _ := CompileWhen(keyed("http.method", asText("DELETE")))
		rules = append(rules, &Rule{ID: fmt.Sprint(i), When: when, Scope: Scope{Integration: fmt.Sprint("i", i)}})
	}
	if n := candidatesOf(t, NewSet(rules), shapedCall(0), Scope{Integration: "i7"}, &Input{}); n != 1 {
		t.Errorf("scopes: %d candidates", n)
	}
}

func TestTenThousandRulesCostAtMostTwiceTen(t *testing.T) {
	if RaceEnabled {
		t.Skip("the race detector takes most of the time")
	}
	for _, shape := range shapeNames {
		few, many := shapedSet(t, shape, 10), shapedSet(t, shape, 10_000)
		var ten, tenThousand time.Duration
		for range 10 { // a busy machine disturbs some
			ten, tenThousand = fastest(few, shapedCall(5)), fastest(many, shapedCall(5000))
			if tenThousand <= 2*ten {
				break
			}
		}
		if tenThousand > 2*ten {
			t.Errorf("%s: %v for 10 rules, %v for 10,000", shape, ten, tenThousand)
		}
	}
}

// fastest returns the time of a decision when little else is in its way.
func fastest(s *Set, r *record.Record) time.Duration {
	const times = 200
	best := time.Hour
	for range 40 {
		start := time.Now()
		for range times {
			s.Decide(r, Scope{}, &Input{})
		}
		best = min(best, time.Since(start))
	}
	return best / times
}

func TestNoCandidatesAreLeftOver(t *testing.T) {
	s := shapedSet(t, "prefix", 100)
	s.Decide(&record.Record{Facets: map[string]map[string]any{"http": {"url": "https://h0.example.com/team-1/x"}}}, Scope{}, &Input{})
	if n := candidatesOf(t, s, shapedCall(101), Scope{}, &Input{}); n != 0 {
		t.Errorf("%d candidates for a call that no rule matches", n)
	}
}

// A long text must cost no more than reading it, however often a key that many
// rules share occurs in it.
func TestLongTextsAreReadOnce(t *testing.T) {
	when, _ := CompileWhen(keyed("not", keyed("http.method", asText("DELETE")), "http.body", keyed("contains", asText("aaa"))))
	rules := make([]*Rule, 10_000)
	for i := range rules {
		rules[i] = &Rule{ID: fmt.Sprint(i), When: when}
	}
	s, r := NewSet(rules), shapedCall(0)
	r.Facets["http"]["body"] = strings.Repeat("a", 1<<20)
	if d := cputime.Of(func() { s.Decide(r, Scope{}, &Input{}) }); d > 3*time.Second {
		t.Errorf("a text of 1 MiB took %v", d)
	}
}

func TestDecideAtOnce(t *testing.T) {
	s := shapedSet(t, "mixed", 1000)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 500 {
				n := (i*500 + j) % 1000
				if m := s.Decide(shapedCall(n), Scope{}, &Input{}); m.Rule == nil || m.Rule.ID != fmt.Sprint("rule-", n) {
					t.Errorf("call %d: %s", n, printMatch(m))
				}
			}
		})
	}
	wg.Wait()
}
