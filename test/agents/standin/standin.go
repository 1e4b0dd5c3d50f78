// Package standin is a model server that answers by a script instead of a
// model. It speaks the protocols with which coding agents ask their models:
// Anthropic's messages, OpenAI's responses and chat completions, and Gemini's
// generateContent, streamed or whole. It keeps what agents send back as results
// of tools, so that a test can see what a model would have been told.
//
// It knows nothing of policies and checks no request: what an agent sends
// needs only the fields that are read here.
package standin

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// ChildMark stands in the task of a sub-agent. A conversation whose first words
// hold it follows the child's script.
const ChildMark = "standin-child"

// Model is the name of the only model.
const Model = "standin"

// Page is the path of a page for tools that fetch one.
const Page = "/page"

// Done is what the model says once its script has ended.
const Done = "The script has ended."

// A Call is one use of a tool by the model, under a name for the test.
type Call struct {
	Name string
	Tool string
	Args map[string]any
	// Deferred says that the agent has told of the tool in a result, and takes calls of
	// it without offering it.
	Deferred bool
}

// A Script is what the model does: one call a turn, and then a closing text.
// Calls of tools that the agent does not offer are left out.
type Script struct {
	Main  []Call
	Child []Call // in conversations with [ChildMark]
}

// A Server is an [http.Handler] with a script. The zero value has none and only
// says that it is done.
type Server struct {
	mu      sync.Mutex
	script  Script
	offered map[string]bool
	made    map[string]bool
	heard   map[string]string
}

// Play sets the script and forgets what was seen.
func (s *Server) Play(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
	s.offered, s.made, s.heard = map[string]bool{}, map[string]bool{}, map[string]string{}
}

// Offered returns the tools that the agent has let the model use, in order.
func (s *Server) Offered() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.offered))
}

// Made reports whether the model has made the call with a name.
func (s *Server) Made(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made[name]
}

// Heard returns what the agent has sent back as the result of a call; ok is
// false if the model has heard nothing.
func (s *Server) Heard(name string) (result string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	result, ok = s.heard[name]
	return result, ok
}

// A request is what the protocols have in common.
type request struct {
	model  string
	stream bool
	prompt string // what the user has said, with what the agent says around it
	// results are the results of tools so far. Their number is the turn.
	results []string
	// tools are those offered, each with its kind.
	tools map[string]string
}

// takes reports whether the agent takes a call in a conversation with these tools.
func (r *request) takes(c Call) bool {
	if c.Deferred {
		return len(r.tools) > 0
	}
	return r.tools[c.Tool] != ""
}

// An answer is a call or, without one, a text.
type answer struct {
	id   string
	call *Call
	// kind is that of the called tool, where the protocol has several.
	kind string
	text string
}

func (a answer) arguments() string {
	b, _ := json.Marshal(a.call.Args)
	return string(b)
}

// A protocol reads a request and writes the answer to it.
type protocol struct {
	read  func(path string, body map[string]any) request
	write func(w http.ResponseWriter, r request, a answer)
}

func protocolOf(path string) (protocol, bool) {
	for _, row := range []struct {
		end string
		protocol
	}{
		{"/messages", protocol{readAnthropic, writeAnthropic}},
		{"/responses", protocol{readResponses, writeResponses}},
		{"/chat/completions", protocol{readChat, writeChat}},
		{":streamGenerateContent", protocol{readGemini, writeGemini}},
		{":generateContent", protocol{readGemini, writeGemini}},
	} {
		if strings.HasSuffix(path, row.end) {
			return row.protocol, true
		}
	}
	return protocol{}, false
}

// ServeHTTP answers one request of an agent.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m map[string]any
	_ = json.Unmarshal(body, &m) // what is no object has no fields
	p, ok := protocolOf(r.URL.Path)
	if !ok {
		other(w, r)
		return
	}
	req := p.read(r.URL.Path, m)
	p.write(w, req, s.next(req))
}

// other answers what agents ask beside their model.
func other(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/models"):
		model := map[string]any{"id": Model, "object": "model"}
		writeJSON(w, map[string]any{"object": "list", "data": []any{model}})
	case strings.HasSuffix(r.URL.Path, "count_tokens"), strings.HasSuffix(r.URL.Path, ":countTokens"):
		writeJSON(w, map[string]any{"input_tokens": 10, "totalTokens": 10})
	case r.URL.Path == Page:
		fmt.Fprintln(w, "A page.")
	default:
		http.NotFound(w, r)
	}
}

// next returns what the script says in the turn of a request, and keeps what
// the model has heard.
func (s *Server) next(r request) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls, id := s.script.Main, "main"
	if strings.Contains(r.prompt, ChildMark) {
		calls, id = s.script.Child, "child"
	}
	// Side questions, such as that for a title, offer none of the tools.
	calls = slices.DeleteFunc(slices.Clone(calls), func(c Call) bool { return !r.takes(c) })
	for tool := range r.tools {
		s.offered[tool] = true
	}
	turn := len(r.results)
	for i, c := range calls[:min(turn, len(calls))] {
		s.heard[c.Name] = r.results[i]
	}
	if turn >= len(calls) {
		return answer{text: Done}
	}
	c := calls[turn]
	s.made[c.Name] = true
	return answer{id: fmt.Sprintf("call_%s_%d", id, turn), call: &c, kind: r.tools[c.Tool]}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // an agent that has gone needs no answer
}

// A stream writes server-sent events.
type stream struct{ w http.ResponseWriter }

func newStream(w http.ResponseWriter) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	return stream{w}
}

// send writes an event; name may be empty.
func (s stream) send(name string, v any) {
	if name != "" {
		fmt.Fprintf(s.w, "event: %s\n", name)
	}
	b, _ := json.Marshal(v)
	fmt.Fprintf(s.w, "data: %s\n\n", b)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}
