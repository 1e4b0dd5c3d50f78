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
		answer, err := admission(t, module(row.body)).Judge(t.Context(), in)
		if err != nil || len(answer.More) != 1 || answer.More[0].Rule != "a" {
			t.Errorf("%s: the decision is %v, %v", row.body, answer, err)
		}
	}
}
