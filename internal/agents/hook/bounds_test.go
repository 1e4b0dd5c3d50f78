package hook_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/policyctl/policyctl/internal/agents/hook"
)

// Only where an agent wraps the arguments of an MCP tool are they taken out of tool_input:
// another's tool may have an argument of that name, and others beside it.
func TestArgumentsOfServers(t *testing.T) {
	input := map[string]any{"tool_input": map[string]any{"a": "1"}, "command": "rm -rf ~"}
	for agent, tool := range map[string]string{"copilot": "shop-buy", "droid": "shop___buy", "cline": "shop__buy"} {
		event := spoken(lookup(t, agent), `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","tool_name":"`+tool+`",
			"tool_input":{"tool_input":{"a":"1"},"command":"rm -rf ~"}}`)
		if agent == "cline" {
			event = `{"hookName":"tool_call","taskId":"s","workspaceRoots":["/w"],"tool_call":{"id":"1","name":"shop__buy",
				"input":{"tool_input":{"a":"1"},"command":"rm -rf ~"}}}`
		}
		e := read(t, agent, event, nil)
		if d := cmp.Diff(input, e.Call.Input); e.Call.Tool != "mcp__shop__buy" || d != "" {
			t.Errorf("%s: %s: %s", agent, e.Call.Tool, d)
		}
	}
}

// A list without the place that a field is read from has no such field.
func TestShortLists(t *testing.T) {
	for _, roots := range []string{`[]`, `["/w"]`} {
		e := read(t, "auggie", `{"hook_event_name":"PreToolUse","conversation_id":"s","workspace_roots":`+roots+`,
			"tool_name":"launch-process","tool_input":{"command":"ls"}}`, nil)
		if want := strings.Trim(roots, `[]"`); e.Call.Dir != want {
			t.Errorf("%s: %q", roots, e.Call.Dir)
		}
	}
}

// An event of exactly the greatest length is read.
func TestLongestEvent(t *testing.T) {
	event := `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/repo","tool_name":"Bash","tool_input":{"command":"ls"}`
	event += strings.Repeat(" ", hook.MaxEvent-len(event)-1) + "}"
	for more, want := range map[string]string{"": `"allow"`, " ": "longer than 8 MiB"} {
		got := run(lookup(t, "claude"), []byte(event+more), hook.Host{Decide: engine(t)})
		if !strings.Contains(got.out, want) {
			t.Errorf("%d bytes: %s", len(event+more), got.out)
		}
	}
}

// A call that wraps another has to name it.
func TestUnnamedWrapped(t *testing.T) {
	got := run(lookup(t, "qwen"), []byte(`{"session_id":"s","cwd":"/repo","permission_mode":"default","hook_event_name":"PreToolUse",
		"tool_name":"tool_call","tool_input":{"name":"","arguments":{}}}`), hook.Host{Decide: engine(t)})
	if !strings.Contains(got.out, "does not name the tool that it calls") {
		t.Error(got.out)
	}
}

func lookup(t *testing.T, name string) *hook.Agent {
	t.Helper()
	a, ok := hook.Lookup(name)
	if !ok {
		t.Fatalf("no agent %s", name)
	}
	return a
}
