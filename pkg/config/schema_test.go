package config

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("policy.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("policy.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// beyond are problems that no schema of the form can find.
var beyond = []string{
	"denies nothing and asks about nothing",
	"is a name of the tool", "every_time goes with", "cannot be an alias", "keeps its", "subject is missing", "a pattern is missing",
	"names no single tool", "file_system is followed", "has no subject", "version must be the first key", "duplicate key", "anchors", "aliases are not",
	"tags are not", "merge keys", "a key must be text", "cannot be the name", "second document", "levels deep", "remove it here", "in locked", "holds a wildcard",
	"not a regular expression", "is not supported", "must be text, not nothing", "unknown safe space", "safe_spaces is empty", "the number 010", "the number 0x10", "the number 1_0", "not YAML",
	"scope is checked", "max_delay is shorter", "on the way to a collector", "from 1s", "name \"a/b\" of a bundle", "goes with decision", "shell.line is for", "from 1ms", "has no value: to match", "unknown field", "takes a text", "has this id",
}

// closed are policies with right and wrong values of forms that the schema knows.
var closed = []string{
	"bundles: {a: {url: /b.tar.gz, status_url: 'https://s'}}\n",
	"bundles: {a: {url: b.tar.gz}}\n",
	"bundles: {a: {url: /b.tar.gz, status_url: s}}\n",
	"security: {approval: {service: approvals.example.com}}\n",
	"security: {approval: {auto_approve: [{tool: shell, command_pattern: ' '}]}}\n",
	"rules: [{id: a, when: {time: {days: mon, from: '09:00', to: '17:30', tz: Europe/Berlin}}, decision: deny}]\n",
	"rules: [{id: a, when: {time: {days: monday}}, decision: deny}]\n",
	"rules: [{id: a, when: {time: {days: []}}, decision: deny}]\n",
	"rules: [{id: a, when: {time: {form: '09:00'}}, decision: deny}]\n",
	"rules: [{id: a, when: {time: {from: '9:00'}}, decision: deny}]\n",
}

// TestSchemaAgrees shows that the schema accepts what the loader accepts, and
// refuses what it refuses for its form.
func TestSchemaAgrees(t *testing.T) {
	s := compiled(t)
	docs := []string{string(read(t, "full.yaml")), string(read(t, "bad.yaml"))}
	for _, tc := range bodies {
		docs = append(docs, "version: 1\n"+tc.in)
	}
	for _, tc := range ruleProblems {
		docs = append(docs, "version: 1\n"+tc.in)
	}
	for _, tc := range layered {
		for _, text := range tc.layers {
			if f := layerFile(text); !f.assigns {
				docs = append(docs, string(f.Data))
			}
		}
	}
	for _, body := range closed {
		docs = append(docs, "version: 1\n"+body)
	}
	checked := 0
	for _, in := range docs {
		var v any
		if yaml.Unmarshal([]byte(in), &v) != nil {
			continue
		}
		_, err := Load(policy.Defaults(), File{Layer: Managed, Name: "p", Data: []byte(in), Admit: Everything})
		if err != nil && onlyBeyond(err.Error()) {
			continue
		}
		checked++
		if invalid := s.Validate(v); (invalid != nil) != (err != nil) {
			t.Errorf("the loader says %v\nthe schema says %v\nof %s", err, invalid, in)
		}
	}
	if checked < 100 {
		t.Errorf("only %d policies are compared", checked)
	}
}

func onlyBeyond(problems string) bool {
	for line := range strings.Lines(problems) {
		found := false
		for _, text := range beyond {
			found = found || strings.Contains(line, text)
		}
		if !found {
			return false
		}
	}
	return true
}
