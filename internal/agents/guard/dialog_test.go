package guard_test

import (
	"fmt"
	"strings"
	"testing"
)

// qwen returns an event of Qwen Code about a command.
func (d *desk) qwen(event, mode, command string) string {
	return fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s","cwd":%q,"permission_mode":%q,"tool_name":"run_shell_command","tool_input":{"command":%q}}`,
		event, d.project, mode, command)
}

// TestOneApproval shows that what a person approves in a dialog that comes
// before the event of the call needs no second approval, and nothing else is
// approved by it.
func TestOneApproval(t *testing.T) {
	const before, dialog, turn = "PreToolUse", "PermissionRequest", "UserPromptSubmit"
	type step struct{ event, mode, command, want string }
	for name, steps := range map[string][]step{
		"once":             {{dialog, "default", "make a", ""}, {before, "default", "make a", "allow"}, {before, "default", "make a", "deny"}},
		"no dialog":        {{before, "default", "make a", "deny"}},
		"another call":     {{dialog, "default", "make a", ""}, {before, "default", "make b", "deny"}},
		"edited":           {{dialog, "default", "make a", ""}, {before, "default", "make a -j", "deny"}},
		"another mode":     {{dialog, "default", "make a", ""}, {before, "auto-edit", "make a", "deny"}, {before, "yolo", "make a", "deny"}},
		"a mode that asks": {{dialog, "yolo", "make a", "deny"}, {before, "yolo", "make a", "deny"}},
		"auto mode":        {{dialog, "auto", "make a", ""}, {before, "auto", "make a", "allow"}},
		"a batch": {
			{dialog, "default", "make a", ""}, {dialog, "default", "make b", ""},
			{before, "default", "make b", "allow"}, {before, "default", "make a", "allow"},
		},
		"a denial":       {{dialog, "default", "rm -rf /", "deny"}, {before, "default", "rm -rf /", "deny"}},
		"a new turn":     {{dialog, "default", "make a", ""}, {turn, "default", "no", ""}, {before, "default", "make a", "deny"}},
		"an empty turn":  {{dialog, "default", "make a", ""}, {turn, "default", "", ""}, {before, "default", "make a", "allow"}},
		"allowed anyway": {{dialog, "default", "ls", "allow"}, {before, "default", "ls", "allow"}},
	} {
		d := newDesk(t, asking)
		for i, s := range steps {
			event := d.qwen(s.event, s.mode, s.command)
			if s.event == turn {
				event = fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s","cwd":"/","prompt":%q}`, turn, s.command)
			}
			answer := d.askAs("qwen", event)
			if got := word(answer); got != s.want {
				t.Errorf("%s, step %d: %q, want %q: %s", name, i, got, s.want, answer)
			}
		}
	}
	// No other agent asks in this order, so that its dialog approves nothing.
	d := newDesk(t, asking)
	for _, agent := range []string{"claude", "codex"} {
		d.askAs(agent, strings.Replace(d.call("", "make a"), before, dialog, 1))
		if answer := d.askAs(agent, d.call("2", "make a")); word(answer) == "allow" {
			t.Errorf("%s: %s", agent, answer)
		}
	}
}

// word is the decision in an answer of any agent, "" for none.
func word(answer string) string {
	for _, w := range []string{"allow", "ask", "deny"} {
		if strings.Contains(answer, `:"`+w+`"`) {
			return w
		}
	}
	return ""
}

// TestEmptyPrompt shows that only a prompt begins a turn: Qwen Code sends an
// empty one after each result.
func TestEmptyPrompt(t *testing.T) {
	for _, r := range []struct{ more, want string }{
		{"", "deny"}, {`,"prompt":""`, "deny"}, {`,"prompt":" \n"`, "deny"}, {`,"prompt":null`, "deny"}, {`,"prompt":"go on"`, "allow"},
	} {
		d := newDesk(t, "permissions: {shell make *: allow}")
		answer := ""
		for i := range 4 {
			d.askAs("qwen", `{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/"`+r.more+`}`)
			answer = d.askAs("qwen", d.event("PreToolUse", "s", fmt.Sprint(i), "make a"))
		}
		if word(answer) != r.want {
			t.Errorf("%s: %s", r.more, answer)
		}
	}
}

// TestNamesOfMCP shows that one permission means a tool of an MCP server in
// every agent.
func TestNamesOfMCP(t *testing.T) {
	for _, r := range []struct{ agent, tool, want string }{
		{"claude", "mcp__my-docs__get_page", "allow"}, {"copilot", "my-docs-get_page", "allow"}, {"copilot", "my-docs-list-pages", "allow"},
		{"qwen", "mcp__my-docs__get_page", "allow"}, {"copilot", "my-docs-drop_all", "deny"}, {"codex", "mcp__my_docs__drop_all", "deny"},
		{"claude", "mcp__my-docs__drop_all", "deny"}, {"copilot", "other-get_page", "ask"}, {"copilot", "my-docsx-get_page", "ask"},
	} {
		d := newDesk(t, asking+"permissions: {mcp__my-docs__*: allow, mcp__my-docs__drop_*: deny}")
		answer := d.askAs(r.agent, fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","permission_mode":"default","tool_name":%q,"tool_input":{}}`, r.tool))
		if word(answer) != r.want {
			t.Errorf("%s, %s: %s", r.agent, r.tool, answer)
		}
	}
}
