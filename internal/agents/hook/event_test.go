package hook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

func read(t *testing.T, agent, data string, getenv func(string) string) *hook.Event {
	t.Helper()
	a, ok := hook.Lookup(agent)
	if !ok {
		t.Fatalf("no agent %s", agent)
	}
	e, err := a.Read([]byte(data), getenv)
	if err != nil {
		t.Fatalf("%s: %v: %s", agent, err, data)
	}
	return e
}

func TestNames(t *testing.T) {
	if d := cmp.Diff([]string{
		"amp", "auggie", "claude", "cline", "codex", "commandcode", "copilot", "crush", "cursor", "droid", "gemini",
		"goose", "grok", "kilo", "kimi", "kiro", "opencode", "pi", "qoder", "qwen", "windsurf",
	}, hook.Names()); d != "" {
		t.Error(d)
	}
	if _, ok := hook.Lookup("Claude"); ok {
		t.Error("a name in another case was found")
	}
}

func TestRead(t *testing.T) {
	e := read(t, "claude", event(`{"command":"ls","timeout":1e3}`), nil)
	want := policy.Call{ID: "1", Tool: "Bash", Input: e.Call.Input, Dir: "/repo", Shell: "bash|zsh", Agent: "claude", Session: "s", GuardsSubagents: true}
	if d := cmp.Diff(want, e.Call); d != "" || e.Call.Input["command"] != "ls" {
		t.Error(d)
	}
	if e.Name != "PreToolUse" || e.Mode != "default" || !e.Attended || e.Follows || e.NewTurn {
		t.Errorf("got %+v", e)
	}
}

// TestSessions: a subagent works in the session of its parent, and its history
// is told apart.
func TestSessions(t *testing.T) {
	rows := []struct{ subagent, event string }{
		{"", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read","tool_input":{}}`},
		{"", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read","tool_input":{},"agent_id":null}`},
		{"a1", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read","tool_input":{},"agent_id":"a1"}`},
		{"a2", `{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"Read","tool_input":{},"agent_id":"a2"}`},
		{"", `{"hook_event_name":"UserPromptSubmit","session_id":"s"}`},
	}
	for _, agent := range []string{"claude", "codex", "qwen"} {
		for _, r := range rows {
			if e := read(t, agent, r.event, nil); e.Call.Session != "s" || e.Subagent != r.subagent {
				t.Errorf("%s, %s: got %q, %q", agent, r.event, e.Call.Session, e.Subagent)
			}
		}
	}
}

// TestSubagentTypes: permissions may be about the type of a subagent.
func TestSubagentTypes(t *testing.T) {
	for _, agent := range flat() {
		a, _ := hook.Lookup(agent)
		e := read(t, agent, spoken(a, `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read","tool_input":{},"agent_id":"a1","agent_type":"Explore"}`), nil)
		guards := slices.Contains(strings.Fields("claude codex copilot droid gemini grok kilo kimi opencode qoder qwen"), agent)
		if e.Call.Agent != agent || e.Call.Subagent != "Explore" || e.Call.GuardsSubagents != guards {
			t.Errorf("%s: got %+v", agent, e.Call)
		}
	}
}

// TestFollows: a dialog is a second look, so it must not count as a call.
func TestFollows(t *testing.T) {
	for _, agent := range []string{"claude", "codex", "qwen"} {
		e := read(t, agent, `{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"Read","tool_input":{},"tool_use_id":"7","tool_call_id":"8"}`, nil)
		if !e.Follows || e.Call.ID != "" {
			t.Errorf("%s: follows %v, id %q", agent, e.Follows, e.Call.ID)
		}
	}
	for want, field := range map[string]string{"7": `"tool_use_id":"7","tool_call_id":"8"`, "8": `"tool_call_id":"8"`, "": `"x":1`} {
		e := read(t, "qwen", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read","tool_input":{},`+field+`}`, nil)
		if e.Follows || e.Call.ID != want {
			t.Errorf("%s: follows %v, id %q", field, e.Follows, e.Call.ID)
		}
	}
}

func TestAttended(t *testing.T) {
	rows := []struct {
		want        bool
		agent, mode string
		getenv      func(string) string
	}{
		{true, "claude", `"default"`, nil},
		{true, "claude", `"acceptEdits"`, nil},
		{true, "claude", `"plan"`, nil},
		{true, "claude", `"auto"`, func(string) string { return "1" }},
		{false, "claude", `"auto"`, headless},
		{false, "claude", `"dontAsk"`, nil},
		{false, "claude", `"bypassPermissions"`, nil},
		{false, "claude", `"modeOfTomorrow"`, nil},
		{false, "claude", `null`, nil},
		{true, "codex", `"default"`, headless},
		{false, "codex", `"bypassPermissions"`, nil},
		{false, "codex", `"dontAsk"`, nil},
		{true, "copilot", `null`, headless},
		{true, "qwen", `"auto-edit"`, nil},
		{false, "qwen", `"yolo"`, nil},
		{true, "qwen", `"auto"`, nil},
		{false, "qwen", `"autopilot"`, nil},
	}
	for _, r := range rows {
		data := `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read","tool_input":{},"permission_mode":` + r.mode + `}`
		if got := read(t, r.agent, data, r.getenv).Attended; got != r.want {
			t.Errorf("%s %s: got %v", r.agent, r.mode, got)
		}
	}
}
