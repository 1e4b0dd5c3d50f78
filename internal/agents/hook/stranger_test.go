package hook

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestStranger adds an agent as CONTRIBUTING.md says: by one row, one recorded event and
// one golden file. Its keys, its tools and its answers are its own.
func TestStranger(t *testing.T) {
	row := &Agent{
		Name: "zz", Title: "ZZ",
		events: eventTable{call: "tool.before", turn: "user.said", quiet: "tool.after"},
		fields: keys{event: "type", session: "chat.id", dir: "chat.dir", tool: "call.tool", input: "call.args", id: "call.id", prompt: "text"},
		tools:  toolTable{{"run", tool{name: "shell", shell: "bash"}}},
		sample: `{"type":"tool.before","chat":{"id":"$SESSION","dir":"$DIR"},"call":{"id":"1","tool":"run","args":{"command":"$COMMAND"}}}`,
		modes:  []mode{{names: "*", asks: true, call: "allow allow - deny deny", dialog: "- - - - deny"}},

		tellsNothing: true,
		answers:      abilities{form: formPlain, denial: "stop"},
	}
	engine, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := os.ReadFile("testdata/stranger/shell.json")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, command := range []string{"ls", "rm -rf ~", "frob it"} {
		event := strings.Replace(string(recorded), "$COMMAND", command, 1)
		code := Run(t.Context(), row, Host{
			Stdin: strings.NewReader(event), Stdout: &got, Stderr: &got,
			Decide: func(ctx context.Context, e *Event) (policy.Verdict, error) {
				c := e.Call
				c.Home, c.OS = "/home/dev", "linux"
				if c.Dir != "/repo" || c.Session != "c1" || c.ID != "7" || c.Tool != "shell" {
					t.Errorf("%+v", c)
				}
				return engine.Decide(ctx, nil, &c)
			},
		})
		if code != 0 {
			t.Errorf("%s: exit code %d", command, code)
		}
	}
	want, err := os.ReadFile("testdata/stranger/shell.golden")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
	if say, _, err := row.Heard([]byte(`{"decision":"stop","reason":"no"}`), nil, 0); say != deny || err != nil {
		t.Errorf("%q, %v", say, err)
	}
	if e, err := row.Read(row.Sample("ls", "c2", "/w"), nil); err != nil || e.Call.Session != "c2" || e.Call.Input["command"] != "ls" {
		t.Errorf("%+v, %v", e, err)
	}
}
