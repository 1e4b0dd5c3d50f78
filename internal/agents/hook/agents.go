package hook

import (
	"slices"
	"strings"
)

// A presence says how to tell that a person may answer a dialog.
type presence struct {
	// env is a variable that is "0" where nobody is there. A repository can
	// set it; the worst that comes of it is a question that the agent itself
	// refuses.
	env string
	// modes are the permission modes in which the agent asks; "" where its
	// events name none.
	modes string
}

// headless says that the agent runs without a person.
func (p presence) headless(getenv func(string) string) bool {
	return p.env != "" && getenv != nil && getenv(p.env) == "0"
}

// asks reports whether the agent asks in a mode.
func (p presence) asks(mode string) bool {
	return p.modes == "" || slices.Contains(strings.Fields(p.modes), mode)
}

// abilities are the answers that an agent heeds. An answer that it does not
// heed lets the call run, so nothing is ever tried.
type abilities struct {
	// ask: "ask" before a call shows a dialog, and refuses where it cannot.
	ask bool
	// allow: "allow" before a call saves the person a dialog.
	allow bool
	// postpone: "defer" before a call keeps it for a later run.
	postpone bool
	// notice: systemMessage may stand beside an answer.
	notice bool
	// notes: systemMessage may stand where something went wrong, and alone.
	notes bool
	// typed: what is typed into a running program passes no hook.
	typed bool
	// dialogFirst: see [Event.DialogFirst].
	dialogFirst bool
	// escapes: the dialog is also how a call leaves the agent's sandbox, and
	// the event does not say whether it does. Tools of MCP servers run outside
	// it anyway.
	escapes bool
}

// agents is the table of the protocols.
//
// An ask becomes, by agent:
//   - Claude Code: "ask" where a person is there. Headless, where it would be
//     refused anyway, a denial that says so, or "defer" on request. The modes
//     dontAsk and bypassPermissions promise that nobody is asked: denied.
//   - Codex: a denial. It ignores "ask" and runs the call, and silence would
//     leave the call to its own rules, which may run it without a question. In
//     PermissionRequest silence shows its dialog, which is the question.
//   - Copilot CLI: "ask". Headless it says that it is unable to ask, and
//     refuses; its events do not tell whether a person is there.
//   - Qwen Code: a denial. Some versions refuse on "ask" without showing a
//     dialog. Where its own rules ask, its dialog came before, and counts.
var agents = []*Agent{
	{
		Name: "claude", Title: "Claude Code",
		events: eventTable{"PreToolUse", "PermissionRequest", common + ` PermissionDenied PostToolBatch Setup
			SubagentStart InstructionsLoaded ConfigChange CwdChanged FileChanged TeammateIdle TaskCreated TaskCompleted
			StopFailure PostCompact WorktreeRemove`},
		tools:    claudeTools,
		presence: presence{env: "CLAUDE_CODE_SESSION_ATTENDED", modes: "default acceptEdits plan auto"},
		answers:  abilities{ask: true, allow: true, postpone: true, notice: true},
	},
	{
		// A bare "allow" marks the hook as failed and an unknown key drops the
		// whole answer, so nothing but a denial and notes is ever said before a
		// call.
		Name: "codex", Title: "Codex",
		events:   eventTable{"PreToolUse", "PermissionRequest", common + " SubagentStart PostCompact StopFailure"},
		tools:    codexTools,
		presence: presence{modes: "default acceptEdits plan"},
		answers:  abilities{notes: true, typed: true, escapes: true},
	},
	{
		// Only the events named as in Claude Code: for preToolUse, with a small
		// letter, Copilot reads answers of another form. Those events have no
		// hook_event_name and are refused by the exit code.
		Name: "copilot", Title: "Copilot CLI",
		events: eventTable{"PreToolUse", "", common + " ErrorOccurred SubagentStart"},
		tools:  copilotTools, joinsMCP: true,
		answers: abilities{ask: true, allow: true},
	},
	{
		Name: "qwen", Title: "Qwen Code",
		events:   eventTable{"PreToolUse", "PermissionRequest", common + " SubagentStart PostToolBatch StopFailure PostCompact"},
		tools:    qwenTools,
		presence: presence{modes: "plan default auto-edit auto"},
		answers:  abilities{allow: true, notice: true, dialogFirst: true},
	},
}

// common are the events of every agent that want no answer.
const common = "SessionStart SessionEnd PostToolUse PostToolUseFailure Notification Stop SubagentStop PreCompact"

// An eventTable names the event before a call, that of a dialog, "" for none, and
// those that want no answer.
type eventTable struct{ call, dialog, quiet string }

// kind returns the kind of an event by its name.
func (t eventTable) kind(name string) kind {
	switch {
	case name == "":
		return unknown
	case name == "UserPromptSubmit":
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
