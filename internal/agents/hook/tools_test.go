package hook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

// kindOf is the kind of the tool to which pkg/policy takes a name.
func kindOf(name string) string {
	for _, t := range policy.BuiltinTools() {
		if t.Name == name || slices.Contains(t.Aliases, name) {
			return t.Kind.String()
		}
	}
	return "unknown"
}

// TestTools: every tool of every agent is of the kind that its calls need.
// What is unknown asks.
func TestTools(t *testing.T) {
	rows := []struct{ agent, kind, tools string }{
		{"claude", "shell", "Bash PowerShell Monitor"},
		{"claude", "read", "Read BashOutput TaskOutput"},
		{"claude", "write", "Edit MultiEdit Write NotebookEdit"},
		{"claude", "search", "Glob Grep LS WebSearch"},
		{"claude", "fetch", "WebFetch"},
		{"claude", "other", "Agent Task TodoWrite KillShell TaskStop TaskCreate TaskGet TaskList TaskUpdate AskUserQuestion ExitPlanMode Skill ToolSearch ListAgents CronCreate CronList CronDelete"},
		{"claude", "unknown", "mcp__github__create_issue mcp__Bash__ls Workflow RemoteTrigger Artifact EnterWorktree ExitWorktree Teleport"},
		{"codex", "shell", "Bash"},
		{"codex", "write", "apply_patch"},
		{"codex", "read", "view_image"},
		{"codex", "other", "update_plan request_user_input get_goal tool_search"},
		{"codex", "unknown", "mcp__x__y"},
		{"copilot", "shell", "Bash bash powershell PowerShell"},
		{"copilot", "read", "Read view"},
		{"copilot", "write", "Write Edit create edit apply_patch"},
		{"copilot", "search", "Glob Grep glob grep"},
		{"copilot", "fetch", "WebFetch web_fetch"},
		{"copilot", "other", "Task task write_bash stop_bash list_bash report_intent skill"},
		{"copilot", "unknown", "mcp__x__y store_memory"},
		{"qwen", "shell", "run_shell_command"},
		{"qwen", "read", "read_file read_many_files"},
		{"qwen", "write", "write_file edit"},
		{"qwen", "search", "glob grep_search list_directory web_search"},
		{"qwen", "fetch", "web_fetch"},
		{"qwen", "other", "agent task task_create task_list task_update task_get ask_user_question exit_plan_mode skill"},
		{"qwen", "unknown", "mcp__x__y save_memory lsp"},
	}
	for _, r := range rows {
		for name := range strings.FieldsSeq(r.tools) {
			input := `{"command":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`
			e := read(t, r.agent, `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"`+name+`","tool_input":`+input+`}`, nil)
			if got := kindOf(e.Call.Tool); got != r.kind {
				t.Errorf("%s: %s is %s: %s, want %s", r.agent, name, e.Call.Tool, got, r.kind)
			}
			if r.kind == "unknown" && e.Call.Tool != name {
				t.Errorf("%s: %s became %s", r.agent, name, e.Call.Tool)
			}
		}
	}
}

// TestMappings: what a row of the table changes beside the name.
func TestMappings(t *testing.T) {
	rows := []struct{ want, agent, tool, input string }{
		{"shell /w bash|zsh", "claude", "Monitor", `{"command":"ls"}`},
		{"monitor_socket /w", "claude", "Monitor", `{"ws":"wss://x"}`},
		{"shell /w pwsh", "claude", "PowerShell", `{"command":"ls"}`},
		{"run_shell_command /w bash", "qwen", "run_shell_command", `{"command":"ls","directory":"x"}`}, // the engine moves it
		{"run_shell_command /w bash", "qwen", "tool_call", `{"name":"run_shell_command","arguments":{"command":"ls","directory":"/x"}}`},
		{"mcp__x__y /w", "qwen", "tool_call", `{"name":"mcp__x__y","arguments":"{}"}`},
		{"error", "qwen", "tool_call", `{"arguments":{}}`},
		{"error", "qwen", "tool_call", `{"name":7,"arguments":{}}`},
		{"error", "qwen", "tool_call", `{"name":"x"}`},
		{"error", "qwen", "tool_call", `{"name":"x","arguments":"{\"a\":1,\"A\":2}"}`},
		{"error", "qwen", "tool_call", `{"name":"x","arguments":"[]"}`},
		{"error", "qwen", "tool_call", `{"name":"x","arguments":""}`},
		{"error", "qwen", "tool_call", `{"name":"tool_call","arguments":{}}`},
		{"error", "codex", "apply_patch", `{}`},
		{"error", "codex", "apply_patch", `{"command":["x"]}`},
	}
	for _, r := range rows {
		a, _ := hook.Lookup(r.agent)
		e, err := a.Read([]byte(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","tool_name":"`+r.tool+`","tool_input":`+r.input+`}`), nil)
		got := "error"
		if err == nil {
			got = strings.TrimSpace(e.Call.Tool + " " + e.Call.Dir + " " + e.Call.Shell)
		}
		if got != r.want {
			t.Errorf("%s %s: got %q, want %q (%v)", r.tool, r.input, got, r.want, err)
		}
	}
}
