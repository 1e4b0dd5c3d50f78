package rego_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// sample returns calls of every kind: those of the records of pkg/pattern and
// some that have what those have not.
func sample(t testing.TB) []*policy.Call {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "record", "testdata", "records.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*policy.Call
	for line := range strings.Lines(string(data)) {
		text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
		if !ok {
			continue
		}
		c := shellCall(strings.ReplaceAll(text, `\n`, "\n"))
		if strings.HasPrefix(text, "{") {
			if c, err = policy.DecodeCall([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, c)
		homeless := *c
		homeless.Home = ""
		out = append(out, &homeless)
	}
	for _, text := range []string{
		"", "  ", "# nothing", "if ; then", "rm -rf \"$X\" *.go ~/x", "cat \xff\xfe", "a=1", "> out", "ls ~ $HOME/x --d=$HOME", "cd \"$D\" && rm x",
		"docker run -v /:/x alpine rm -rf /x", "ssh host rm x", "f() { ls; }; f", "sudo -u a npm publish", "eval \"$X\"", "chmod --frob 777 x",
		"tar -xf a.tar", "mv a b/", "curl -O https://example.com/a", "git push", "rsync a host:b", strings.Repeat("ls;", 300),
	} {
		out = append(out, shellCall(text), policy.Shell(text, ""))
	}
	full := shellCall("ls")
	full.Input["description"], full.ID, full.OS, full.Shell, full.Agent, full.Session = "look", "1", "linux", "bash", "claude", "s"
	full.Scope = policy.Scope{Plugin: "p", Profile: "q", Integration: "i"}
	full.Audience, full.ProjectDir, full.SessionDir = policy.Public, "/w", "/s"
	full.Time = time.Date(2026, 2, 3, 4, 5, 6, 7, time.FixedZone("x", 3600))
	own := shellCall("ls; curl https://example.com/x")
	own.Record = map[string]any{"type": "x", "sensitivity": "read", "facets": map[string]any{"http": map[string]any{"headers": map[string]any{"a.b": "c"}}},
		"unknown": []any{`http.headers."a.b"`, "verb", "sql", "http.url"}}
	return append(out, full, own, &policy.Call{Tool: "mcp__a__b", Input: map[string]any{"n": json.Number("1e30"), "f": 1.5, "l": []any{nil, true}}},
		&policy.Call{Tool: "unheard"}, &policy.Call{Tool: "write", Input: map[string]any{"file_path": "${__}/x"}})
}

// TestSchema validates what Input returns of every call.
func TestSchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(rego.InputSchema()))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("input.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("input.json")
	if err != nil {
		t.Fatal(err)
	}
	calls := sample(t)
	if len(calls) < 150 {
		t.Errorf("%d calls, want at least 150", len(calls))
	}
	for _, c := range calls {
		text := document(t, c)
		got, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(got); err != nil {
			t.Errorf("%v\n%s\n%v", c.Input, text, err)
		}
	}
	for _, wrong := range []string{`{}`, `{"call": {}}`, strings.Replace(string(document(t, shellCall("ls"))), `"known"`, `"know"`, 1)} {
		got, err := jsonschema.UnmarshalJSON(strings.NewReader(wrong))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(got) == nil {
			t.Errorf("%s is valid", wrong)
		}
	}
}

// document returns the input document of a call as JSON.
func document(t testing.TB, c *policy.Call) []byte {
	t.Helper()
	in, err := engine(t, nil).Input(c)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rego.Input(in)
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNoMarkers shows that nothing of a call carries the texts that stand for
// what is unknown.
func TestNoMarkers(t *testing.T) {
	for _, c := range sample(t) {
		in, err := engine(t, nil).Input(c)
		if err != nil {
			t.Fatal(err)
		}
		m, err := rego.Input(in)
		if err != nil {
			t.Fatal(err)
		}
		delete(m, "call")
		eachText(m, func(key, s string) {
			if key == "line" || strings.Contains(c.Tool, "write") {
				return
			}
			if strings.Contains(s, shell.UnknownText) || c.Home == "" && strings.Contains(s, eval.UnknownHome) {
				t.Errorf("%v: %s: %q", c.Input, key, s)
			}
		})
	}
}

func eachText(v any, f func(key, s string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if s, ok := e.(string); ok {
				f(k, s)
			}
			eachText(e, f)
		}
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				f("", s)
			}
			eachText(e, f)
		}
	}
}
