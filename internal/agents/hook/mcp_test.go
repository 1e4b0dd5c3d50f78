package hook_test

import (
	"fmt"
	"testing"
)

// TestMCPNames shows that a tool of an MCP server has one name, however the
// agent spells it, as far as the policy has names for servers and tools.
func TestMCPNames(t *testing.T) {
	for _, r := range []struct {
		agent, tool string
		names       []string
		want        string
	}{
		{"claude", "mcp__github__create_issue", nil, "mcp__github__create_issue"},
		{"codex", "mcp__github__create_issue", nil, "mcp__github__create_issue"},
		{"qwen", "mcp__github__create_issue", nil, "mcp__github__create_issue"},
		{"copilot", "mcp__github__create_issue", nil, "mcp__github__create_issue"},
		{"copilot", "github-create_issue", nil, "mcp__github__create_issue"},
		{"copilot", "github-mcp-server-create_issue", nil, "mcp__github-mcp-server__create_issue"},
		{"copilot", "context7-resolve-library-id", nil, "mcp__context7__resolve-library-id"},
		{"copilot", "my_server-do_thing", nil, "mcp__my_server__do_thing"},
		{"copilot", "my-server-list", nil, "mcp__my__server-list"},
		{"copilot", "my-server-list", []string{"mcp__my-server__*"}, "mcp__my-server__list"},
		{"copilot", "my-server-list", []string{"mcp__my__*", "mcp__my-server__*"}, "mcp__my-server__list"},
		{"copilot", "my-server-list", []string{"mcp__my__*"}, "mcp__my__server-list"},
		{"copilot", "my-server-list", []string{"mcp__*__server-list", "mcp__other__list"}, "mcp__my__server-list"},
		{"copilot", "docs_api-get-page", []string{"mcp__docs.api__get_page"}, "mcp__docs.api__get_page"},
		{"copilot", "my-server-", []string{"mcp__my-server__*"}, "mcp__my__server-"},
		{"copilot", "report_intent", nil, "report_intent"},
		{"copilot", "x-", nil, "x-"},
		{"copilot", "-x", nil, "-x"},
		{"claude", "my-tool", nil, "my-tool"},
		{"codex", "mcp__docs_api__get_page", []string{"mcp__docs-api__*"}, "mcp__docs-api__get_page"},
		{"codex", "mcp__docs_api__get_page", []string{"mcp__docs-api__get-page"}, "mcp__docs-api__get-page"},
		{"codex", "mcp__docs_api__get_page", []string{"mcp__docs-api__get_page", "mcp__docs_api__get_page"}, "mcp__docs_api__get_page"},
		{"codex", "mcp__docs_apis__get_page", []string{"mcp__docs-api__*"}, "mcp__docs_apis__get_page"},
		{"claude", "mcp__docs__get_page", []string{"mcp__*__get-page", "shell", "mcp__docs"}, "mcp__docs__get_page"},
	} {
		e := read(t, r.agent, fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","permission_mode":"default","tool_name":%q,"tool_input":{}}`, r.tool), nil)
		e.Spell(r.names)
		if e.Call.Tool != r.want {
			t.Errorf("%s, %s with %q: %s, want %s", r.agent, r.tool, r.names, e.Call.Tool, r.want)
		}
	}
}
