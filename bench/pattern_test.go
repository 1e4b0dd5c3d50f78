package bench

import (
	"fmt"
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// newPattern returns a function that reports whether a rule matches.
func newPattern(b *testing.B, s shape, n int, r request) func() bool {
	rules := make([]*pattern.Rule, n)
	for i := range rules {
		when, problems := pattern.CompileWhen(patternRule(s.of(i), i))
		if len(problems) > 0 {
			b.Fatal(problems)
		}
		rules[i] = &pattern.Rule{ID: fmt.Sprint("rule-", i), When: when}
	}
	set := pattern.NewSet(rules)
	record := &record.Record{Type: "http.request", Verb: r.method, Primary: "http", Facets: map[string]map[string]any{
		"http": {"method": r.method, "host": r.host, "url": r.url},
	}}
	return func() bool { return set.Decide(record, pattern.Scope{}, &pattern.Input{}).Rule != nil }
}

func patternRule(s shape, i int) document.Node {
	switch {
	case s == equality:
		return mapping("http.method", text("DELETE"), "http.host", text(host(i)))
	case s == regex:
		return mapping("http.url", mapping("pattern", text(expression(i))))
	case byPrefix(i):
		return mapping("http.url", mapping("startsWith", text(start(i))))
	}
	return mapping("http.url", mapping("glob", text(stars(i))))
}

func text(s string) document.Node { return document.Node{Kind: document.Text, Text: s} }

// mapping makes a mapping of keys and values in turn.
func mapping(entries ...any) document.Node {
	n := document.Node{Kind: document.Map}
	for i := 0; i < len(entries); i += 2 {
		n.Keys = append(n.Keys, text(entries[i].(string)))
		n.Items = append(n.Items, entries[i+1].(document.Node))
	}
	return n
}
