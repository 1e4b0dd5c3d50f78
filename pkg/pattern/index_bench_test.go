package pattern

import (
	"fmt"
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/record"
)

// ruleShapes are kinds of rules, of which each has its own host, team or path.
var ruleShapes = []struct {
	name string
	when func(i int) document.Node
}{
	{"equality", func(i int) document.Node {
		return keyed("http.method", asText("DELETE"), "http.host", asText(fmt.Sprintf("h%d.example.com", i)))
	}},
	{"prefix", func(i int) document.Node {
		if i%2 == 0 {
			return keyed("http.url", keyed("startsWith", asText(fmt.Sprintf("https://h%d.example.com/", i))))
		}
		return keyed("http.url", keyed("glob", asText(fmt.Sprintf("https://*.example.com/team-%d/*", i))))
	}},
	{"regex", func(i int) document.Node {
		return keyed("http.url", keyed("pattern", asText(fmt.Sprintf(`^https://[a-z0-9.]+/team-%d/[a-z]+$`, i))))
	}},
}

var shapeNames = []string{"equality", "prefix", "regex", "mixed"}

// shapedSet returns n rules of a shape, of all in turn for the shape "mixed".
func shapedSet(b testing.TB, shape string, n int) *Set {
	rules := make([]*Rule, n)
	for i := range rules {
		s := ruleShapes[i%len(ruleShapes)]
		for _, one := range ruleShapes {
			if one.name == shape {
				s = one
			}
		}
		when, problems := CompileWhen(s.when(i))
		if len(problems) > 0 {
			b.Fatal(problems)
		}
		rules[i] = &Rule{ID: fmt.Sprint("rule-", i), When: when}
	}
	return NewSet(rules)
}

// shapedCall is a record that one rule matches, of whatever shape it is.
func shapedCall(i int) *record.Record {
	host := fmt.Sprintf("h%d.example.com", i)
	return &record.Record{Type: "http.request", Verb: "DELETE", Primary: "http", Facets: map[string]map[string]any{"http": {
		"method": "DELETE", "host": host, "path": fmt.Sprintf("/team-%d/list", i), "status": 0.0,
		"url": fmt.Sprintf("https://%s/team-%d/list", host, i),
	}}}
}

func BenchmarkDecide(b *testing.B) {
	for _, shape := range shapeNames {
		for _, n := range []int{10, 100, 1000, 10_000} {
			s, hit, miss := shapedSet(b, shape, n), shapedCall(n/2), shapedCall(n+1)
			if s.Decide(hit, Scope{}, &Input{}).Rule == nil || s.Decide(miss, Scope{}, &Input{}).Rule != nil {
				b.Fatal("the calls are not what they are for")
			}
			for i, r := range []*record.Record{hit, miss} {
				b.Run(fmt.Sprintf("%s/%d/%s", shape, n, []string{"hit", "miss"}[i]), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						s.Decide(r, Scope{}, &Input{})
					}
				})
			}
		}
	}
}

func BenchmarkNewSet(b *testing.B) {
	rules := shapedSet(b, "mixed", 10_000).Rules()
	b.ReportAllocs()
	for b.Loop() {
		NewSet(rules)
	}
}
