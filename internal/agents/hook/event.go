package hook

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Read reads one event. It is strict where there is a call to decide: a key
// that stands twice or differs from another only in case, a wrong type, or a
// missing field is an error. getenv may be nil. Beside an error the event, if
// it is not nil, has the name that could be read.
func (a *Agent) Read(data []byte, getenv func(string) string) (*Event, error) {
	name := eventName(data)
	e := &Event{Name: name}
	switch a.events.kind(name) {
	case unknown:
		if len(bytes.TrimSpace(data)) == 0 {
			return e, errors.New("standard input is empty")
		}
		return e, a.stranger(name)
	case silent:
		return e, nil
	case turn:
		e.told = true
	case prompt:
		e.Follows, e.decidable = true, true
	case before:
		e.decidable = true
	}
	m, err := policy.DecodeObject(data)
	if err != nil {
		return e, fmt.Errorf("the %s event: %w", name, err)
	}
	if err := a.fill(e, m, getenv); err != nil {
		return e, fmt.Errorf("the %s event: %w", name, err)
	}
	return e, nil
}

func (a *Agent) stranger(name string) error {
	if name == "" {
		return fmt.Errorf("the event has no name: \"hook_event_name\" must appear exactly once; register the hook of %s for %s", a.Title, a.known())
	}
	return fmt.Errorf("%q is not an event that policyctl answers: register the hook of %s for %s", name, a.Title, a.known())
}

func (a *Agent) fill(e *Event, m map[string]any, getenv func(string) string) error {
	f := fields{m: m}
	session := f.required("session_id")
	e.Subagent = f.text("agent_id")
	e.Transcript = f.text("transcript_path")
	e.Mode = f.text("permission_mode")
	e.headless = a.isHeadless(getenv)
	e.Attended = a.in(e.Mode, e.headless).asks
	e.Call = policy.Call{Agent: a.Name, Subagent: f.text("agent_type"), Session: session, Dir: f.text("cwd"), GuardsSubagents: a.subagents}
	e.NewTurn = e.told && strings.TrimSpace(f.text("prompt")) != ""
	if !e.decidable {
		return f.err
	}
	e.DialogFirst = a.answers.dialogFirst
	tool := f.required("tool_name")
	if a.tellsServer {
		tool = f.ofServer(tool)
	}
	input := f.object("tool_input")
	if !e.Follows {
		e.Call.ID = f.id()
	}
	if f.err != nil {
		return f.err
	}
	if len(tool) > maxName {
		return fmt.Errorf("\"tool_name\" is longer than %d bytes", maxName)
	}
	return e.set(a, tool, input)
}

// maxName bounds the name of a tool, which answers repeat.
const maxName = 256

// fields reads the fields of an event and keeps the first error.
type fields struct {
	m   map[string]any
	err error
}

func (f *fields) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// text returns a field, "" where it is missing or null.
func (f *fields) text(key string) string {
	v, ok := f.m[key]
	if !ok || v == nil {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		f.fail(fmt.Errorf("%q must be a string", key))
	}
	return s
}

func (f *fields) required(key string) string {
	s := f.text(key)
	if s == "" {
		f.fail(fmt.Errorf("%q is missing", key))
	}
	return s
}

func (f *fields) object(key string) map[string]any {
	m, ok := f.m[key].(map[string]any)
	if !ok {
		f.fail(fmt.Errorf("%q must be an object", key))
	}
	return m
}

// ofServer returns the one name of a tool of an MCP server, where the event says which
// server has it.
func (f *fields) ofServer(tool string) string {
	if f.m["mcp_context"] == nil {
		return tool
	}
	c := fields{m: f.object("mcp_context")}
	server, own := c.required("server_name"), c.required("tool_name")
	if c.err != nil {
		f.fail(fmt.Errorf("mcp_context: %w", c.err))
	}
	return mcpPrefix + server + mcpMiddle + own
}

// id returns the id of the call, which Qwen Code may give as tool_call_id.
func (f *fields) id() string {
	if id := f.text("tool_use_id"); id != "" {
		return id
	}
	return f.text("tool_call_id")
}
