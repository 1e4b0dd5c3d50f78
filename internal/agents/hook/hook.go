// Package hook speaks the hook protocols of coding agents: [Run] reads one
// event, has the call in it decided, and prints the answer in the agent's own
// form. What differs between agents is data, in agents.go and tools.go.
//
// Agents take a broken hook for none, so whatever goes wrong here denies.
// The package decides nothing itself, keeps no state between events, and
// looks at no file.
package hook

import (
	"cmp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// An Agent is one agent's hook protocol. It is immutable.
type Agent struct {
	// Name is what the agent is called on the command line, Title in texts.
	Name, Title string

	events eventTable
	fields keys // "" for the usual ones
	tools  toolTable
	modes  []mode
	// attended is a variable that is "0" where nobody is there, "" for none.
	attended string
	// tellsNothing: its events name no mode, and do not tell whether a person is there.
	tellsNothing bool
	// mcp is how the tools of MCP servers are called. A name of pkg/policy's table is
	// none of them. Where wrapsMCP is set, their arguments stand in one called tool_input.
	mcp      joining
	wrapsMCP bool
	// subagents: the calls of its subagents come to the same hook.
	subagents bool
	// sample is an event before a call of its shell tool, with $COMMAND, $SESSION and
	// $DIR in it.
	sample  string
	answers abilities
}

// An Event is what an agent tells or asks.
type Event struct {
	// Name is the agent's name for the event, such as "PreToolUse".
	Name string
	// Call is the call to decide. Its Session is the agent's session, also for a
	// subagent: what was approved for a chat holds for those who work in it.
	// Home, OS and the time are for the caller to fill in.
	Call policy.Call
	// Transcript is the file in which the agent records the conversation, "" where it
	// names none.
	Transcript string
	// Subagent is the id of the subagent that calls, "" for none. Subagents work
	// at the same time, so that each has a history of calls of its own.
	Subagent string
	// Mode is the agent's permission mode, "" where it has none. No mode
	// loosens an answer.
	Mode string
	// Attended says that a person may be there to answer a dialog of the
	// agent.
	Attended bool
	// Follows says that the event is a second look at a call that the agent
	// has shown before. It carries no id: decide it without recording it.
	Follows bool
	// DialogFirst says that the agent asks the person in a dialog of its own,
	// of which it tells by an event with Follows set, before the event of the
	// call, and that no event of the call comes after a dialog that said no.
	DialogFirst bool
	// NewTurn says that the user has said something, which is not empty: Qwen
	// Code sends an empty prompt after each result. There is no call to decide;
	// histories of repeated calls start anew.
	NewTurn bool
	// Record is set by whoever decides to the id under which a denial will be on record,
	// "" for none: the answer then names it.
	Record string
	// Defer is set by whoever decides, to have an ask that nobody can answer
	// kept for a later run, where the agent can do that. It holds for a single
	// call in a message.
	Defer bool

	tool      tool
	joined    string // the agent's own name for a tool of an MCP server, "" where it is the one name
	between   string // what joins it
	headless  bool   // the agent says that nobody is there
	told      bool   // it is of the kind that begins a turn
	decidable bool
	outcome   Outcome // what came of asking elsewhere
	settled   bool    // the verdict answers what the hook would ask about
	raw       []byte  // as the agent sent it
}

// A kind says what an event wants.
type kind uint8

const (
	unknown kind = iota
	silent       // no answer
	turn         // no answer, but the user has said something
	before       // may the call run?
	prompt       // what should the dialog about the call say?
)

// Lookup returns the agent of that name.
func Lookup(name string) (*Agent, bool) {
	for _, a := range agents {
		if a.Name == name {
			return a, true
		}
	}
	return nil, false
}

// Complete adds to a call of an agent what every event of that agent says.
func Complete(c *policy.Call) {
	if a, ok := Lookup(c.Agent); ok {
		c.GuardsSubagents = c.GuardsSubagents || a.subagents
	}
}

// Names returns the names of the agents, sorted.
func Names() []string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}
	slices.Sort(names)
	return names
}

// Events returns the names of the agent's events before a call and behind the user's words.
func (a *Agent) Events() (call, turn string) { return a.events.call, cmp.Or(a.events.turn, usualTurn) }

// Can reports whether the hook can have the agent ask a person before a call, and whether
// its allow skips the agent's own question.
func (a *Agent) Can() (ask, allow bool) {
	for i := range a.modes {
		words := a.modes[i].call
		if of := a.events.more; len(of) > 0 && of[0].kind == prompt {
			words += " " + a.modes[i].dialog
		}
		ask = ask || slices.Contains(strings.Fields(words), "ask")
		allow = allow || strings.Fields(words)[allows] == "allow"
	}
	return ask, allow
}

// Answers reports whether the agent awaits an answer to an event of that name.
func (a *Agent) Answers(event string) bool {
	k := a.events.kind(event)
	return k == before || k == prompt
}

// known lists the events to which the agent listens, for errors.
func (a *Agent) known() string {
	if a.events.dialog == "" {
		return a.events.call
	}
	return a.events.dialog + " and " + a.events.call
}
