package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A Format is how a recording is written. It is told by what a file holds, not
// by its name.
type Format string

// The formats: JSON Lines, all of them.
const (
	// Calls is the form of eval --jsonl: a call a line.
	Calls Format = "calls"
	// Claude is a transcript of Claude Code.
	Claude Format = "claude"
	// Codex is a rollout of the OpenAI Codex command line tool.
	Codex Format = "codex"
	// Copilot is the events of a session of Copilot CLI.
	Copilot Format = "copilot"
	// Qwen is a recorded chat of Qwen Code.
	Qwen Format = "qwen"
	// Audit is the audit log of the approval service, as audit export writes it.
	Audit Format = "audit"
)

// An event is what a recording tells of, in the order in which it happened.
type event struct {
	kind eventKind
	// session is the conversation that a person has, and thread the history
	// in which the agent's calls follow each other; "" where there is none.
	session, thread string
	// id names the call. unique says that no other call ever has it.
	id     string
	unique bool
	call   *policy.Call
	result []byte
	answer Answer // of an answered call
	// at is where it is recorded, size the bytes of its line, and number that of
	// a call among all, from 0.
	at           string
	size, number int
}

type eventKind uint8

const (
	called   eventKind = iota
	answered           // the result of a call is known
	spoke              // the user said something new
)

// A parser understands the lines of one recording. The error says what of a
// line it did not understand; the rest of it is told of.
type parser interface {
	parse(line []byte, tell func(event)) error
}

// keys are what tells formats apart.
type keys struct {
	Type       *string         `json:"type"`
	Payload    json.RawMessage `json:"payload"`
	Tool       json.RawMessage `json:"tool"`
	Command    json.RawMessage `json:"command"`
	RecordType *string         `json:"record_type"`
	// What records of the audit log have.
	Prev *string `json:"prev"`
	Kind *string `json:"kind"`
	// What lines of Claude Code have, at least one of them.
	SessionID json.RawMessage `json:"sessionId"`
	Session   json.RawMessage `json:"session_id"`
	UUID      json.RawMessage `json:"uuid"`
	LeafUUID  json.RawMessage `json:"leafUuid"`
	MessageID json.RawMessage `json:"messageId"`
	Message   json.RawMessage `json:"message"`
	// What lines of Qwen Code have beside them, and those of Copilot CLI.
	Provenance json.RawMessage `json:"provenance"`
	Data       json.RawMessage `json:"data"`
	// What the first line of an old rollout has.
	ID           json.RawMessage `json:"id"`
	Timestamp    json.RawMessage `json:"timestamp"`
	Instructions json.RawMessage `json:"instructions"`
}

var (
	errFormat = errors.New("neither a call, nor a line of Claude Code, Codex, Copilot CLI, Qwen Code or the audit log: see policyctl help replay for the formats")
	errEnds   = errors.New("the last line ends too early: it may still be written")
)

// detect returns the format of which a line is.
func detect(line []byte) (Format, error) {
	var k keys
	if err := json.Unmarshal(line, &k); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return "", errFormat
		}
		return "", fmt.Errorf("not JSON: %w", err)
	}
	claude := k.SessionID != nil || k.Session != nil || k.UUID != nil || k.LeafUUID != nil || k.MessageID != nil || k.Message != nil
	switch {
	case k.Prev != nil && k.Kind != nil:
		return Audit, nil
	case k.Type != nil && k.Payload != nil, k.RecordType != nil:
		return Codex, nil
	case k.Type != nil && k.Data != nil && strings.Contains(*k.Type, "."):
		return Copilot, nil
	case k.Type != nil && k.SessionID != nil && (k.Provenance != nil || hasParts(k.Message)):
		return Qwen, nil
	case k.Type != nil && claude:
		return Claude, nil
	case k.Type != nil && isItem(*k.Type), k.Type == nil && k.ID != nil && k.Timestamp != nil && k.Instructions != nil:
		return Codex, nil
	case k.Type == nil && (k.Tool != nil || k.Command != nil):
		return Calls, nil
	}
	return "", errFormat
}

// hasParts reports whether a message is one of parts, as those of Gemini are.
func hasParts(message json.RawMessage) bool {
	var m struct {
		Parts []json.RawMessage `json:"parts"`
	}
	return json.Unmarshal(message, &m) == nil && m.Parts != nil
}

// newParser returns the parser of a format for one file.
func newParser(f Format, file string) parser {
	switch f {
	case Claude:
		return &claude{file: file}
	case Codex:
		return &codex{session: file}
	case Copilot:
		return &copilot{session: file}
	case Qwen:
		return &qwen{file: file}
	case Audit:
		return auditLog{}
	}
	return calls{}
}

// calls parses the form of eval --jsonl.
type calls struct{}

func (calls) parse(line []byte, tell func(event)) error {
	c, err := policy.DecodeCall(line)
	if err != nil {
		return unplaced(err)
	}
	tell(event{session: c.Session, thread: c.Session, id: c.ID, call: c})
	return nil
}

// unplaced returns an error of JSON without its place: problems that differ in
// nothing else are counted together.
func unplaced(err error) error {
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return errors.New(e.Problem)
	}
	return err
}

// decode makes a call as strictly as one that an agent sends.
func decode(tool string, input json.RawMessage) (*policy.Call, error) {
	if tool == "" {
		return nil, errors.New("a call without the name of its tool")
	}
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	args, err := policy.DecodeObject(input)
	if err != nil {
		return nil, fmt.Errorf("a call of %s: %w", clip.Text(tool, 40), unplaced(err))
	}
	return &policy.Call{Tool: tool, Input: args}, nil
}

// words returns the texts of a content that is a string or a list of blocks,
// joined.
func words(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return ""
	}
	var b strings.Builder
	for i := range blocks {
		b.WriteString(blocks[i].Text)
	}
	return b.String()
}
