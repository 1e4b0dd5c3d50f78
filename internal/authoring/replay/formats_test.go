package replay

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestOtherAgents shows which events the lines of Copilot CLI, Qwen Code and the
// audit log are, what became of calls, and that a line tells its format.
func TestOtherAgents(t *testing.T) {
	const qwenLine = `{"uuid":"u","sessionId":"s","type":%q,"provenance":"x","cwd":"/w","timestamp":"2026-11-03T10:00:00Z","message":{"role":"user","parts":[%s]}}`
	copilotLine := func(kind, data string) string {
		return fmt.Sprintf(`{"type":%q,"data":%s,"id":"e","timestamp":"2026-11-03T10:00:00.000Z","parentId":null}`, kind, data)
	}
	record := func(kind, fields string) string {
		if fields != "" {
			fields = "," + fields
		}
		return fmt.Sprintf(`{"seq":1,"prev":"p","time":"2026-11-02T09:00:00Z","kind":%q,"actor":"uid:1000","request_id":"r","session":"s","dir":"/w"%s,"hash":"h"}`, kind, fields)
	}
	result := func(fields string) string {
		return `{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":[{"tool_use_id":"1","type":"tool_result",` + fields + `}]}}`
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
		{Audit, record("request", `"tool":"Bash","arguments":{"command":"ls"}`), `Bash {"command":"ls"} /w s r`},
		{Audit, record("request", `"arguments":{"language":"sh"}`), ""},
		{Audit, record("request", `"tool":"Bash","arguments":"no JSON"`), "error"},
		{Audit, record("verdict", `"tool":"Bash","arguments":{"command":"ls"},"decided_at":"2026-01-01T00:00:00Z","detail":{"id":"d"}`), `Bash {"command":"ls"} /w s d`},
		{Audit, record("verdict", `"tool":"Bash","arguments":{"command":"ls"},"detail":{"id":"d","request":"r"}`), `Bash {"command":"ls"} /w s r`},
		{Audit, record("verdict", `"tool":"Bash","detail":{"id":"d","cut":"/arguments"}`), "error"},
		{Audit, record("verdict", `"reason":"error","detail":{"id":"d"}`), "error"},
		{Audit, record("decision", `"decision":"approved_once","decided_by":"login:1"`), "answered r: approved"},
		{Audit, record("decision", `"decision":"approved_remember","decided_by":"uid:1000"`), "answered r: approved"},
		{Audit, record("decision", `"decision":"rejected","decided_by":"token:ann"`), "answered r: denied"},
		{Audit, record("decision", `"decision":"rejected","decided_by":"token:ann","detail":{"late":"the request was approved"}`), "answered r"},
		{Audit, record("decision", `"decision":"request_more","decided_by":"token:ann"`), "answered r"},
		{Audit, record("decision", `"decision":"rejected","decided_by":"service"`), "answered r"},
		{Audit, record("decision", `"decision":"auto_approved","decided_by":"policy"`), "answered r"},
		{Audit, record("receipt", ``), ""},
		{Claude, result(`"content":"x","is_error":false`), "answered 1: ran"},
		{Claude, result(`"content":"x","is_error":true`), "answered 1"},
		{Claude, result(`"content":"The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …","is_error":true`), "answered 1: denied"},
		{Claude, result(`"content":[{"type":"text","text":"The user doesn't want to proceed with this tool use. The tool use was rejected"}],"is_error":true`), "answered 1: denied"},
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
		return "answered " + e.id + [...]string{"", ": approved", ": ran", ": denied"}[e.answer]
	}
	input, _ := json.Marshal(e.call.Input)
	return fmt.Sprintf("%s %s %s %s %s", e.call.Tool, input, e.call.Dir, e.thread, e.call.ID)
}
