package suite

import (
	"encoding"
	"errors"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

func (p *parser) oneCase(n document.Node) Case {
	c := Case{Line: n.Line}
	keys := caseKeys
	if p.carried {
		keys = carriedKeys
	}
	m := p.mapping(n, "a case", keys)
	if m == nil {
		return c
	}
	if name, ok := m["name"]; ok {
		c.Name = p.text(name, "name")
	} else if !p.carried {
		p.fail(n, "", "the case has no name: give it one with name")
	}
	c.Call = p.call(n, m)
	if match, ok := m["match"]; ok {
		p.match(n, m, match, &c)
		return c
	}
	if decision, ok := m["decision"]; ok {
		p.word(decision, "decision", &c.Want.Decision)
	} else {
		p.fail(n, "", "the case expects no decision: write decision: allow, ask or deny")
	}
	p.optional(m, &c.Want)
	return c
}

// match reads whether the rule that carries the case is to match.
func (p *parser) match(n document.Node, m map[string]document.Node, value document.Node, c *Case) {
	if value.Kind != document.Bool {
		p.fail(value, "", "match takes true or false, not %s", value.Describe())
	}
	for _, key := range []string{"decision", "stage", "rule", "reason"} {
		if _, ok := m[key]; ok {
			p.fail(n, "", "the case says both match and %s: leave one of them out", key)
		}
	}
	want := value.Text == "true"
	c.Match = &want
}

// optional reads what a case may expect beside the decision.
func (p *parser) optional(m map[string]document.Node, w *Want) {
	if n, ok := m["stage"]; ok {
		w.Stage = new(policy.Stage)
		p.word(n, "stage", w.Stage)
	}
	if n, ok := m["reason"]; ok {
		w.Reason = new(policy.Reason)
		p.word(n, "reason", w.Reason)
	}
	if n, ok := m["rule"]; ok {
		w.Rule = new(string)
		if n.Kind != document.Null { // null is no rule at all
			*w.Rule = p.text(n, "rule")
		}
	}
}

// word reads one of the names that into knows.
func (p *parser) word(n document.Node, key string, into encoding.TextUnmarshaler) {
	text := p.text(n, key)
	if text == "" {
		return
	}
	var unknown *policy.NameError
	err := into.UnmarshalText([]byte(text))
	switch {
	case err == nil:
	case errors.As(err, &unknown):
		p.fail(n, spelling.Nearest(text, unknown.Valid), "unknown %s %q: one of %s", key, text, strings.Join(unknown.Valid, ", "))
	default:
		p.fail(n, "", "%s: %v", key, err)
	}
}

// call reads the call of a case: a command, a record, or a whole call as eval
// --jsonl reads it.
func (p *parser) call(n document.Node, m map[string]document.Node) *policy.Call {
	given := slices.DeleteFunc(slices.Clone(callKeys), func(key string) bool { _, ok := m[key]; return !ok })
	if len(given) != 1 {
		p.fail(n, "", "the case needs exactly one of %s, and has %d", strings.Join(callKeys, ", "), len(given))
		return &policy.Call{}
	}
	value := m[given[0]]
	whole := document.Node{Kind: document.Map, Line: value.Line, Column: value.Column}
	switch given[0] {
	case "command":
		p.texts(value, "command")
		whole = with(whole, "command", value)
	case "record":
		p.record(value)
		whole = with(with(whole, "record", value), "tool", document.Node{Kind: document.Text, Text: recordTool})
	default:
		whole = value
		p.recordOf(value)
	}
	if scope, ok := m["scope"]; ok {
		if given[0] == "call" {
			p.fail(scope, "", "scope is beside command and record: put it into the call")
		}
		whole = with(whole, "scope", scope)
	}
	return p.decoded(value, whole)
}

// recordOf checks the record of a whole call.
func (p *parser) recordOf(call document.Node) {
	for i, key := range call.Keys {
		if key.Text == "record" {
			p.record(call.Items[i])
		}
	}
}

// record checks a record, of which a call takes whatever it is given.
func (p *parser) record(n document.Node) {
	_, found := record.Compile(n)
	for _, f := range found {
		p.problems = append(p.problems, config.Problem{File: p.name, Line: f.Line, Column: f.Column, Text: f.Text, Hint: f.Hint})
	}
}

// recordTool is the tool of a case that gives nothing but a record. No tool
// has the name, so that only the rules and the mode decide.
const recordTool = "record"

// Record returns the record of a case that gives nothing else, nil for another.
func (c *Case) Record() *record.Record {
	if c.Call.Tool != recordTool || c.Call.Scope != (policy.Scope{}) {
		return nil
	}
	rec, err := record.Decode(c.Call.Record)
	if err != nil {
		return nil
	}
	return rec
}

func with(n document.Node, key string, value document.Node) document.Node {
	n.Keys = append(n.Keys, document.Node{Kind: document.Text, Text: key})
	n.Items = append(n.Items, value)
	return n
}

// decoded reads a call as strictly as one that an agent sends.
func (p *parser) decoded(at, whole document.Node) *policy.Call {
	text, err := whole.MarshalJSON()
	if err != nil {
		p.fail(at, "", "%v", err)
		return &policy.Call{}
	}
	c, err := policy.DecodeCall(text)
	var unknown *policy.NameError
	switch {
	case errors.As(err, &unknown):
		p.fail(at, spelling.Nearest(unknown.Name, unknown.Valid), "the call has an unknown key %q", unknown.Name)
		return &policy.Call{}
	case err != nil:
		p.fail(at, "", "the call is invalid: %v", err)
		return &policy.Call{}
	}
	if c.Dir == "" && c.ProjectDir == "" && c.SessionDir == "" {
		c.Dir = p.dir
	}
	if c.Home == "" {
		c.Home = p.home
	}
	return c
}
