package replay

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestCodexCalls shows which call an item is, with its directory and shell.
func TestCodexCalls(t *testing.T) {
	rows := []struct{ want, item string }{
		{`shell_command {"command":"ls"} /w `, `{"type":"function_call","name":"shell_command","arguments":"{\"command\":\"ls\"}"}`},
		{`shell {"command":"ls -l"} /w bash`, `{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls -l\"]}"}`},
		{`shell {"command":"ls -l"} /w zsh`, `{"type":"function_call","name":"shell","arguments":"{\"command\":[\"/bin/zsh\",\"-c\",\"ls -l\"]}"}`},
		{`shell {"command":["./bash","-lc","ls"]} /w `, `{"type":"function_call","name":"shell","arguments":"{\"command\":[\"./bash\",\"-lc\",\"ls\"]}"}`},
		{`shell {"command":["git","push"]} /w `, `{"type":"function_call","name":"shell","arguments":"{\"command\":[\"git\",\"push\"]}"}`},
		{`exec_command {"cmd":"ls","shell":"/bin/zsh","workdir":"x"} /w `, `{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\",\"workdir\":\"x\",\"shell\":\"/bin/zsh\"}"}`},
		{`exec_command {"cmd":"ls","workdir":"/y"} /w `, `{"type":"function_call","name":"exec_command","arguments":{"cmd":"ls","workdir":"/y"}}`},
		{`local_shell {"command":"ls","type":"exec","working_directory":"/y"} /w sh`, `{"type":"local_shell_call","action":{"type":"exec","command":["sh","-c","ls"],"working_directory":"/y"}}`},
		{`apply_patch {"input":"*** Begin Patch"} /w `, `{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch"}`},
		{`write_stdin {"chars":"y","session_id":"7"} /w `, `{"type":"function_call","name":"write_stdin","arguments":"{\"session_id\":7,\"chars\":\"y\"}"}`},
		{`mcp__gh__list {} /w `, `{"type":"function_call","name":"list","namespace":"mcp__gh__","arguments":"{}"}`},
		{`spawn_agent {} /w `, `{"type":"function_call","name":"spawn_agent","namespace":"functions","arguments":"{}"}`},
		{`web_search {"query":"x"} /w `, `{"type":"web_search_call","action":{"type":"search","query":"x"}}`},
		{`fetch {"url":"https://x"} /w `, `{"type":"web_search_call","action":{"type":"open_page","url":"https://x"}}`},
		{"", `{"type":"reasoning"}`},
		{"", `{"type":"tool_search_call"}`},
		{"error", `{"type":"function_call","arguments":"{}"}`},
		{"error", `{"type":"function_call","name":"x","arguments":"[]"}`},
		{"error", `{"type":"function_call","name":"x","arguments":"{\"a\":1,\"A\":2}"}`},
		{"error", `{"type":"custom_tool_call","name":"x"}`},
		{"error", `{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls \ud800\"}"}`},
		{"error", `{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls \\ud800\"}"}`},
		{"error", `{"type":"web_search_call"}`},
		{"error", `{"type":"new_call"}`},
		{"error", `{"type":"new"}`},
	}
	for _, r := range rows {
		p := &codex{session: "s", dir: "/w"}
		got := ""
		err := p.parse(fmt.Appendf(nil, `{"type":"response_item","payload":%s}`, r.item), func(e event) {
			input, _ := json.Marshal(e.call.Input)
			got = fmt.Sprintf("%s %s %s %s", e.call.Tool, input, e.call.Dir, e.call.Shell)
		})
		if err != nil {
			got = "error"
		}
		if got != r.want {
			t.Errorf("%s: got %s (%v), want %s", r.item, got, err, r.want)
		}
	}
}

// TestOutput shows that a result is compared without the time that it took.
func TestOutput(t *testing.T) {
	rows := []struct{ a, b string }{
		{`"Chunk ID: 1\nWall time: 0.1 seconds\nOutput:\nx"`, `"Chunk ID: 2\nWall time: 0.2 seconds\nOutput:\nx"`},
		{`"{\"output\":\"x\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}"`, `"{\"output\":\"x\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.2}}"`},
		{`[{"type":"input_text","text":"x"}]`, `"x"`},
	}
	for _, r := range rows {
		if a, b := output(json.RawMessage(r.a)), output(json.RawMessage(r.b)); string(a) != string(b) {
			t.Errorf("%s: %q, %s: %q", r.a, a, r.b, b)
		}
	}
	a := output(json.RawMessage(`"{\"output\":\"x\",\"metadata\":{\"exit_code\":0}}"`))
	b := output(json.RawMessage(`"{\"output\":\"x\",\"metadata\":{\"exit_code\":1}}"`))
	if string(a) == string(b) {
		t.Errorf("the exit code makes no difference: %q", a)
	}
}
