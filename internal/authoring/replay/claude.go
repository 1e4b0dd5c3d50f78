package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// claude parses a transcript of Claude Code, as it lies below
// ~/.claude/projects or is printed with --output-format stream-json.
type claude struct {
	file string
	dir  string // as a line said last
}

// A claudeEntry is one line.
type claudeEntry struct {
	Type       string          `json:"type"`
	Message    json.RawMessage `json:"message"`
	SessionID  string          `json:"sessionId"`
	StreamID   string          `json:"session_id"`
	Dir        string          `json:"cwd"`
	Timestamp  string          `json:"timestamp"`
	AgentID    string          `json:"agentId"`
	ParentTool string          `json:"parent_tool_use_id"`
	Sidechain  bool            `json:"isSidechain"`
	Meta       bool            `json:"isMeta"`
	Compact    bool            `json:"isCompactSummary"`
	Data       json.RawMessage `json:"data"`
}

// A claudeBlock is a part of a message.
type claudeBlock struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	CallID  string          `json:"tool_use_id"`
	Content json.RawMessage `json:"content"`
	IsError bool            `json:"is_error"`
	Text    string          `json:"text"`
}

// quiet are the types of lines that hold no call.
const quiet = " summary system file-history-snapshot file-history-delta queue-operation attachment custom-title ai-title " +
	"last-prompt permission-mode agent-name agent-color agent-setting tag pr-link mode worktree-state content-replacement " +
	"task-summary attribution-snapshot speculation-accept marble-origami-commit marble-origami-snapshot " +
	"result stream_event rate_limit_event tool_progress tool_use_summary auth_status prompt_suggestion keep_alive control_request control_response control_cancel_request "

func (p *claude) parse(line []byte, tell func(event)) error {
	var e claudeEntry
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("not a line of Claude Code: %w", err)
	}
	if e.Dir != "" {
		p.dir = e.Dir
	}
	switch {
	case e.Type == "assistant", e.Type == "user":
		return p.message(&e, tell)
	case e.Type == "progress":
		return p.progress(&e, tell)
	case e.Type != "" && strings.Contains(quiet, " "+e.Type+" "):
		return nil
	}
	return fmt.Errorf("a line of Claude Code of the unknown type %q", clip.Text(e.Type, 40))
}

// progress reads what a subagent says in the transcript of its parent.
func (p *claude) progress(e *claudeEntry, tell func(event)) error {
	var data struct {
		Type    string       `json:"type"`
		AgentID string       `json:"agentId"`
		Message *claudeEntry `json:"message"`
	}
	if json.Unmarshal(e.Data, &data) != nil || data.Type != "agent_progress" || data.Message == nil {
		return nil // of hooks, searches and the like
	}
	inner := *data.Message
	if inner.Type != "assistant" && inner.Type != "user" {
		return nil
	}
	inner.SessionID, inner.AgentID, inner.Sidechain = e.SessionID, data.AgentID, true
	return p.message(&inner, tell)
}

// of returns an event in the conversation of a line. A subagent has a history
// of its own in the session of its parent.
func (p *claude) of(e *claudeEntry) event {
	ev := event{session: e.SessionID}
	if ev.session == "" {
		ev.session = e.StreamID
	}
	if ev.session == "" {
		ev.session = p.file
	}
	ev.thread = ev.session
	switch {
	case e.AgentID != "":
		ev.thread += "/" + e.AgentID
	case e.ParentTool != "":
		ev.thread += "/" + e.ParentTool
	case e.Sidechain:
		ev.thread += "/sidechain"
	}
	return ev
}

func (p *claude) message(e *claudeEntry, tell func(event)) error {
	var m struct {
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(e.Message, &m); err != nil {
		return errors.New("a message of Claude Code that is not an object")
	}
	var blocks []claudeBlock
	if content := bytes.TrimSpace(m.Content); len(content) > 0 && content[0] == '[' {
		if err := json.Unmarshal(content, &blocks); err != nil {
			return fmt.Errorf("a message of Claude Code with a content that is unknown: %w", err)
		}
	} else {
		blocks = []claudeBlock{{Type: "text", Text: words(content)}}
	}
	var wrong error
	for i := range blocks {
		ev, ok, err := p.block(e, &blocks[i])
		if err != nil {
			wrong = err
		} else if ok {
			tell(ev)
		}
	}
	return wrong
}

// block returns what a part of a message tells of, if anything.
func (p *claude) block(e *claudeEntry, b *claudeBlock) (ev event, ok bool, err error) {
	ev = p.of(e)
	switch {
	case b.Type == "tool_use" && e.Type == "assistant":
		c, err := decode(b.Name, b.Input)
		if err != nil {
			return ev, false, err
		}
		c.ID, c.Dir, c.Session, c.Agent = b.ID, p.dir, ev.session, "claude"
		if t, err := time.Parse(time.RFC3339, e.Timestamp); err == nil {
			c.Time = t
		}
		ev.call, ev.id, ev.unique = c, b.ID, b.ID != ""
		return ev, true, nil
	case b.Type == "tool_result" && e.Type == "user":
		ev.kind, ev.id, ev.result, ev.answer = answered, b.CallID, b.Content, b.answer()
		return ev, b.CallID != "", nil
	case b.Type == "text" && e.Type == "user":
		ev.kind = spoke
		return ev, !e.Meta && !e.Compact && !e.Sidechain && isHuman(b.Text), nil
	}
	return ev, false, nil
}

// answer tells a result from the words that stand in its place where a person
// rejects the call. A call that failed may not have run.
func (b *claudeBlock) answer() Answer {
	switch {
	case !b.IsError:
		return Ran
	case strings.HasPrefix(words(b.Content), "The user doesn't want to proceed with this tool use. The tool use was rejected"):
		return Denied
	}
	return Unknown
}

// isHuman reports whether a text in the place of the user's words is not one that
// the agent's program puts there.
func isHuman(text string) bool {
	text = strings.TrimSpace(text)
	for _, tag := range []string{
		"<task-notification", "<system-reminder", "<local-command-", "<environment_context", "<user_instructions",
		"<turn_aborted", "<permissions instructions", "# AGENTS.md instructions",
	} {
		if strings.HasPrefix(text, tag) {
			return false
		}
	}
	return text != ""
}
