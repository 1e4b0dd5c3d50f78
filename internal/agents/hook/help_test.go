package hook_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/agents/hook"
)

// TestHelp shows what a refused ask says: that nobody is there only where the
// agent says so, and always what the user can do.
func TestHelp(t *testing.T) {
	const serve = "policyctl serve"
	decide := engine(t)
	for _, r := range []struct{ agent, mode, tool, input, want, help string }{
		{"codex", "default", "Bash", `{"command":"make it"}`, "a hook of Codex cannot ask for one", "`'shell make it': allow`"},
		{"qwen", "default", "run_shell_command", `{"command":"make it"}`, "a hook of Qwen Code cannot ask for one", "`'shell make it': allow`"},
		{"qwen", "yolo", "run_shell_command", `{"command":"make it"}`, "the permission mode \"yolo\" asks nobody", "`'shell make it': allow`"},
		{"qwen", "auto", "run_shell_command", `{"command":"make it"}`, "a hook of Qwen Code cannot ask for one", "`'shell make it': allow`"},
		{"codex", "bypassPermissions", "Bash", `{"command":"make it"}`, "the permission mode \"bypassPermissions\" asks nobody", "`'shell make it': allow`"},
		{"claude", "dontAsk", "Bash", `{"command":"make it"}`, "the permission mode \"dontAsk\" asks nobody", "`'shell make it': allow`"},
		{"codex", "default", "Bash", `{"command":"rm *.o 'x?'"}`, "cannot ask", `\*.o ''x\?''': allow`},
		{"codex", "default", "Bash", `{"command":"make it\nmake that"}`, "cannot ask", ""},
		{"codex", "default", "Bash", `{"command":"make 'it"}`, "cannot ask", ""},
		{"codex", "default", "Bash", `{"command":"python3"}`, "typed into it later", ""},
		{"codex", "default", "Bash", `{"command":"make ` + strings.Repeat("x", 300) + `"}`, "cannot ask", ""},
		{"codex", "dontAsk", "mcp__docs__put", `{"a":1}`, "asks nobody", "`'mcp__docs__put': allow`"},
		{"qwen", "default", "write_file", `{"file_path":"/repo/a b"}`, "cannot ask", "`'write /repo/a b': allow`"},
		{"qwen", "default", "run_shell_command", `{"command":"make it","dangerouslyDisableSandbox":true}`, "outside the agent's sandbox", "`{match: 'shell make it', action: allow, outside_sandbox: true}`"},
	} {
		a, _ := hook.Lookup(r.agent)
		got := run(a, []byte(fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/repo","permission_mode":%q,"tool_name":%q,"tool_input":%s}`,
			r.mode, r.tool, r.input)), hook.Host{Decide: decide})
		text := strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(got.out)
		if said(t, r.agent, got) != "deny" || !strings.Contains(text, r.want) || !strings.Contains(text, serve) || !strings.Contains(text, r.help) {
			t.Errorf("%s %s %s: %s", r.agent, r.mode, r.input, text)
		}
		if strings.Contains(text, "nobody is there") || r.help == "" && strings.Contains(text, ": allow") {
			t.Errorf("%s %s %s: %s", r.agent, r.mode, r.input, text)
		}
	}
	a, _ := hook.Lookup("claude")
	got := run(a, []byte(event(`{"command":"make it"}`)), hook.Host{Decide: decide, Getenv: headless})
	if !strings.Contains(got.out, "nobody is there to give it") || !strings.Contains(got.out, "You can allow it with the permission `'shell make it': allow`") {
		t.Error(got.out)
	}
}
