package grant_test

import (
	"fmt"
	"testing"

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

func BenchmarkCovers(b *testing.B) {
	in := input(b, "git add -A && git commit -m x")
	for _, n := range []int{0, 1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := grant.NewSet(many(n), machine, clock)
			b.ReportAllocs()
			for b.Loop() {
				s.Covers(in, "")
			}
		})
	}
	for name, entries := range map[string]string{
		"hit":  "git commit in /home/dev/app",
		"hits": "git add in /home/dev/app; git commit in /home/dev/app",
	} {
		b.Run(name, func(b *testing.B) {
			s := grant.NewSet(append(many(998), here(b, entries)...), machine, clock)
			b.ReportAllocs()
			for b.Loop() {
				s.Covers(in, "")
			}
		})
	}
}

// TestNothingStored shows that grants cost nothing where there are none.
func TestNothingStored(t *testing.T) {
	in := input(t, "git add -A && git commit -m x")
	s := grant.NewSet(nil, machine, clock)
	if n := testing.AllocsPerRun(100, func() { s.Covers(in, "") }); n > 0 {
		t.Errorf("%v allocations", n)
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
