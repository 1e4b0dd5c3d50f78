package hook_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Several commands in one call are judged one by one, each in a shell of its own, and the
// strictest answer counts.
func TestCommands(t *testing.T) {
	a, _ := hook.Lookup("cline")
	decide := engine(t)
	for _, r := range []struct {
		want, why string
		commands  []any
	}{
		{"", "", []any{"ls"}},
		{"", "", []any{"ls", "cat a", "npm test x"}},
		{"deny", "home directory", []any{"ls", "rm -rf ~"}},
		{"deny", "home directory", []any{"rm -rf ~", "ls # ok"}},
		{"deny", "home directory", []any{"ls # (", "rm -rf ~"}},
		{"deny", "root directory", []any{"cd /", "echo a\nrm -rf /"}},
		{"deny", "needs an approval", []any{"ls", "terraform apply"}},
		{"deny", "in a call of its own", []any{"cat <<E", "rm -rf ~"}},
		{"deny", "in a call of its own", []any{"echo 'a", "rm -rf ~"}},
		{"deny", "each must be a command", []any{"ls", 7}},
		{"deny", "each must be a command", []any{"ls", " "}},
		{"deny", "there is none", []any{}},
		{"deny", "there is none", nil},
	} {
		list, err := json.Marshal(r.commands)
		if err != nil {
			t.Fatal(err)
		}
		event := strings.Replace(string(a.Sample("X", "s", "/repo")), `["X"]`, string(list), 1)
		got := run(a, []byte(event), hook.Host{Decide: decide})
		if word := said(t, "cline", got); word != r.want || !strings.Contains(got.out, r.why) {
			t.Errorf("%s: %q %s, want %q, %s", list, word, got.out, r.want, r.why)
		}
	}
	// A directory into which one command changes is not that of the next.
	seen := ""
	event := strings.Replace(string(a.Sample("X", "s", "/repo")), `["X"]`, `["cd /tmp", "rm -r build"]`, 1)
	run(a, []byte(event), hook.Host{Decide: func(_ context.Context, e *hook.Event) (policy.Verdict, error) {
		seen, _ = e.Call.Input["command"].(string)
		return policy.Verdict{Decision: policy.Allow}, nil
	}})
	if seen != "(cd /tmp\n)\n(rm -r build\n)\n" {
		t.Errorf("%q", seen)
	}
}

// Where an event has its fields: a path, the first of several, and a server beside a tool.
func TestKeys(t *testing.T) {
	for _, r := range []struct{ agent, event, tool, dir, wrong string }{
		{"auggie", `{"hook_event_name":"PreToolUse","conversation_id":"s","workspace_roots":["/a","/b"],"tool_name":"view","tool_input":{"path":"x"}}`, "view", "/a", ""},
		{"auggie", `{"hook_event_name":"PreToolUse","conversation_id":"s","cwd":"/c","workspace_roots":["/a"],"tool_name":"view","tool_input":{}}`, "view", "/c", ""},
		{"auggie", `{"hook_event_name":"PreToolUse","conversation_id":"s","workspace_roots":[7],"tool_name":"view","tool_input":{}}`, "", "", `"workspace_roots.0" must be a string`},
		{"opencode", `{"hook_event_name":"tool_call","session_id":"s","tool_name":"a_b_c","tool_input":{},"mcp_context":{"server_name":"a_b","tool_name":"c"}}`, "mcp__a_b__c", "", ""},
		{"opencode", `{"hook_event_name":"tool_call","session_id":"s","tool_name":"a_b_c","tool_input":{},"mcp_context":{"server_name":"a_b"}}`, "", "", `"mcp_context.tool_name" is missing`},
		{"opencode", `{"hook_event_name":"tool_call","session_id":"s","tool_name":"a_b","tool_input":{},"attended":"no"}`, "", "", `"attended" must be true or false`},
		{"grok", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"shop__price","tool_input":{"tool_name":"shop__price","tool_input":{"item":"x"}}}`, "mcp__shop__price", "", ""},
		{"grok", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"write","tool_input":{},"toolInputTruncated":true}`, "", "", "cut short"},
		{"goose", `{"event":"PreToolUse","session_id":"s","tool_name":"github__get","tool_input":{},"working_dir":"/g"}`, "mcp__github__get", "/g", ""},
		{"goose", `{"event":"PreToolUse","session_id":"s","tool_name":"developer__write","tool_input":{"path":"x"}}`, "write", "", ""},
		{"crush", `{"event":"PreToolUse","session_id":"s","tool_name":"mcp_github_get","tool_input":{}}`, "mcp__github__get", "", ""},
		{"crush", `{"event":"PreToolUse","session_id":"s","tool_name":"job_kill","tool_input":{}}`, "shell_kill", "", ""},
		{"cursor", `{"hook_event_name":"beforeMCPExecution","conversation_id":"s","mcp_server_name":"pay","tool_name":"refund","tool_input":"{\"id\":1}"}`, "mcp__pay__refund", "", ""},
		{"cursor", `{"hook_event_name":"beforeMCPExecution","conversation_id":"s","mcp_server_name":"pay","tool_name":"refund","tool_input":"{\"id\":1,\"id\":2}"}`, "", "", "appears twice"},
		{"cursor", `{"hook_event_name":"beforeShellExecution","conversation_id":"s","command":"ls","cwd":"/w"}`, "Shell", "/w", ""},
		{"windsurf", `{"agent_action_name":"pre_mcp_tool_use","trajectory_id":"s","tool_info":{"mcp_server_name":"pay","mcp_tool_name":"refund","mcp_tool_arguments":{}}}`, "mcp__pay__refund", "", ""},
		{"windsurf", `{"agent_action_name":"pre_write_code","trajectory_id":"s","tool_info":{"file_path":"/w/a","edits":[]}}`, "write_file", "", ""},
		{"kimi", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"FetchURL","tool_input":{"url":"x"}}`, "fetch", "", ""},
	} {
		a, _ := hook.Lookup(r.agent)
		e, err := a.Read([]byte(r.event), nil)
		switch {
		case r.wrong != "":
			if err == nil || !strings.Contains(err.Error(), r.wrong) {
				t.Errorf("%s: %v, want %s", r.event, err, r.wrong)
			}
		case err != nil || e.Call.Tool != r.tool || e.Call.Dir != r.dir:
			t.Errorf("%s: %q in %q, %v", r.event, e.Call.Tool, e.Call.Dir, err)
		}
		if r.agent == "grok" && r.wrong == "" && e.Call.Input["item"] != "x" {
			t.Errorf("%s: %v", r.event, e.Call.Input)
		}
	}
}

// Cursor asks in the second event of a call alone, and a denial counts in both.
func TestSecondEvent(t *testing.T) {
	a, _ := hook.Lookup("cursor")
	second := `{"hook_event_name":"beforeShellExecution","conversation_id":"s","command":"ls","cwd":"/w"}`
	other := `{"hook_event_name":"preToolUse","conversation_id":"s","tool_name":"Write","tool_input":{"file_path":"a"}}`
	for _, r := range []struct {
		event string
		v     policy.Verdict
		want  string
	}{
		{string(a.Sample("ls", "s", "/w")), policy.Verdict{Decision: policy.Ask, Reason: policy.ReasonNone}, ""},
		{second, policy.Verdict{Decision: policy.Ask, Reason: policy.ReasonNone, Why: "x"}, "ask"},
		{other, policy.Verdict{Decision: policy.Ask, Reason: policy.ReasonNone, Why: "x"}, "deny"},
		{string(a.Sample("ls", "s", "/w")), policy.Verdict{Reason: policy.ReasonPermissionRule, Why: "x"}, "deny"},
		{second, policy.Verdict{Reason: policy.ReasonPermissionRule, Why: "x"}, "deny"},
	} {
		got := run(a, []byte(r.event), hook.Host{Decide: func(context.Context, *hook.Event) (policy.Verdict, error) { return r.v, nil }})
		if word := said(t, "cursor", got); word != r.want {
			t.Errorf("%s: %q, want %q", r.event, word, r.want)
		}
	}
}
