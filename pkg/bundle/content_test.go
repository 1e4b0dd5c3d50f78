package bundle

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
)

func TestContent(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, row := range []struct {
		text  string // "" accepts
		files []string
	}{
		{"", []string{"data.json", `{"a": ` + nested(999) + `}`}},
		{"", []string{"data.yaml", "a: {b: [1, yes, ~]}"}},
		{"", []string{"data.yaml", "a: 1", "data.json", `{"b": 1}`, "c/data.yml", "5"}},
		{"", []string{"data.yaml", "x: 1\nx: 2"}}, // the last one counts, for the hash as well
		{"", []string{"policyctl/policies/data.json", `{}`, "policyctl/tests/data.json", `{"a": ""}`}},
		{"", []string{"policyctl/data.json", `{"policies": {"a.yaml": "x"}, "more": 1}`, "policyctl/policies/data.json", `{"b.yaml": "y"}`}},
		{"", []string{"README.md", "\xff", "other.json", "no JSON", "a.rego", "package a"}},
		{"", []string{"a.rego", "package a\n\n# Größe\ndeny if input.x == \"\u202e\""}},

		{"data.json: column 1006: the JSON nests deeper than 1000", []string{"data.json", `{"a": ` + nested(1000) + `}`}},
		{"nests deeper than 1000", []string{"data.json", `{"a": ` + nested(1_000_000) + `}`}},
		{"data.json: line 2, column 1: the JSON ends too early", []string{"data.json", "{\n"}},
		{"data.json: column 1: the JSON ends too early", []string{"data.json", ""}},
		{`a/data.json: column 11: the key "x" appears twice`, []string{"a/data.json", `[{"x": 1, "x": 2}]`}},
		{`data.yaml: column 10: the key "x" appears twice`, []string{"data.yaml", `{"x": 1, "x": 2}`}},
		{"root value must be object", []string{"data.json", "[]"}},
		{"failed to insert data file", []string{"data.json", `{"a": {"b": 1}}`, "a/data.json", `{"b": 2}`}},
		{"failed to insert data file", []string{"policyctl/policies/data.json", `{"a.yaml": "x"}`, "policyctl/data.json", `{"policies": {"a.yaml": "y"}}`}},
		{"rego_parse_error", []string{"a.rego", ""}},
		{"a.rego:2:6: rego_parse_error", []string{"a.rego", "package a\nx := \x1b]0;" + strings.Repeat("x", 5000)}},
		{"a.rego:2:1: rego_parse_error", []string{"a.rego", "package a\n" + strings.Repeat("x", 5000) + " y z"}},
		{"do not permit data", []string{"data.json", `{"` + strings.Repeat(`\u001b`, 5000) + `": 1}`, manifestFile, `{"roots": ["a"]}`}},
		{"rego_parse_error", []string{"a.rego", "package a\nallow { true }"}},
		{"rego_parse_error", []string{"a.rego", "package a\nx := " + nested(200_000)}},
		{"a.rego: it is not UTF-8", []string{"a.rego", "package a # \xff"}},

		{"data.policyctl: it is not an object", []string{"data.json", `{"policyctl": []}`}},
		{"data.policyctl: it is not an object", []string{"data.json", `{"policyctl": null}`}},
		{"data.policyctl.policies: it is not an object", []string{"policyctl/policies/data.json", `["a"]`}},
		{"data.policyctl.policies: it is not an object", []string{"policyctl/policies/data.json", `null`}},
		{"data.policyctl.tests: a.yaml is not a text", []string{"policyctl/tests/data.json", `{"a.yaml": {}}`}},
		{"data.policyctl.policies: a.yaml is not a text", []string{"policyctl/policies/data.yaml", "a.yaml: true"}},
		{`data.policyctl.policies: "../a.yaml": the name leaves`, []string{"policyctl/policies/data.json", `{"../a.yaml": ""}`}},
		{`"": the name is empty`, []string{"policyctl/policies/data.json", `{"": ""}`}},
		{`"a\n": the name has characters`, []string{"policyctl/policies/data.json", `{"a\n": ""}`}},
	} {
		_, err := Read(archived(row.files...), nil, Limits{})
		if row.text == "" && err != nil {
			t.Errorf("%.200q: %v", row.files, err)
		}
		if row.text != "" && (!errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), row.text)) {
			t.Errorf("%s: got %.300v", row.text, err)
		}
		if err != nil && (len(err.Error()) > 700 || strings.ContainsAny(err.Error(), "\n\t\x1b")) {
			t.Errorf("%s: the error is no short line: %q", row.text, err)
		}
	}
}

func TestPoliciesOfTwoFiles(t *testing.T) {
	b, err := Read(archived("policyctl/data.json", `{"policies": {"b.yaml": "y"}, "more": 1}`, "policyctl/policies/data.yaml", `a.yaml: "x"`), nil, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []File{{"a.yaml", "x"}, {"b.yaml", "y"}}; !reflect.DeepEqual(b.Policies, want) {
		t.Errorf("got %v", b.Policies)
	}
	if ours := b.Data[own].(map[string]any); len(ours) != 1 || ours["more"] == nil {
		t.Errorf("got %v", b.Data)
	}
}

// TestAliasBomb has a YAML file that stands for 10^9 values.
func TestAliasBomb(t *testing.T) {
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 9; i++ {
		alias := fmt.Sprintf("*a%d,", i-1)
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(alias, 10), ","))
	}
	took := cputime.Of(func() {
		if _, err := Read(archived("data.yaml", bomb), nil, Limits{}); !errors.Is(err, ErrMalformed) {
			t.Errorf("got %v", err)
		}
	})
	if took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestModulesAreSorted(t *testing.T) {
	b, err := Read(archived("c.rego", "package c", "a.rego", "package a", "b/b.rego", "package b"), nil, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []File{{"a.rego", "package a"}, {"b/b.rego", "package b"}, {"c.rego", "package c"}}; !reflect.DeepEqual(b.Modules, want) {
		t.Errorf("got %v", b.Modules)
	}
}
