package rego_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/rego"
)

// TestPrinter shows each line once, with its place, and that a policy decides
// the same with prints and without, be it that a print fails.
func TestPrinter(t *testing.T) {
	for _, row := range []struct {
		body, err string
		want      []string
	}{
		{body: "deny contains {\"id\": \"a\", \"reason\": \"b\"} if {\n\tprint(\"x\", input.tool.name)\n\ttrue\n}", want: []string{"p.rego:3: x shell"}},
		{body: "deny contains {\"id\": \"a\", \"reason\": \"b\"} if {\n\tprint(input.record.facets.none, 1)\n\ttrue\n}", want: []string{"p.rego:3: <undefined> 1"}},
		{body: "deny contains {\"id\": \"a\", \"reason\": \"b\"} if {\n\tprint(1 / count([]))\n\ttrue\n}", err: "divide by zero", want: []string{"p.rego:3: <undefined>"}},
	} {
		in, err := engine(t, nil).Input(shellCall("ls"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := rego.NewPrinter(module(row.body), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		err = p.Print(t.Context(), in, func(line string) { got = append(got, line) })
		if !slices.Equal(got, row.want) || (err != nil) != (row.err != "") || err != nil && !strings.Contains(err.Error(), row.err) {
			t.Errorf("%s: %q, %v", row.body, got, err)
		}
		v, err := engine(t, nil, admission(t, module(row.body))).Decide(t.Context(), nil, shellCall("ls"))
		if err != nil || v.Rule != "a" {
			t.Errorf("%s: decided by %q, %v", row.body, v.Rule, err)
		}
	}
}
