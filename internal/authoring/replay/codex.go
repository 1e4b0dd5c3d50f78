package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// codex parses a rollout of the Codex command line tool, as it lies below
// ~/.codex/sessions. A copied history brings the session of its origin along:
// the first one named is that of the file.
type codex struct {
	session string
	named   bool
	dir     string
}

// A codexLine is one line. In old rollouts the items stand without a payload.
type codexLine struct {
	Timestamp  string          `json:"timestamp"`
	Type       string          `json:"type"`
	Payload    json.RawMessage `json:"payload"`
	RecordType string          `json:"record_type"`
}

// A codexItem is a payload, of whatever type.
type codexItem struct {
	Type      string          `json:"type"`
	ID        json.RawMessage `json:"id"`
	Dir       string          `json:"cwd"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"`
	Arguments json.RawMessage `json:"arguments"`
	CallID    string          `json:"call_id"`
	Action    json.RawMessage `json:"action"`
	Input     json.RawMessage `json:"input"`
	Output    json.RawMessage `json:"output"`
}

func (p *codex) parse(line []byte, tell func(event)) error {
	var l codexLine
	if err := json.Unmarshal(line, &l); err != nil {
		return fmt.Errorf("not a line of Codex: %w", err)
	}
	bare := l.Payload == nil
	if bare {
		l.Payload = line
	}
	var item codexItem
	if err := json.Unmarshal(l.Payload, &item); err != nil {
		return fmt.Errorf("a payload of Codex that is unknown: %w", err)
	}
	if l.Type == "response_item" || bare && isItem(l.Type) {
		return p.item(&item, l.Timestamp, tell)
	}
	return p.other(&l, &item, bare, tell)
}

// other reads a line that is no item of the conversation.
func (p *codex) other(l *codexLine, item *codexItem, bare bool, tell func(event)) error {
	switch {
	case l.Type == "session_meta", bare && l.Type == "":
		p.meta(item)
	case l.Type == "turn_context":
		p.dir = cmp.Or(item.Dir, p.dir)
	case l.Type == "event_msg":
		if item.Type == "user_message" {
			tell(event{kind: spoke, session: p.session, thread: p.session})
		}
	case !strings.Contains(marks, " "+l.Type+" "):
		return fmt.Errorf("a line of Codex of the unknown type %q", clip.Text(l.Type, 40))
	}
	return nil
}

func (p *codex) meta(item *codexItem) {
	var id string
	if json.Unmarshal(item.ID, &id) == nil && id != "" && !p.named {
		p.session, p.named = id, true
	}
	if item.Dir != "" && p.dir == "" {
		p.dir = item.Dir
	}
}

// marks are the types of lines that hold no call.
const marks = " compacted inter_agent_communication inter_agent_communication_metadata token_usage_record world_state security_risk_score realtime_item "

// silent are the items that are no call of this machine.
const silent = " reasoning agent_message configuration_update compaction_trigger ghost_snapshot compaction compaction_summary context_compaction tool_search_call tool_search_output image_generation_call "

// isItem reports whether a type is one of the items of a conversation.
func isItem(kind string) bool {
	switch kind {
	case "message", "function_call", "function_call_output", "local_shell_call", "custom_tool_call", "custom_tool_call_output", "web_search_call":
		return true
	}
	return kind != "" && strings.Contains(silent, " "+kind+" ")
}

func (p *codex) item(item *codexItem, stamp string, tell func(event)) error {
	ev := event{session: p.session, thread: p.session, id: item.CallID, unique: item.CallID != ""}
	switch {
	case item.Type == "message":
		if ev.kind = spoke; item.Role == "user" && isHuman(words(item.Content)) {
			tell(ev)
		}
		return nil
	case item.Type == "function_call_output", item.Type == "custom_tool_call_output":
		ev.kind, ev.result = answered, output(item.Output)
		tell(ev)
		return nil
	case strings.Contains(silent, " "+item.Type+" "):
		return nil
	}
	c, err := p.call(item)
	if err != nil {
		return err
	}
	c.ID, c.Session, c.Agent = item.CallID, p.session, "codex"
	if t, err := time.Parse(time.RFC3339, stamp); err == nil {
		c.Time = t
	}
	ev.call = c
	tell(ev)
	return nil
}
