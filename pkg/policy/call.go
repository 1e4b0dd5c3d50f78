// Package policy decides what happens to the tool calls of a coding agent.
//
// An [Engine] answers a [Call] with a [Verdict]: allow, ask or deny, with the
// stage and the rule that decided, and why. A fixed chain of stages decides;
// its order stands in chain.go. A [Session] keeps what must be remembered
// between calls and outlives the engine when a policy is reloaded.
//
// The package runs nothing and asks nobody: it has no clock, no network and no
// file system. Asking a person and enforcing the answer is up to the caller.
package policy

import "time"

// A Call is one tool call that an agent wants to make. In JSON the keys are
// the lower-case, snake-case names of the fields; [DecodeCall] reads them
// strictly.
type Call struct {
	// ID identifies the call, so that asking twice counts once; "" for a call
	// that always counts.
	ID string
	// Tool is the name of the tool, or an alias under which an agent calls it.
	Tool string
	// Input are the arguments, as JSON decodes them: strings, float64 or
	// json.Number, bool, nil, []any and map[string]any.
	Input map[string]any
	// Dir is the absolute working directory, "" if unknown.
	Dir string
	// Home is the user's home directory, "" if unknown.
	Home string
	// OS is "linux", "darwin" or "windows"; "" means unknown.
	OS string
	// Shell is the shell that runs a command: "bash", "sh", "dash", "zsh",
	// "ksh", "pwsh", "cmd"; "" means unknown.
	Shell string
	// Agent is the caller, Session the conversation to which the call belongs.
	// Subagent is the type of the subagent that calls, such as "Explore", "" where the
	// agent itself does.
	Agent    string
	Subagent string
	Session  string
	Scope    Scope
	// Audience says who will see what the call reads.
	Audience Audience
	// ProjectDir and SessionDir are the absolute directories of the project
	// and of the session's own files; "" where there are none.
	ProjectDir string
	SessionDir string
	// Time is the instant of the call; the zero time means unknown.
	Time time.Time
	// OutsideSandbox says that the call is to run outside the agent's own
	// sandbox, where no argument of the tool says so; see
	// [Call.LeavesSandbox].
	OutsideSandbox bool
	// GuardsSubagents says that the calls of subagents that the caller starts are
	// decided too, so that starting one changes nothing by itself.
	GuardsSubagents bool
	// Record describes the call for rules; nil to have it derived.
	Record map[string]any
}

// A Scope is the integration through which a call comes.
type Scope struct{ Plugin, Profile, Integration string }

// Shell returns a call of the shell tool that runs command in dir.
func Shell(command, dir string) *Call {
	return &Call{Tool: "shell", Input: map[string]any{"command": command}, Dir: dir}
}
