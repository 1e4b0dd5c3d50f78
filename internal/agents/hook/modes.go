package hook

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A mode is one row of the table agent × permission mode × verdict: what the hook says
// in some permission modes of an agent.
type mode struct {
	// names are the modes, by the agent's own names; "*" is every other one, also one
	// that nobody knows yet.
	names string
	// headless says that the row is for an agent that says that nobody is there.
	headless bool
	// asks says that a person may be asked.
	asks bool
	// call is what the hook says before a call, and dialog what it says about the agent's
	// own dialog: a word for each [column].
	call, dialog string
}

// The words of the table, beside those of the protocols: with silence the agent goes on
// by rules of its own, and later is "defer" where the message has a single call and
// somebody wants that, and a denial else.
const (
	silence = "-"
	later   = "later"
)

// A column is a verdict by what it means for an agent.
type column int

// The columns of the table. What looks is an allow of what only reads, and what opens an ask
// with no ground but that nothing allows the call.
const (
	looks column = iota
	allows
	opens
	asks
	denies
)

var columnNames = [...]string{"allow, it only reads", "allow", "undecided", "ask", "deny"}

// columnOf returns the column of a verdict.
func columnOf(v *policy.Verdict) column {
	switch {
	case v.Decision == policy.Allow && v.Stage == policy.StageReadonly:
		return looks
	case v.Decision == policy.Allow:
		return allows
	case v.Decision == policy.Ask && v.Undecided:
		return opens
	case v.Decision == policy.Ask:
		return asks
	}
	return denies
}

// in returns the row of an agent for a mode, which no agent is without.
func (a *Agent) in(name string, headless bool) *mode {
	for i := range a.modes {
		m := &a.modes[i]
		if m.headless == headless && (slices.Contains(strings.Fields(m.names), name) || m.names == "*") {
			return m
		}
	}
	return &mode{call: "- - deny deny deny", dialog: "- - deny deny deny"}
}

// word returns what the table has for a verdict on an event.
func (a *Agent) word(e *Event, v *policy.Verdict) string {
	m := a.in(e.Mode, e.headless)
	words := m.call
	if a.events.kind(e.Name) == prompt || e.tool.asks {
		words = m.dialog
	}
	at := columnOf(v)
	word := strings.Fields(words)[at]
	if at == opens && word != silence && a.trusts(e, v.UndecidedModes) {
		return silence
	}
	return word
}

// trusts reports whether modes in which an agent answers what is undecided, although it
// asks nobody, are all those in which an event was sent.
func (a *Agent) trusts(e *Event, modes []string) bool {
	for _, name := range a.unasked(e.Mode, e.headless) {
		if !slices.Contains(modes, name) {
			return false
		}
	}
	return true
}

// unasked returns why nobody is asked, as modes: none where somebody may be.
func (a *Agent) unasked(name string, headless bool) (modes []string) {
	if headless {
		modes = append(modes, "headless")
	}
	if !a.in(name, false).asks {
		modes = append(modes, name)
	}
	return modes
}

// A Word is what an agent's hook says in one of its modes.
type Word struct {
	// Mode is the mode; "any" for an agent whose events name none, and "any other".
	Mode string
	// Word is allow, ask or deny, or "" where the agent's own rules go on.
	Word string
}

// Words returns what the hook says before a call about a verdict, mode by mode.
func (a *Agent) Words(v *policy.Verdict) (out []Word) {
	for i := range a.modes {
		m := &a.modes[i]
		for name := range strings.FieldsSeq(m.names) {
			e := &Event{Name: a.events.call, Mode: name, headless: m.headless, Attended: m.asks}
			say, _ := a.settle(e, v)
			out = append(out, Word{m.title(name, len(a.modes) == 1), say})
		}
	}
	return out
}

// title returns a mode as people are shown it.
func (m *mode) title(name string, alone bool) string {
	switch {
	case name == "*" && alone:
		name = "any mode"
	case name == "*" && m.headless:
		return "headless"
	case name == "*":
		name = "any other mode"
	}
	if m.headless {
		return name + ", headless"
	}
	return name
}
