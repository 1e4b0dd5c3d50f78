package reference

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/policy"
)

// What verdicts and explanations are as JSON is what the schema says, which
// knows no other keys.
func TestVerdictSchema(t *testing.T) {
	valid := verdicts(t)
	engine, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range sampleCalls(t) {
		x, err := engine.Explain(t.Context(), nil, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{x, x.Verdict} {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if err := valid(text); err != nil {
				t.Fatalf("%s\n%v", text, err)
			}
		}
	}
	full := policy.Explanation{Steps: []policy.Step{{Spoke: true, Rules: []policy.Match{{Rule: "r", Lost: "another is stricter"}}}}}
	full.Verdict = policy.Verdict{
		Decision: policy.Ask, Dir: "/tmp", Span: &shell.Span{From: 1, To: 3}, Parts: []policy.Part{{Rule: "r", Origin: policy.Origin{Layer: "l"}}},
		Dangers: []policy.Danger{{Rule: "a", Instead: "b"}}, Bundles: []policy.Bundle{{Name: "acme", Revision: "1"}}, Ask: &policy.AskTerms{Approver: "a"},
	}
	text, err := json.Marshal(full)
	if err == nil {
		err = valid(text)
	}
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	for _, change := range [][2]string{{`"ask":{`, `"asks":{`}, {`"decision":"ask"`, `"decision":"maybe"`}, {`"why":null,`, ""}} {
		if wrong := strings.Replace(string(text), change[0], change[1], 1); wrong == string(text) || valid([]byte(wrong)) == nil {
			t.Errorf("with %s for %s it is valid: %s", change[1], change[0], wrong)
		}
	}
}

// verdicts returns what holds JSON against the schema.
func verdicts(t *testing.T) func([]byte) error {
	t.Helper()
	text, err := verdictSchema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("verdict.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("verdict.json")
	if err != nil {
		t.Fatal(err)
	}
	return func(text []byte) error {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return s.Validate(v)
	}
}

// sampleCalls returns dangerous lines and calls of other tools.
func sampleCalls(t *testing.T) []*policy.Call {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/dangers.txt")
	if err != nil {
		t.Fatal(err)
	}
	calls := []*policy.Call{{}, {Tool: "unheard"}, {Tool: "write", Input: map[string]any{"file_path": "/etc/passwd"}}, policy.Shell("cd a && rm -rf \"$X\" | sudo tee /etc/x", "/p")}
	for line := range strings.Lines(string(data)) {
		if parts := strings.SplitN(strings.TrimSpace(line), " · ", 4); len(parts) == 4 && len(calls) < 200 {
			calls = append(calls, policy.Shell(parts[3], "/home/dev/project"))
		}
	}
	if len(calls) < 100 {
		t.Fatal(len(calls), "calls: the corpus is not read as it is written")
	}
	return calls
}
