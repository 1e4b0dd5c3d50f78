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
	"is a name of the tool", "every_time goes with", "cannot be an alias", "keeps its", "subject is missing", "a pattern is missing",
	"names no single tool", "file_system is followed", "has no subject", "version must be the first key", "duplicate key", "anchors", "aliases are not",
	"tags are not", "merge keys", "a key must be text", "cannot be the name", "second document", "levels deep", "remove it here", "in locked", "holds a wildcard",
	"not a regular expression", "is not supported", "must be text, not nothing", "unknown safe space", "safe_spaces is empty", "the number 010", "the number 0x10", "the number 1_0", "not YAML",
	"goes with decision", "shell.line is for", "from 1ms", "has no value: to match", "unknown field", "takes a text", "has this id",
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
