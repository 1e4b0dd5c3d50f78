package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/reviewer/wire"
)

const schema = `{"type":"object"}`

// A standIn answers as it is told, and keeps what it was asked.
type standIn struct {
	*httptest.Server
	bodies  []map[string]any
	headers []http.Header
}

func answering(t *testing.T, answers ...http.HandlerFunc) *standIn {
	s := &standIn{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		body["path"] = r.URL.Path
		s.bodies, s.headers = append(s.bodies, body), append(s.headers, r.Header)
		answers[min(len(s.bodies), len(answers))-1](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func text(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func (s *standIn) ask(t *testing.T, k wire.Kind) (wire.Answer, error) {
	t.Helper()
	base := s.URL
	if k == wire.OpenAI {
		base += "/v1/"
	}
	c, err := wire.New(k, wire.Options{URL: base, Key: "sk-secret"})
	if err != nil {
		t.Fatal(err)
	}
	return c.Ask(t.Context(), &wire.Question{
		Model: "m", System: "judge", Turns: []wire.Turn{{Text: "one"}, {Model: true, Text: "two"}, {Text: "three"}},
		Schema: json.RawMessage(schema), MaxTokens: 400,
	})
}

func TestOpenAI(t *testing.T) {
	s := answering(t, text(200, `{"model":"m-1","more":1,"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"{}"}}],
		"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":64}}}`))
	a, err := s.ask(t, wire.OpenAI)
	if want := (wire.Answer{Text: "{}", Model: "m-1", In: 100, Out: 7, Cached: 64}); err != nil || a != want {
		t.Errorf("%+v, %v", a, err)
	}
	got, _ := json.Marshal(s.bodies[0])
	want := `{"max_tokens":400,"messages":[{"content":"judge","role":"system"},{"content":"one","role":"user"},{"content":"two","role":"assistant"},{"content":"three","role":"user"}],"model":"m","path":"/v1/chat/completions","response_format":{"json_schema":{"name":"verdict","schema":{"type":"object"},"strict":true},"type":"json_schema"},"stream":false,"temperature":0}`
	if string(got) != want {
		t.Errorf("asked %s", got)
	}
	if s.headers[0].Get("Authorization") != "Bearer sk-secret" {
		t.Errorf("headers: %v", s.headers[0])
	}
}

func TestAnthropic(t *testing.T) {
	s := answering(t, text(200, `{"model":"c-1","stop_reason":"end_turn","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"{}"}],
		"usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":70,"output_tokens":5}}`))
	a, err := s.ask(t, wire.Anthropic)
	if want := (wire.Answer{Text: "{}", Model: "c-1", In: 100, Out: 5, Cached: 70}); err != nil || a != want {
		t.Errorf("%+v, %v", a, err)
	}
	got, _ := json.Marshal(s.bodies[0])
	want := `{"max_tokens":400,"messages":[{"content":[{"text":"one","type":"text"}],"role":"user"},{"content":[{"text":"two","type":"text"}],"role":"assistant"},{"content":[{"text":"three","type":"text"}],"role":"user"}],"model":"m","output_config":{"effort":"low","format":{"schema":{"type":"object"},"type":"json_schema"}},"path":"/v1/messages","system":[{"cache_control":{"type":"ephemeral"},"text":"judge","type":"text"}]}`
	if string(got) != want {
		t.Errorf("asked %s", got)
	}
	if h := s.headers[0]; h.Get("X-Api-Key") != "sk-secret" || h.Get("Anthropic-Version") != "2023-06-01" || h.Get("Authorization") != "" {
		t.Errorf("headers: %v", h)
	}
}

// A model that did not answer is no failure of its server, and what it cost is told.
func TestNoAnswer(t *testing.T) {
	openai := func(choice string) string {
		return `{"choices":[` + choice + `],"usage":{"prompt_tokens":3,"completion_tokens":2}}`
	}
	claude := func(stop, content string) string {
		return `{"stop_reason":` + stop + `,"content":` + content + `,"usage":{"input_tokens":3,"output_tokens":2}}`
	}
	some := `[{"type":"text","text":"{}"}]`
	for _, row := range []struct {
		kind      wire.Kind
		body, why string
	}{
		{wire.OpenAI, openai(`{"finish_reason":"stop","message":{"refusal":"I cannot","content":null}}`), "refused"},
		{wire.OpenAI, openai(`{"finish_reason":"stop","message":{"refusal":"I cannot","content":"{}"}}`), "refused"},
		{wire.OpenAI, openai(`{"finish_reason":"length","message":{"content":"{\"risk\":\"low\""}}`), "cut short"},
		{wire.OpenAI, openai(`{"finish_reason":"content_filter","message":{"content":"{}"}}`), "filter"},
		{wire.OpenAI, openai(`{"finish_reason":"tool_calls","message":{"content":"{}"}}`), "before its answer was whole"},
		{wire.OpenAI, openai(`{"message":{"content":"{}"}}`), "before its answer was whole"},
		{wire.OpenAI, openai(`{"finish_reason":"stop","message":{}}`), "said nothing"},
		{wire.OpenAI, openai(`{"finish_reason":"stop","message":{"content":"{}","tool_calls":[{"type":"function"}]}}`), "called a tool"},
		{wire.Anthropic, claude(`"refusal"`, some), "refused"},
		{wire.Anthropic, claude(`"max_tokens"`, some), "cut short"},
		{wire.Anthropic, claude(`"model_context_window_exceeded"`, some), "cut short"},
		{wire.Anthropic, claude(`"tool_use"`, some), "before its answer was whole"},
		{wire.Anthropic, claude(`"pause_turn"`, some), "before its answer was whole"},
		{wire.Anthropic, claude(`null`, some), "before its answer was whole"},
		{wire.Anthropic, claude(`"end_turn"`, `[]`), "said nothing"},
		{wire.Anthropic, claude(`"end_turn"`, `[{"type":"text","text":"{}"},{"type":"tool_use","name":"f"}]`), "called a tool"},
	} {
		a, err := answering(t, text(200, row.body)).ask(t, row.kind)
		if no, ok := errors.AsType[*wire.NoAnswer](err); !ok || !strings.Contains(no.Why, row.why) || a.Text != "" || a.In != 3 || a.Out != 2 {
			t.Errorf("%s: %+v, %v", row.body, a, err)
		}
	}
}

// A response with two meanings has none: a yes beside an error, two members of one
// name, words of somebody else. What servers send beside an answer stays harmless.
func TestOneMeaning(t *testing.T) {
	openai := func(more, message string) string {
		return `{` + more + `"choices":[{"finish_reason":"stop","message":{` + message + `"content":"{}"}}]}`
	}
	claude := func(more string) string {
		return `{` + more + `"stop_reason":"end_turn","content":[{"type":"text","text":"{}"}]}`
	}
	for _, row := range []struct {
		kind wire.Kind
		body string
		good bool
	}{
		{wire.OpenAI, openai("", ""), true},
		{wire.OpenAI, openai(`"error":null,`, `"role":"assistant","tool_calls":[],"refusal":null,`), true},
		{wire.OpenAI, openai(`"error":{"message":"overloaded"},`, ""), false},
		{wire.OpenAI, openai(`"error":"overloaded",`, ""), false},
		{wire.OpenAI, openai(`"choices":[],`, ""), false},
		{wire.OpenAI, openai("", `"content":"{\"risk\":\"critical\"}",`), false},
		{wire.OpenAI, openai("", `"role":"user",`), false},
		{wire.OpenAI, openai("", "") + "{}", false},
		{wire.Anthropic, claude(""), true},
		{wire.Anthropic, claude(`"error":{"type":"overloaded_error"},`), false},
		{wire.Anthropic, claude(`"content":[],`), false},
		{wire.Anthropic, claude(`"stop_reason":"refusal",`), false},
	} {
		a, err := answering(t, text(200, row.body)).ask(t, row.kind)
		if (err == nil) != row.good || (a.Text == "{}") != row.good {
			t.Errorf("%s: %+v, %v", row.body, a, err)
		}
		if err != nil && strings.Contains(row.body, "overloaded") && !strings.Contains(err.Error(), "overloaded") {
			t.Errorf("%s: %v does not say what the server says", row.body, err)
		}
	}
}

// What a server may do wrong is an error, and none has an answer or the key in it.
func TestBadServers(t *testing.T) {
	stream := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		io.WriteString(w, "data: {\"choices\":[]}\n\n")
	}
	breaks := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, `{"choices":[`)
	}
	huge := func(w http.ResponseWriter, _ *http.Request) {
		for range 2 << 10 {
			if _, err := io.WriteString(w, strings.Repeat(" ", 1<<10)); err != nil {
				return
			}
		}
	}
	for name, row := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"a stream":       {stream, "streams"},
		"half an answer": {breaks, "broke off"},
		"a huge answer":  {huge, "more than 1048576 bytes"},
		"no JSON":        {text(200, "<html>"), "not in the form of the API"},
		"an empty body":  {text(200, ""), "not in the form of the API"},
		"an array":       {text(200, "[]"), "not in the form of the API"},
		"two choices":    {text(200, `{"choices":[{},{}]}`), "not in the form of the API"},
		"no choice":      {text(200, `{}`), "not in the form of the API"},
		"an error":       {text(200, `{"error":{"message":"no sk-secret\u001b[2J"}}`), "tells of an error: no … [2J"},
		"401":            {text(401, `{"error":{"message":"Incorrect API key provided: sk-secret"}}`), "401 Unauthorized: Incorrect API key provided: …"},
		"429":            {text(429, `{"type":"error","error":{"type":"rate_limit_error","message":"slow\u001b[2J down"}}`), "429 Too Many Requests: slow [2J down"},
		"500":            {text(500, strings.Repeat("x", 9000)), "500 Internal Server Error: xxx"},
		"no content":     {text(204, ""), "204"},
	} {
		a, err := answering(t, row.answer).ask(t, wire.OpenAI)
		if err == nil || a.Text != "" || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "sk-secret") || len(err.Error()) > 500 {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

// No call goes to another server than the one in the settings.
func TestRedirects(t *testing.T) {
	other := answering(t, text(200, `{}`))
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := answering(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/v1/chat/completions", status)
		})
		if _, err := s.ask(t, wire.OpenAI); err == nil || !strings.Contains(err.Error(), "not followed") {
			t.Errorf("%d: %v", status, err)
		}
	}
	if len(other.bodies) != 0 {
		t.Errorf("the other server was asked: %v", other.bodies)
	}
}

// A parameter that a server refuses by name is left out, from then on.
func TestRefusedParameters(t *testing.T) {
	ok := text(200, `{"choices":[{"finish_reason":"stop","message":{"content":"{}"}}]}`)
	s := answering(t,
		text(400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`),
		text(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model."}}`),
		text(422, `{"detail":"response_format: extra fields not permitted","error":"response_format: extra fields not permitted"}`), ok)
	if a, err := s.ask(t, wire.OpenAI); err != nil || a.Text != "{}" {
		t.Fatalf("%+v, %v", a, err)
	}
	last := s.bodies[3]
	if last["max_completion_tokens"] != 400.0 || last["max_tokens"] != nil || last["temperature"] != nil || last["response_format"] != nil {
		t.Errorf("the last body: %v", last)
	}
	s = answering(t, text(400, `{"error":{"message":"output_config.effort: Extra inputs are not permitted"}}`),
		text(200, `{"stop_reason":"end_turn","content":[{"type":"text","text":"{}"}]}`))
	if _, err := s.ask(t, wire.Anthropic); err != nil || fmt.Sprint(s.bodies[1]["output_config"]) != "map[format:map[schema:map[type:object] type:json_schema]]" {
		t.Errorf("%v, %v", s.bodies, err)
	}
	s = answering(t, text(400, `{"error":{"message":"max_tokens max_completion_tokens temperature response_format"}}`))
	if _, err := s.ask(t, wire.OpenAI); err == nil || len(s.bodies) > 5 {
		t.Errorf("a server that refuses everything was asked %d times: %v", len(s.bodies), err)
	}
}

// The deadline of who asks holds against a server that hangs.
func TestHangs(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-release
	}))
	defer s.Close()
	defer close(release)
	c, err := wire.New(wire.OpenAI, wire.Options{URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if _, err = c.Ask(ctx, &wire.Question{}); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > 5*time.Second {
		t.Errorf("%v after %s", err, time.Since(begun))
	}
}

func TestURLs(t *testing.T) {
	for _, row := range []struct {
		url string
		key bool
		bad string
	}{
		{"https://api.openai.com/v1", true, ""},
		{"http://127.0.0.1:11434/v1", false, ""},
		{"http://[::1]:8080", true, ""},
		{"http://localhost:11434/v1", true, ""},
		{"http://192.168.1.7:8000/v1", false, ""},
		{"http://192.168.1.7:8000/v1", true, "the key in the clear"},
		{"http://models.example.com/v1", false, "calls in the clear"},
		{"http://127.0.0.1.example.com", false, "calls in the clear"},
		{"ftp://127.0.0.1", false, "not the base"},
		{"api.openai.com", false, "not the base"},
		{"https://", false, "not the base"},
		{"https://key@api.openai.com", false, "with a user"},
		{"https://api.openai.com?key=x", false, "with a user"},
	} {
		err := wire.CheckURL(row.url, row.key)
		if (err == nil) != (row.bad == "") || err != nil && !strings.Contains(err.Error(), row.bad) {
			t.Errorf("%s: %v", row.url, err)
		}
	}
	if _, err := wire.New("gemini", wire.Options{}); err == nil {
		t.Error("a kind that does not exist")
	}
}
