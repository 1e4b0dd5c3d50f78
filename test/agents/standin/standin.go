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
	"net/http"
	"slices"
	"strings"
	"sync"
)

// ChildMark stands in the task of a sub-agent. A conversation whose first words
// hold it follows the child's script.
const ChildMark = "standin-child"

// Done is what the model says once its script has ended.
const Done = "The script has ended."

// A Call is one use of a tool by the model.
type Call struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// A Script is what the model does: one call a turn, and then a closing text.
type Script struct {
	Main  []Call `json:"main"`
	Child []Call `json:"child"`
}

// A Server is an [http.Handler] with a script. The zero value has none and only
// says that it is done.
type Server struct {
	mu      sync.Mutex
	script  Script
	results []string
	offered []string
	strange []string
}

// Play sets the script and forgets what was seen.
func (s *Server) Play(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script, s.results, s.offered, s.strange = script, nil, nil, nil
}

// Results returns what the agent has sent as results of tools, in order.
func (s *Server) Results() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.results)
}

// Offered returns the names of the tools that the agent has offered.
func (s *Server) Offered() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.offered)
}

// Strange returns the requests that no protocol of the server covers.
func (s *Server) Strange() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.strange)
}

// A request is what the protocols have in common.
type request struct {
	model  string
	stream bool
	prompt string // the first words of the user, with their surroundings
	// results are the results of tools so far. Their number is the turn.
	results []string
	// tools are those offered, each with its kind.
	tools map[string]string
}

// offers reports whether the agent lets the model use a tool. Side questions, such as
// that for a title, do not.
func (r request) offers(tool string) bool { _, ok := r.tools[tool]; return ok }

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
		s.other(w, r)
		return
	}
	req := p.read(r.URL.Path, m)
	p.write(w, req, s.next(req))
}

// other answers what agents ask beside their model.
func (s *Server) other(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/models"):
		writeJSON(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": "standin", "object": "model"}}})
	case strings.HasSuffix(r.URL.Path, "count_tokens"), strings.HasSuffix(r.URL.Path, ":countTokens"):
		writeJSON(w, map[string]any{"input_tokens": 10, "totalTokens": 10})
	default:
		s.mu.Lock()
		s.strange = append(s.strange, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		http.NotFound(w, r)
	}
}

// next returns what the script says in the turn of a request, and keeps its results.
func (s *Server) next(r request) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls, name := s.script.Main, "main"
	if strings.Contains(r.prompt, ChildMark) {
		calls, name = s.script.Child, "child"
	}
	s.note(r)
	turn := len(r.results)
	if turn >= len(calls) || !r.offers(calls[turn].Tool) {
		return answer{text: Done}
	}
	c := calls[turn]
	return answer{id: fmt.Sprintf("call_%s_%d", name, turn), call: &c, kind: r.tools[c.Tool]}
}

func (s *Server) note(r request) {
	for name := range r.tools {
		if !slices.Contains(s.offered, name) {
			s.offered = append(s.offered, name)
		}
	}
	slices.Sort(s.offered)
	if len(r.results) > 0 {
		s.results = append(s.results, r.results[len(r.results)-1])
	}
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
