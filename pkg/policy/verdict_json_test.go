package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A program that logs verdicts, or answers with them over a network, writes
// them in the form of the command line and the service.
func ExampleVerdict_MarshalJSON() {
	engine, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	verdict, err := engine.Decide(context.Background(), nil, policy.Shell("ls | wc -l", "/home/dev/project"))
	if err != nil {
		log.Print(err) // the verdict denies
	}
	verdict.Revision = "1"
	text, err := json.Marshal(verdict)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output:
	// {"decision":"allow","stage":"readonly","reason":"none","rule":null,"why":"it only reads","message":null,"span":null,"source":null,"risk":null,"dangerous":null,"parts":null,"revision":"1","ask":null}
}

// What is null and what is left out is part of the form, and a command stands
// in it as it was written.
func TestVerdictJSON(t *testing.T) {
	engine, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := engine.Explain(t.Context(), nil, policy.Shell("echo a > b && frob <c", "/p"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := x.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"decision":"ask"`, `"rule":null`, `"risk":"medium"`, `"dangerous":[]`, `"text":"echo a > b"`, `"stage_trace":[{"stage":"hardline","spoke":false,"decided":false,"decision":null,`, `"on_timeout":"deny"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	x.Decision = policy.Allow
	text, err = x.Verdict.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"risk":null`, `"dangerous":null`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if strings.Contains(string(text), "stage_trace") || strings.Contains(string(text), `"dir"`) {
		t.Errorf("%s", text)
	}
}
