package rego_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/util"

	policyrego "github.com/policyctl/policyctl/pkg/rego"
)

// TestInputForOPA gives the printed input to a plain OPA: its answer is that
// of the judge.
func TestInputForOPA(t *testing.T) {
	const body = `
deny contains {"id": "null", "reason": "r"} if { some c in input.commands; null in c.writes }
deny contains {"id": "host", "reason": "r"} if { some c in input.commands; "example.com" in c.hosts }
deny contains {"id": "tool", "reason": "r"} if input.tool.kind != "shell"
deny contains {"id": "number", "reason": "r"} if input.call.input.n > 1e29
deny contains {"id": "record", "reason": "r"} if input.record.facets.shell.argv[_] == null
deny contains {"id": "unreadable", "reason": "r"} if input.unreadable != null`
	m := module(body)
	judge := engine(t, nil, admission(t, m))
	query, err := rego.New(rego.Module(m[0].Name, m[0].Source), rego.Query("data.policyctl.admission.deny[_].id")).PrepareForEval(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range sample(t) {
		var input any
		if err := util.UnmarshalJSON(document(t, c), &input); err != nil {
			t.Fatal(err)
		}
		results, err := query.Eval(t.Context(), rego.EvalInput(input))
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range results {
			ids = append(ids, r.Expressions[0].Value.(string))
			seen[r.Expressions[0].Value.(string)] = true
		}
		v, err := judge.Decide(t.Context(), nil, c)
		if err != nil {
			t.Fatal(err)
		}
		if v.Stage.String() == "hardline" {
			continue
		}
		if denied := v.Stage.String() == "permission_deny"; denied != (len(ids) > 0) || denied && !slices.Contains(ids, v.Rule) {
			text, _ := json.Marshal(c)
			t.Errorf("%s: eval says %v by %q, OPA denies by %q", text, v.Decision, v.Rule, ids)
		}
	}
	if len(seen) != 6 {
		t.Errorf("only these rules were reached: %v", seen)
	}
}

// TestSchemaDescribes shows that no field of the schema is without a
// description.
func TestSchemaDescribes(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(policyrego.InputSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	n := 0
	var look func(at string, v any)
	look = func(at string, v any) {
		m, _ := v.(map[string]any)
		fields, _ := m["properties"].(map[string]any)
		for name, field := range fields {
			n++
			if text, _ := field.(map[string]any)["description"].(string); text == "" {
				t.Errorf("%s.%s has no description", at, name)
			}
		}
		for key, child := range m {
			look(at+"."+key, child)
		}
	}
	look("", schema)
	if n < 60 {
		t.Errorf("%d fields, want at least 60", n)
	}
}
