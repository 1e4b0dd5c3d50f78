package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// qwen parses a recorded chat of Qwen Code, as it lies below
// ~/.qwen/projects: the parts of its messages are those of Gemini.
type qwen struct {
	file string
}

// A qwenRecord is one line.
type qwenRecord struct {
	Type       string `json:"type"`
	Subtype    string `json:"subtype"`
	Provenance string `json:"provenance"`
	SessionID  string `json:"sessionId"`
	AgentID    string `json:"agentId"`
	Dir        string `json:"cwd"`
	Timestamp  string `json:"timestamp"`
	Message    struct {
		Parts []qwenPart `json:"parts"`
	} `json:"message"`
}

// A qwenPart is a part of a message.
type qwenPart struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought"`
	Call    *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	Result *struct {
		ID       string          `json:"id"`
		Response json.RawMessage `json:"response"`
	} `json:"functionResponse"`
}

func (p *qwen) parse(line []byte, tell func(event)) error {
	var r qwenRecord
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("not a line of Qwen Code: %w", err)
	}
	ev := event{session: r.SessionID}
	if ev.session == "" {
		ev.session = p.file
	}
	if ev.thread = ev.session; r.AgentID != "" {
		ev.thread += "/" + r.AgentID
	}
	var wrong error
	for i := range r.Message.Parts {
		if err := p.part(&r, &r.Message.Parts[i], ev, tell); err != nil {
			wrong = err
		}
	}
	return wrong
}

// part tells of a part of a message, if it is a call, a result or the user's.
func (p *qwen) part(r *qwenRecord, part *qwenPart, ev event, tell func(event)) error {
	switch {
	case part.Call != nil && r.Type == "assistant":
		name, args, err := unwrapped(part.Call.Name, part.Call.Args)
		if err != nil {
			return err
		}
		c, err := decode(name, args)
		if err != nil {
			return err
		}
		c.ID, c.Dir, c.Session, c.Agent = part.Call.ID, r.Dir, ev.session, "qwen"
		if t, err := time.Parse(time.RFC3339, r.Timestamp); err == nil {
			c.Time = t
		}
		ev.call, ev.id = c, c.ID // some models count their calls from 1
	case part.Result != nil && r.Type == "tool_result":
		ev.kind, ev.id, ev.result = answered, part.Result.ID, part.Result.Response
	case r.Type == "user" && r.Subtype == "" && !part.Thought && isHuman(part.Text):
		ev.kind = spoke
	default:
		return nil
	}
	tell(ev)
	return nil
}

// unwrapped returns the call inside of tool_call, which calls another tool.
func unwrapped(name string, args json.RawMessage) (string, json.RawMessage, error) {
	if name != "tool_call" {
		return name, args, nil
	}
	var inner struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(args, &inner); err != nil || inner.Name == "" {
		return "", nil, errors.New("a tool_call without a tool")
	}
	return inner.Name, unquoted(inner.Arguments), nil
}
