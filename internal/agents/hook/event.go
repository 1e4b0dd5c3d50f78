package hook

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Read reads one event. It is strict where there is a call to decide: a key
// that stands twice or differs from another only in case, a wrong type, or a
// missing field is an error. getenv may be nil. Beside an error the event, if
// it is not nil, has the name that could be read.
func (a *Agent) Read(data []byte, getenv func(string) string) (*Event, error) {
	name := eventName(data, a.keys().event)
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
		return fmt.Errorf("the event has no name: %q must appear exactly once; register the hook of %s for %s", a.keys().event, a.Title, a.known())
	}
	return fmt.Errorf("%q is not an event that policyctl answers: register the hook of %s for %s", name, a.Title, a.known())
}

func (a *Agent) fill(e *Event, m map[string]any, getenv func(string) string) error {
	f, k := fields{m: m}, a.keys()
	e.Subagent = f.text("agent_id")
	e.Transcript = f.text("transcript_path")
	e.Mode = f.text("permission_mode")
	e.headless = a.isHeadless(getenv) || f.is(k.attended, false)
	e.Attended = a.in(e.Mode, e.headless).asks
	e.Call = policy.Call{
		Agent: a.Name, Subagent: f.text("agent_type"), Session: f.required(k.session), Dir: f.text(k.dir), GuardsSubagents: a.subagents,
	}
	e.NewTurn = e.told && f.spoken(k.prompt)
	if !e.decidable {
		return f.err
	}
	e.DialogFirst = a.answers.dialogFirst
	tool, input := a.asked(e, &f, &k)
	if !e.Follows {
		e.Call.ID = f.text(k.id)
	}
	if f.is(k.cut, true) {
		f.fail(errors.New("the agent shows the arguments cut short: split the call"))
	}
	if f.err != nil {
		return f.err
	}
	if len(tool) > maxName {
		return fmt.Errorf("%q is longer than %d bytes", k.tool, maxName)
	}
	return e.set(a, tool, input, getenv)
}

// asked returns the tool and its arguments about which an event asks.
func (a *Agent) asked(e *Event, f *fields, k *keys) (tool string, input map[string]any) {
	of := a.events.of(e.Name)
	switch {
	case of == nil:
		return f.tool(k), f.object(k.input)
	case of.tool != "":
		tool = of.tool
	default:
		tool = f.tool(k)
	}
	if of.isText {
		return tool, f.objectText(cmp.Or(of.input, k.input))
	}
	return tool, f.object(cmp.Or(of.input, k.input))
}

// keys returns where the events of the agent have what is read of them.
func (a *Agent) keys() keys { return a.fields.or(usualKeys) }

// maxName bounds the name of a tool, which answers repeat.
const maxName = 256
