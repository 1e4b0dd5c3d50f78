package replay

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestOtherAgents shows which events the lines of Copilot CLI and Qwen Code
// are, and that a line tells its format.
func TestOtherAgents(t *testing.T) {
	const qwenLine = `{"uuid":"u","sessionId":"s","type":%q,"provenance":"x","cwd":"/w","timestamp":"2026-11-03T10:00:00Z","message":{"role":"user","parts":[%s]}}`
	copilotLine := func(kind, data string) string {
		return fmt.Sprintf(`{"type":%q,"data":%s,"id":"e","timestamp":"2026-11-03T10:00:00.000Z","parentId":null}`, kind, data)
	}
	for _, r := range []struct {
		format Format
		line   string
		want   string
	}{
		{Qwen, fmt.Sprintf(qwenLine, "assistant", `{"functionCall":{"id":"1","name":"run_shell_command","args":{"command":"ls"}}}`), `run_shell_command {"command":"ls"} /w s 1`},
		{Qwen, fmt.Sprintf(qwenLine, "assistant", `{"functionCall":{"name":"tool_call","args":{"name":"x","arguments":{"a":1}}}}`), `x {"a":1} /w s `},
		{Qwen, fmt.Sprintf(qwenLine, "assistant", `{"functionCall":{"name":"tool_call","args":{}}}`), "error"},
		{Qwen, fmt.Sprintf(qwenLine, "user", `{"text":"go on"}`), "spoke"},
		{Qwen, fmt.Sprintf(qwenLine, "user", `{"text":"<system-reminder>x"}`), ""},
		{Qwen, fmt.Sprintf(qwenLine, "tool_result", `{"functionResponse":{"id":"1","response":{}}}`), "answered 1"},
		{Qwen, fmt.Sprintf(qwenLine, "system", ``), ""},
		{Qwen, strings.Replace(fmt.Sprintf(qwenLine, "user", `{"text":"go on"}`), `"provenance":"x",`, "", 1), "spoke"},
		{Copilot, copilotLine("tool.execution_start", `{"toolCallId":"1","toolName":"bash","arguments":{"command":"ls"}}`), `bash {"command":"ls"} /w s 1`},
		{Copilot, copilotLine("tool.execution_start", `{"toolCallId":"1","toolName":"a-b-c","mcpServerName":"a-b","mcpToolName":"c"}`), `mcp__a-b__c {} /w s 1`},
		{Copilot, copilotLine("tool.execution_start", `{"toolCallId":"1","toolName":"bash","arguments":"{\"command\":\"ls\"}"}`), `bash {"command":"ls"} /w s 1`},
		{Copilot, copilotLine("tool.execution_start", `{"toolCallId":"1"}`), "error"},
		{Copilot, copilotLine("tool.execution_start", `[]`), "error"},
		{Copilot, copilotLine("tool.execution_complete", `{"toolCallId":"1","result":{}}`), "answered 1"},
		{Copilot, copilotLine("user.message", `{"content":"go on"}`), "spoke"},
		{Copilot, copilotLine("user.message", `{"content":"go on","isAutopilotContinuation":true}`), ""},
		{Copilot, copilotLine("user.message", `{"content":"x","source":"skill-pdf"}`), ""},
		{Copilot, copilotLine("assistant.message", `{"toolRequests":[{"name":"bash"}]}`), ""},
	} {
		f, err := detect([]byte(r.line))
		if err != nil || f != r.format {
			t.Errorf("%s: %s, %v", r.line, f, err)
			continue
		}
		p := newParser(f, "s")
		_ = p.parse([]byte(copilotLine("session.start", `{"sessionId":"s","context":{"cwd":"/w"}}`)), func(event) {})
		got := ""
		if err := p.parse([]byte(r.line), func(e event) { got = said(e) }); err != nil {
			got = "error"
		}
		if got != r.want {
			t.Errorf("%s: %s, want %s", r.line, got, r.want)
		}
	}
}

// said describes an event.
func said(e event) string {
	switch e.kind {
	case spoke:
		return "spoke"
	case answered:
		return "answered " + e.id
	}
	input, _ := json.Marshal(e.call.Input)
	return fmt.Sprintf("%s %s %s %s %s", e.call.Tool, input, e.call.Dir, e.thread, e.call.ID)
}
