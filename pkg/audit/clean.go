package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A cleaner takes from an entry what must not be recorded, and notes it.
type cleaner struct {
	notes []string
}

// Clean returns a copy of an entry without secrets, as [Next] records it, and
// where something was replaced, in the form of [Record.Redacted]. It is for
// entries that are kept elsewhere before they are recorded. The error is that of
// arguments that cannot be encoded.
func Clean(e Entry) (Entry, []string, error) { return cleaned(e) }

// cleaned returns a copy of an entry without secrets and without bytes that
// are no text, and the notes on what was replaced.
func cleaned(e Entry) (Entry, []string, error) {
	var c cleaner
	e.Time = e.Time.UTC().Truncate(time.Microsecond)
	if e.DecidedAt != nil {
		at := e.DecidedAt.UTC().Truncate(time.Microsecond)
		e.DecidedAt = &at
	}
	for _, t := range e.texts() {
		*t.value = c.text(t.at, *t.value)
	}
	e.Detail = c.detail(e.Detail)
	var err error
	e.Arguments, err = c.arguments(e.Arguments)
	slices.Sort(c.notes)
	return e, slices.Compact(c.notes), err
}

// A text is a field of an entry that holds text.
type text struct {
	at    string // the JSON pointer to it
	value *string
}

func (e *Entry) texts() [15]text {
	return [15]text{
		{"/kind", &e.Kind}, {atActor, &e.Actor}, {"/request_id", &e.RequestID}, {"/tool", &e.Tool},
		{"/session", &e.Session}, {"/agent", &e.Agent}, {"/dir", &e.Dir}, {"/decision", &e.Decision},
		{atDecidedBy, &e.DecidedBy}, {"/reason", &e.Reason}, {"/rule", &e.Rule}, {"/stage", &e.Stage},
		{"/revision", &e.Revision}, {"/request_hash", &e.RequestHash}, {"/execution_result", &e.ExecutionResult},
	}
}

const (
	atActor     = "/actor"
	atDecidedBy = "/decided_by"
	atArguments = "/arguments"
	atDetail    = "/detail"
)

// text cleans one text. Who acted must stay known: what follows "token:" in an
// identity is the name of a token, so only a secret's own form counts there.
func (c *cleaner) text(at, s string) string {
	scheme := ""
	if name, ok := strings.CutPrefix(s, "token:"); ok && (at == atActor || at == atDecidedBy) {
		scheme, s = "token:", name
	}
	out, found := redact.Text(s)
	c.note(at, found)
	return scheme + c.visible(at, out)
}

// visible writes bytes that are no text as \xNN. Backslashes are doubled then,
// so that no two values look the same.
func (c *cleaner) visible(at, s string) string {
	if isText(s) {
		return s
	}
	c.note(at, []redact.Finding{{Kind: "not-text"}})
	return escaped(s)
}

// isText reports whether a text is UTF-8 without NUL, which not every database
// can store.
func isText(s string) bool {
	return utf8.ValidString(s) && !strings.Contains(s, "\x00")
}

func escaped(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == 0, r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\\':
			b.WriteString(`\\`)
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

func (c *cleaner) detail(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	v, found := redact.Value(m)
	c.note(atDetail, found)
	out := make(map[string]string, len(m))
	for key, s := range v.(map[string]string) {
		out[key] = c.visible(strictjson.Pointer(atDetail, key), s)
	}
	return out
}

// arguments keeps what is no sound JSON as a string: an agent must not be able
// to keep a call out of the log.
func (c *cleaner) arguments(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	v, err := decode(raw)
	if err != nil {
		c.note(atArguments, []redact.Finding{{Kind: "not-json"}})
		return strictjson.Marshal(c.text(atArguments, string(raw)))
	}
	v, found := redact.Value(v)
	c.note(atArguments, found)
	return strictjson.Marshal(v)
}

func (c *cleaner) note(at string, found []redact.Finding) {
	for _, f := range found {
		note := at + f.Path + " " + f.Kind
		if !isText(note) {
			note = escaped(note)
		}
		c.notes = append(c.notes, note)
	}
}
