package grant_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

func input(t testing.TB, line string) *policy.Input {
	d := newDesk(t)
	in, err := d.engine().Input(d.call(line))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// many returns entries for verbs and directories of all kinds.
func many(n int) []grant.Entry {
	var out []grant.Entry
	for i := range n {
		out = append(out, grant.Entry{Verb: fmt.Sprintf("tool%d run", i%50), Dir: fmt.Sprintf("/home/dev/p%d", i), Scope: grant.Here, Tool: "shell", By: "test"})
	}
	return out
}

// A still world has no links.
type still struct{}

func (still) RealPath(path string) (string, bool) { return path, true }

func BenchmarkCovers(b *testing.B) {
	in := input(b, "git add -A && git commit -m x")
	for _, n := range []int{0, 1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := grant.NewSet(many(n), still{}, clock)
			b.ReportAllocs()
			for b.Loop() {
				s.Covers(in, "")
			}
		})
	}
	b.Run("hit", func(b *testing.B) {
		s := grant.NewSet(append(many(998), here(b, "git add in /home/dev/app; git commit in /home/dev/app")...), still{}, clock)
		b.ReportAllocs()
		for b.Loop() {
			s.Covers(in, "")
		}
	})
}

// TestNothingStored shows that grants cost nothing where there are none.
func TestNothingStored(t *testing.T) {
	in := input(t, "git add -A && git commit -m x")
	s := grant.NewSet(nil, machine, clock)
	if n := testing.AllocsPerRun(100, func() { s.Covers(in, "") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestHit shows that a hit among many grants takes what one among few does, and
// few allocations.
func TestHit(t *testing.T) {
	if cputime.Slower > 1 {
		t.Skip("the race detector allocates")
	}
	in := input(t, "git add -A && git commit -m x")
	own := here(t, "git add in /home/dev/app; git commit in /home/dev/app")
	few, many := grant.NewSet(own, still{}, clock), grant.NewSet(append(many(998), own...), still{}, clock)
	hit := func(s *grant.Set) func() {
		return func() {
			if c := s.Covers(in, ""); len(c) != 2 || c[0].Grant == "" || c[1].Grant == "" {
				t.Fatalf("%+v", c)
			}
		}
	}
	if n := testing.AllocsPerRun(100, hit(many)); n > 10 {
		t.Errorf("%v allocations", n)
	}
	ratio := 1e9
	for range 5 {
		times := [2]time.Duration{}
		for i, s := range []*grant.Set{few, many} {
			times[i] = cputime.Of(func() {
				for range 5000 {
					hit(s)()
				}
			})
		}
		ratio = min(ratio, float64(times[1])/float64(times[0]))
	}
	if ratio > 2 {
		t.Errorf("with 1,000 grants it takes %.1f times as long as with two", ratio)
	}
}

// TestLongLine shows that a line with many commands takes time in proportion.
func TestLongLine(t *testing.T) {
	line := "make a"
	for range 4000 {
		line += "; make a"
	}
	d := newDesk(t)
	d.entries = here(t, "make in /home/dev/app")
	if v := d.decide(d.call(line)); v.Decision != policy.Allow {
		t.Errorf("%s by %s: %s", v.Decision, v.Stage, v.Why)
	}
}
