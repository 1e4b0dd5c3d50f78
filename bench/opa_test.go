package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

func newOPA(b *testing.B, s shape, n int, r request) func() bool {
	var module strings.Builder
	module.WriteString("package rules\n\ndefault deny := false\n")
	for i := range n {
		module.WriteString(opaRule(s.of(i), i))
	}
	query, err := rego.New(rego.Query("data.rules.deny"), rego.Module("rules.rego", module.String())).PrepareForEval(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	input := ast.MustInterfaceToValue(map[string]any{"http": map[string]any{"method": r.method, "host": r.host, "url": r.url}})
	return func() bool {
		result, err := query.Eval(b.Context(), rego.EvalParsedInput(input))
		if err != nil {
			b.Fatal(err)
		}
		return result[0].Expressions[0].Value.(bool)
	}
}

func opaRule(s shape, i int) string {
	switch {
	case s == equality:
		return fmt.Sprintf("deny if { input.http.method == \"DELETE\"; input.http.host == %q }\n", host(i))
	case s == regex:
		return fmt.Sprintf("deny if regex.match(%q, input.http.url)\n", expression(i))
	case byPrefix(i):
		return fmt.Sprintf("deny if startswith(input.http.url, %q)\n", start(i))
	}
	return fmt.Sprintf("deny if glob.match(%q, null, input.http.url)\n", stars(i))
}
