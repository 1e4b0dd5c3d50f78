package bench

import (
	"fmt"
	"testing"
)

var engines = []struct {
	name string
	// compile returns a function that reports whether a rule matches the request,
	// or nil where the engine cannot express the rules.
	compile func(b *testing.B, s shape, n int, r request) func() bool
}{
	{"pattern", newPattern},
	{"opa", newOPA},
	{"cedar", newCedar},
}

func BenchmarkEngines(b *testing.B) {
	for _, s := range shapes {
		for _, n := range []int{10, 100, 1000, 10_000} {
			for _, hit := range []bool{true, false} {
				r, name := call(n/2), "hit"
				if !hit {
					r, name = call(n+1), "miss"
				}
				for _, e := range engines {
					b.Run(fmt.Sprintf("%s/%d/%s/%s", s, n, name, e.name), func(b *testing.B) {
						decide := e.compile(b, s, n, r)
						if decide == nil {
							b.Skip("not expressible")
						}
						if decide() != hit {
							b.Fatalf("answers %t, want %t", !hit, hit)
						}
						b.ReportAllocs()
						for b.Loop() {
							decide()
						}
					})
				}
			}
		}
	}
}
