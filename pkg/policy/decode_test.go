package policy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/policyctl/policyctl/pkg/policy"
)

func TestDecodeCall(t *testing.T) {
	got, err := policy.DecodeCall([]byte(`{"id":"1","tool":"shell","input":{"command":"ls"},"dir":"/w","session":"s",
		"audience":"team","scope":{"plugin":"p"},"time":"2026-01-02T03:04:05Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &policy.Call{
		ID: "1", Tool: "shell", Input: map[string]any{"command": "ls"}, Dir: "/w", Session: "s",
		Audience: policy.Team, Scope: policy.Scope{Plugin: "p"}, Time: got.Time,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	short, err := policy.DecodeCall([]byte(`{"id":"1","command":"ls"}`))
	if err != nil || short.Tool != "shell" || short.Input["command"] != "ls" {
		t.Errorf("the short form gave %+v, %v", short, err)
	}
}

func TestDecodeCallRefuses(t *testing.T) {
	rows := []struct{ want, json string }{
		{"appears twice", `{"id":"1","command":"ls","command":"rm -rf ~"}`},
		{"differ only in case", `{"command":"ls","COMMAND":"rm -rf ~"}`},
		{"differ only in case", `{"tool":"shell","input":{"command":"rm -rf ~","COMMAND":"ls"}}`},
		{"appears twice", `{"tool":"shell","input":{"command":"ls","command":"rm"}}`},
		{"appears twice", `{"tool":"x","input":{"a":[{"b":1,"b":2}]}}`},
		{"differ only in case", "{\"tool\":\"x\",\"input\":{\"mask\":1,\"ma\u017f\u212a\":2}}"},
		{"unknown key", `{"tool":"shell","input":{},"Dir":"/w"}`},
		{"unknown key", `{"tool":"shell","inputs":{}}`},
		{`"tool" is missing`, `{"id":"1"}`},
		{"replaces", `{"tool":"shell","input":{},"command":"ls"}`},
		{"must be a string", `{"tool":1}`},
		{"must be an object", `{"tool":"shell","input":"ls"}`},
		{"unknown audience", `{"tool":"shell","input":{},"audience":"world"}`},
		{"RFC 3339", `{"tool":"shell","input":{},"time":"noon"}`},
		{"ends too early", `{"tool":"shell"`},
		{"column 9: not JSON", `{"tool":}`},
		{"follows", `{"tool":"shell"} {}`},
		{"must be a JSON object", `["ls"]`},
		{"column 10: the JSON is not valid UTF-8", "{\"tool\":\"\xff\"}"},
		{`column 16: half of a surrogate pair, \ud800:`, `{"command":"ls \ud800"}`},
		{`column 29: half of a surrogate pair, \ude00:`, `{"tool":"x","input":{"a":["b\ude00"]}}`},
		{`column 23: half of a surrogate pair, \uD83D:`, `{"tool":"x","input":{"\uD83D":1}}`},
		{"nests deeper", strings.Repeat(`{"a":`, 80) + "1" + strings.Repeat("}", 80)},
	}
	for _, r := range rows {
		_, err := policy.DecodeCall([]byte(r.json))
		if err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%s: got %v, want %q", r.json, err, r.want)
		}
	}
}

func FuzzDecodeCall(f *testing.F) {
	f.Add([]byte(`{"id":"1","tool":"shell","input":{"command":["ls","-l"]},"dir":"/w"}`))
	f.Add([]byte(`{"command":"ls","COMMAND":"rm"}`))
	f.Add([]byte(`{"tool":"x","input":{"a":[1,2,{"b":null}]},"scope":{"plugin":"p"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := policy.DecodeCall(data)
		if err == nil && c.Tool == "" {
			t.Fatal("a call without a tool")
		}
	})
}
