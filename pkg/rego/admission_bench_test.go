package rego_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/rego"
)

// rules returns an admission of n rules, each about another program.
func rules(n int) []rego.Module {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `deny contains {"id": "rule-%d", "reason": "r", "command": c.index} if {
	some c in input.commands
	c.program == "program-%d"
	c.words[1].text == "publish"
}
`, i, i)
	}
	return module(b.String())
}

func BenchmarkJudge(b *testing.B) {
	for _, n := range []int{1, 100} {
		for _, command := range []string{"git status", "cd web && npm test 2>&1 | tail -5"} {
			b.Run(fmt.Sprintf("%d rules/%s", n, command), func(b *testing.B) {
				a := admission(b, rules(n))
				in, err := engine(b, nil).Input(shellCall(command))
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := a.Judge(context.Background(), in); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkInput(b *testing.B) {
	in, err := engine(b, nil).Input(shellCall("cd web && npm test 2>&1 | tail -5"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rego.Input(in); err != nil {
			b.Fatal(err)
		}
	}
}
