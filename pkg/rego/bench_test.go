package rego

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// indexed returns rules of a method, a host and a prefix of a path each, as an
// organisation has them for its services, and a record that the last one
// matches.
func indexed(tb testing.TB, n int) (*pattern.Set, *record.Record) {
	tb.Helper()
	rules := make([]*pattern.Rule, n)
	for i := range rules {
		when, problems := pattern.CompileWhen(mapNode(
			"http.method", textNode([]string{"GET", "POST", "PUT", "DELETE"}[i%4]),
			"http.host", textNode(fmt.Sprintf("service-%d.example.com", i)),
			"http.path", mapNode("startsWith", textNode(fmt.Sprintf("/v%d/", i%50))),
		))
		if len(problems) > 0 {
			tb.Fatal(problems)
		}
		rules[i] = &pattern.Rule{ID: fmt.Sprintf("r%05d", i), When: when, Decision: pattern.Decision{Verb: pattern.Verb(i % 4)}}
	}
	i := n - 1
	return pattern.NewSet(rules), &record.Record{Type: "http.request", Sensitivity: record.Write, Facets: map[string]map[string]any{"http": {
		"method": []string{"GET", "POST", "PUT", "DELETE"}[i%4], "host": fmt.Sprintf("service-%d.example.com", i), "path": fmt.Sprintf("/v%d/x", i%50),
	}}}
}

var sizes = []int{10, 100, 1000, 10000}

func BenchmarkNative(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set, rec := indexed(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if m := set.Decide(rec, pattern.Scope{}, &pattern.Input{}); m.Rule == nil {
					b.Fatal("no rule matches")
				}
			}
		})
	}
}

// The rules in process, from the record to their positions.
func BenchmarkRules(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set, rec := indexed(b, n)
			rules, err := NewRules(set, 0)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if sure, _, err := rules.Truths(context.Background(), rec, pattern.Scope{}, &pattern.Input{}); err != nil || len(sure) != 1 {
					b.Fatal(sure, err)
				}
			}
		})
	}
}

// The document that a stock OPA is asked for, with its input ready.
func BenchmarkVerdict(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set, rec := indexed(b, n)
			c, err := Compile(set)
			if err != nil {
				b.Fatal(err)
			}
			query, err := rego.New(rego.Query("data.policyctl.rules.verdict"), rego.ParsedModule(c.tree)).PrepareForEval(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			input := ast.MustInterfaceToValue(map[string]any{"record": fieldsOf(rec), "scope": map[string]any{}})
			b.ReportAllocs()
			for b.Loop() {
				if results, err := query.Eval(context.Background(), rego.EvalParsedInput(input)); err != nil || len(results) != 1 {
					b.Fatal(results, err)
				}
			}
		})
	}
}

// From rules to an evaluator, and the memory that it keeps.
func BenchmarkLoad(b *testing.B) {
	set, _ := indexed(b, 10000)
	before := heap()
	var rules *Rules
	for b.Loop() {
		var err error
		if rules, err = NewRules(set, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(heap()-before)/1e6, "MB-kept")
	runtime.KeepAlive(rules)
}

// heap returns the bytes in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
