package ruledb

import (
	"fmt"
	"testing"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// thousand is a table of a thousand rules.
func thousand() *memory {
	m := &memory{}
	for i := range 1000 {
		m.byHand(fmt.Sprintf("r%04d", i), fmt.Sprintf(`{"shell.program":"tool%d","shell.command":{"contains":"--all"}}`, i), "deny")
	}
	return m
}

// BenchmarkJudge compares a source that follows the rules with one that does
// not.
func BenchmarkJudge(b *testing.B) {
	r := open(b, thousand())
	var list []*pattern.Rule
	for _, e := range r.state.Load().rules {
		list = append(list, e.rule)
	}
	for name, s := range map[string]policy.Source{"following": following{r}, "fixed": pattern.NewSource(pattern.NewSet(list))} {
		b.Run(name, func(b *testing.B) {
			e := engine(b, s)
			c := policy.Shell("make x", "/w")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Decide(b.Context(), nil, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpen reads and compiles a thousand rules.
func BenchmarkOpen(b *testing.B) {
	m := thousand()
	b.ReportAllocs()
	for b.Loop() {
		if r := open(b, m); r.Problem() != nil {
			b.Fatal(r.Problem())
		}
	}
}

// BenchmarkPut stores one rule beside a thousand others.
func BenchmarkPut(b *testing.B) {
	r := open(b, thousand())
	for i := 0; b.Loop(); i++ {
		d, err := Decode(fmt.Appendf(nil, `{"id":"r0500","when":{"shell.program":"tool%d"},"decision":"deny"}`, i))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Put(b.Context(), "token:ops", d); err != nil {
			b.Fatal(err)
		}
	}
}
