package approval

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/redact"
)

// maxWords bounds the text by which one request is found, in bytes.
const maxWords = 8 << 10

// Words returns the text by which a request is found: what it asks, where, for whom
// and why, and what was said of it. It has no secrets, and no more than 8 KiB.
func (r *Request) Words() string {
	parts := []string{r.ID, r.Title, r.Tool, r.Agent, r.Session, r.Dir, r.Submitter, r.Name, r.Asked.Rule, r.Asked.Stage, r.Asked.Why}
	if r.Judged != nil {
		parts = append(parts, r.Judged.Why)
	}
	if r.Decision != nil {
		parts = append(append(parts, r.Decision.By, r.Decision.Reason), r.Decision.Saved...)
	}
	for _, v := range r.Votes {
		parts = append(parts, v.By, v.Reason)
	}
	var call struct {
		Input any `json:"input"`
	}
	if json.Unmarshal(r.Call, &call) == nil {
		parts = clean(parts, call.Input)
	}
	var contract any
	if json.Unmarshal(r.Contract, &contract) == nil {
		parts = clean(parts, contract)
	}
	text, _ := redact.Text(cut(strings.Join(parts, "\n")))
	return text
}

// clean adds the texts within a value that was JSON, without secrets.
func clean(to []string, v any) []string {
	v, _ = redact.Value(v) // the name of a member tells a secret too
	return texts(to, v)
}

// texts adds the texts within a value that was JSON, members by their names.
func texts(to []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(to, cut(v))
	case []any:
		for _, one := range v {
			to = texts(to, one)
		}
	case map[string]any:
		for _, name := range sorted(v) {
			to = texts(to, v[name])
		}
	}
	return to
}

// cut returns the beginning of a text, at most [maxWords] of it and no half of a
// word: of half a secret nobody can tell what it is.
func cut(s string) string {
	if len(s) <= maxWords {
		return s
	}
	s = s[:maxWords]
	return s[:strings.LastIndexAny(s, " \t\n")+1]
}

// Program returns the first word of what asks: the program of the command that
// decided, or the tool.
func (r *Request) Program() string {
	var call struct {
		Input struct {
			Command string `json:"command"`
		} `json:"input"`
	}
	_ = json.Unmarshal(r.Call, &call) // what is no call has no command
	text := call.Input.Command
	if s := r.Asked.Span; s != nil && s[0] >= 0 && s[0] < s[1] && s[1] <= len(text) {
		text = text[s[0]:s[1]]
	}
	for _, word := range strings.Fields(text) {
		if name, _, assigns := strings.Cut(word, "="); !assigns || strings.ContainsAny(name, "/-.") {
			return line(word)
		}
	}
	return r.Tool
}

// A Fact is what statistics need of a request.
type Fact struct {
	Asked time.Time
	// Decided is the zero time where nobody decided.
	Decided                       time.Time
	State                         State
	Session, Rule, Stage, Program string
	// By is who decided, "" for nobody, and Source what kind of it.
	By, Source string
}

// Fact returns what statistics need of the request.
func (r *Request) Fact() Fact {
	f := Fact{Asked: r.Created, State: r.State, Session: r.Session, Rule: r.Asked.Rule, Stage: r.Asked.Stage, Program: r.Program()}
	if d := r.Decision; d != nil {
		f.Decided, f.By, f.Source = d.At, d.By, d.Source
	}
	return f
}
