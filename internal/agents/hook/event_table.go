package hook

import (
	"cmp"
	"slices"
	"strings"
)

// usualTurn is how most agents tell that the user has said something.
const usualTurn = "UserPromptSubmit"

// common are the events of every agent that want no answer.
const common = "SessionStart SessionEnd PostToolUse PostToolUseFailure Notification Stop SubagentStop PreCompact"

// An eventTable names the event before a call, that of a dialog, "" for none, those that
// want no answer, and the one that says that the user has spoken, "" for
// UserPromptSubmit. More are the events about calls of one tool, where the agent has
// such.
type eventTable struct {
	call, dialog, quiet, turn string
	more                      []toolEvent
}

// A toolEvent is an event about the calls of one tool.
type toolEvent struct {
	name string
	kind kind // before or prompt
	// tool is the tool, by a name of pkg/policy's table, "" where the event names it.
	tool string
	// input is where its arguments stand, "." for the event itself, "" where they
	// usually do; isText says that they stand there as a text of JSON.
	input  string
	isText bool
}

// of returns the row of an event about one tool, nil where it is none.
func (t *eventTable) of(name string) *toolEvent {
	i := slices.IndexFunc(t.more, func(e toolEvent) bool { return e.name == name })
	if i < 0 {
		return nil
	}
	return &t.more[i]
}

// kind returns the kind of an event by its name.
func (t *eventTable) kind(name string) kind {
	if of := t.of(name); of != nil {
		return of.kind
	}
	switch {
	case name == "":
		return unknown
	case name == cmp.Or(t.turn, usualTurn):
		return turn
	case name == t.call:
		return before
	case name == t.dialog:
		return prompt
	}
	for quiet := range strings.FieldsSeq(t.quiet) {
		if quiet == name {
			return silent
		}
	}
	return unknown
}
