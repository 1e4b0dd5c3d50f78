package replay

import (
	"encoding/json"
	"fmt"
	"time"
)

// copilot parses the events of a session of Copilot CLI, as they lie below
// ~/.copilot/session-state.
type copilot struct {
	session string
	dir     string
}

// A copilotEvent is one line.
type copilotEvent struct {
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	AgentID   string          `json:"agentId"`
	Data      json.RawMessage `json:"data"`
}

// copilotData is what the events have that matter here.
type copilotData struct {
	SessionID  string               `json:"sessionId"`
	Dir        string               `json:"cwd"`
	Context    struct{ Cwd string } `json:"context"`
	CallID     string               `json:"toolCallId"`
	Tool       string               `json:"toolName"`
	Arguments  json.RawMessage      `json:"arguments"`
	Server     string               `json:"mcpServerName"`
	ServerTool string               `json:"mcpToolName"`
	Parent     string               `json:"parentToolCallId"`
	Content    string               `json:"content"`
	Source     string               `json:"source"`
	Autopilot  bool                 `json:"isAutopilotContinuation"`
	Result     json.RawMessage      `json:"result"`
}

func (p *copilot) parse(line []byte, tell func(event)) error {
	var e copilotEvent
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("not a line of Copilot CLI: %w", err)
	}
	switch e.Type {
	case "session.start", "session.resume", "session.context_changed", "user.message", "tool.execution_start", "tool.execution_complete":
	default:
		return nil // there are many, and no other is a call
	}
	var d copilotData
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return fmt.Errorf("an event %s of Copilot CLI that is unknown: %w", e.Type, err)
	}
	for _, dir := range []string{d.Dir, d.Context.Cwd} {
		if dir != "" && d.CallID == "" {
			p.dir = dir
		}
	}
	if e.Type == "session.start" && d.SessionID != "" {
		p.session = d.SessionID
	}
	return p.tell(&e, &d, tell)
}

func (p *copilot) tell(e *copilotEvent, d *copilotData, tell func(event)) error {
	ev := event{session: p.session, thread: p.session, id: d.CallID} // which some models count from 1
	if of := e.AgentID + d.Parent; of != "" {
		ev.thread += "/" + of
	}
	switch e.Type {
	case "user.message":
		if ev.kind = spoke; d.Autopilot || d.Source != "" && d.Source != "user" || !isHuman(d.Content) {
			return nil
		}
	case "tool.execution_complete":
		ev.kind, ev.result = answered, d.Result
	case "tool.execution_start":
		name := d.Tool
		if d.Server != "" && d.ServerTool != "" {
			name = "mcp__" + d.Server + "__" + d.ServerTool
		}
		c, err := decode(name, unquoted(d.Arguments))
		if err != nil {
			return err
		}
		c.ID, c.Dir, c.Session, c.Agent = d.CallID, p.dir, p.session, "copilot"
		if t, err := time.Parse(time.RFC3339, e.Timestamp); err == nil {
			c.Time = t
		}
		ev.call = c
	default:
		return nil
	}
	tell(ev)
	return nil
}
