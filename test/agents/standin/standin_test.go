package standin

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

var script = Script{
	Main:  []Call{{Name: "first", Tool: "run", Args: map[string]any{"command": "ls"}}, {Name: "odd", Tool: "unknown"}},
	Child: []Call{{Name: "nested", Tool: "run", Args: map[string]any{"command": "pwd"}}},
}

// protocols have a request with a prompt and then one with the result of a call.
var protocols = []struct{ path, asked, answered string }{
	{"/v1/messages",
		`{"stream":STREAM,"tools":[{"name":"run"}],"messages":[{"role":"user","content":"PROMPT"}]}`,
		`{"stream":STREAM,"tools":[{"name":"run"}],"messages":[{"role":"user","content":"PROMPT"},{"role":"assistant"},
		 {"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"RESULT"}]}]}]}`},
	{"/v1/chat/completions",
		`{"stream":STREAM,"tools":[{"function":{"name":"run"}}],"messages":[{"role":"user","content":"PROMPT"}]}`,
		`{"stream":STREAM,"tools":[{"function":{"name":"run"}}],"messages":[{"role":"user","content":"PROMPT"},{"role":"tool","content":"RESULT"}]}`},
	{"/v1/responses",
		`{"stream":STREAM,"tools":[{"type":"function","name":"run"}],"input":[{"role":"user","content":[{"type":"input_text","text":"PROMPT"}]}]}`,
		`{"stream":STREAM,"tools":[{"type":"function","name":"run"}],"input":[{"role":"user","content":"PROMPT"},{"type":"function_call_output","output":"RESULT"}]}`},
	{"/v1beta/models/m:METHOD",
		`{"tools":[{"functionDeclarations":[{"name":"run"}]}],"contents":[{"role":"user","parts":[{"text":"PROMPT"}]}]}`,
		`{"tools":[{"functionDeclarations":[{"name":"run"}]}],"contents":[{"role":"user","parts":[{"text":"PROMPT"}]},
		 {"role":"user","parts":[{"functionResponse":{"response":{"output":"RESULT"}}}]}]}`},
}

func TestServer(t *testing.T) {
	for _, p := range protocols {
		for _, stream := range []string{"false", "true"} {
			t.Run(p.path+" "+stream, func(t *testing.T) {
				s := &Server{}
				s.Play(script)
				post := func(body, prompt string) string {
					method := map[string]string{"true": "streamGenerateContent", "false": "generateContent"}[stream]
					body = strings.NewReplacer("STREAM", stream, "PROMPT", prompt, "RESULT", "was denied").Replace(body)
					return send(t, s, strings.Replace(p.path, "METHOD", method, 1), body)
				}
				if got := post(p.asked, "hello"); !strings.Contains(got, `ls`) || !s.Made("first") || s.Made("nested") {
					t.Errorf("the first turn calls no ls: %s", got)
				}
				if got := post(p.answered, "hello"); !strings.Contains(got, Done) {
					t.Errorf("the second turn does not end: %s", got)
				}
				if got, _ := s.Heard("first"); !strings.Contains(got, "was denied") {
					t.Errorf("the model heard %q", got)
				}
				if _, ok := s.Heard("odd"); ok || s.Made("odd") {
					t.Error("a tool that is not offered was called")
				}
				if got := post(p.asked, ChildMark+": go"); !strings.Contains(got, `pwd`) {
					t.Errorf("the child calls no pwd: %s", got)
				}
			})
		}
	}
}

func send(t *testing.T, s *Server, path, body string) string {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	out, _ := io.ReadAll(w.Body)
	for event := range strings.SplitSeq(string(out), "\n") {
		if data, ok := strings.CutPrefix(event, "data: "); ok && data != "[DONE]" && !json.Valid([]byte(data)) {
			t.Errorf("an event is no JSON: %s", data)
		}
	}
	return string(out)
}

// TestNamespaces shows the tools that Codex offers inside the conversation.
func TestNamespaces(t *testing.T) {
	s := &Server{}
	s.Play(Script{Main: []Call{{Name: "code", Tool: "functions.exec", Args: map[string]any{"input": "run()"}}}})
	got := send(t, s, "/v1/responses", `{"input":[{"role":"user","content":"hello"},
		{"type":"additional_tools","tools":[{"type":"namespace","name":"functions","tools":[{"type":"custom","name":"exec"}]}]}]}`)
	for _, want := range []string{`"type":"custom_tool_call"`, `"namespace":"functions"`, `"name":"exec"`, `"input":"run()"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
}

// TestDeferred calls a tool that the agent has told of in a result, where it offers tools at
// all.
func TestDeferred(t *testing.T) {
	for tools, want := range map[string]string{`{"name":"run"}`: "hidden", ``: Done} {
		s := &Server{}
		s.Play(Script{Main: []Call{{Name: "late", Tool: "hidden", Deferred: true}}})
		if got := send(t, s, "/v1/messages", `{"tools":[`+tools+`],"messages":[{"role":"user","content":"hello"}]}`); !strings.Contains(got, want) {
			t.Errorf("%s: %s", tools, got)
		}
	}
}

func TestMCP(t *testing.T) {
	in := `{"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
{"method":"notifications/initialized"}
{"id":2,"method":"tools/list"}
{"id":3,"method":"tools/call","params":{"name":"price"}}
{"id":4,"method":"other"}
`
	var out bytes.Buffer
	var called []string
	if err := ServeMCP(strings.NewReader(in), &out, []string{"price"}, func(tool string) { called = append(called, tool) }); err != nil {
		t.Fatal(err)
	}
	if len(called) != 1 || called[0] != "price" {
		t.Errorf("called %v", called)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{`"protocolVersion":"2025-06-18"`, `"name":"price"`, `"42"`, `"error"`} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Fatalf("answer %d has no %s: %s", i, want, out.String())
		}
	}
}
