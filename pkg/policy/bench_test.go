package policy_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/policy"
	"mvdan.cc/sh/v3/syntax"
)

// line100 is a compound line of 100 bytes as agents write them.
const line100 = `cd web && npm test -- --watch=false 2>&1 | tail -20; git log --oneline -5 | grep -n "fix: readers"`

// BenchmarkParse is the yardstick: the parser alone.
func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	p := syntax.NewParser()
	for b.Loop() {
		if _, err := p.Parse(strings.NewReader(line100), ""); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead is the parser and the resolution of all words.
func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		eval.Read(line100, eval.Env{Dir: project, Home: home})
	}
}

// BenchmarkDecide is all of a decision.
func BenchmarkDecide(b *testing.B) {
	for name, permissions := range map[string]string{"defaults": "", "permissions": "deny shell git push *|ask shell npm publish *|allow shell npm test *|allow shell go test *"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			e := engine(b, permissions, nil)
			c := call(line100)
			s := &policy.Session{ID: "b"}
			for b.Loop() {
				if _, err := e.Decide(context.Background(), s, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLength shows that a decision is linear in the length of the line.
func BenchmarkLength(b *testing.B) {
	e := engine(b, "", nil)
	for _, n := range []int{1, 8, 64} {
		c := call(strings.Repeat("grep -rn pattern ./src | head -20\n", n<<10/34))
		b.Run(strconv.Itoa(n)+"KiB", func(b *testing.B) {
			b.SetBytes(int64(n << 10))
			for b.Loop() {
				if _, err := e.Decide(context.Background(), nil, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
