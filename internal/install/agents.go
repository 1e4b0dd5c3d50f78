package install

import (
	"strings"
	"time"
)

// An Agent is a coding agent with the form of its settings.
type Agent struct {
	Name  string // as it is typed
	Title string

	// The folder of the user's settings: in the home directory, or where the
	// variable says.
	home, homeVariable string
	locations          []location
	events             []event
	// flat says that handlers stand in the list of their event; others group
	// them under a matcher.
	flat                   bool
	matcher                string // of a group; "" leaves it out
	commandKey, timeoutKey string
	unit                   time.Duration // of timeouts
	top                    object        // what the file needs beside hooks
	// shell is what the agent calls its shell tool in an event, and sends what
	// else an event holds.
	shell string
	sends object
	// ownFile says that the file is ours alone, and that the agent reads the
	// others in its directory too.
	ownFile bool
	// trusts says that the agent runs only hooks with a record of trust.
	trusts bool
	// switches are settings that turn hooks off.
	switches []offSwitch
	// reads is another agent whose project settings this one runs too.
	reads string
}

// An event is what the agent asks the hook about.
type event struct {
	name    string
	timeout time.Duration
	// extra are the fields of the handler beside its command and timeout.
	extra object
}

// asks says whether the hook may have to wait for somebody.
func (e event) asks() bool { return e.name != turn.name }

// An offSwitch is a value at a path of keys that turns hooks off. Its file
// stands in the agent's folder; "" is any of the agent's settings.
type offSwitch struct {
	file string
	keys []string
	off  bool
}

const (
	short = 600 * time.Second
	long  = 3600 * time.Second // a person may have to be found
)

// turn is how the agent says that the user has spoken, after which calls may
// be repeated. It asks nothing.
var turn = event{"UserPromptSubmit", 30 * time.Second, nil}

// agents returns the table of agents.
func agents() []*Agent {
	return []*Agent{claude(), codex(), copilot(), qwen()}
}

func claude() *Agent {
	return &Agent{
		Name: "claude", Title: "Claude Code",
		home: ".claude", homeVariable: "CLAUDE_CONFIG_DIR",
		locations: []location{
			{Managed, inRoot, "etc/claude-code/managed-settings.json"},
			{Managed, inRoot, "Library/Application Support/ClaudeCode/managed-settings.json"},
			{User, inHome, "settings.json"},
			{Project, inProject, ".claude/settings.json"},
			{Local, inProject, ".claude/settings.local.json"},
		},
		events: []event{
			// A hook that fails otherwise lets the call run.
			{"PreToolUse", short, object{{"onFailure", "block"}, {"statusMessage", "policyctl"}}},
			{"PermissionRequest", long, object{{"statusMessage", "policyctl: waiting for approval"}}},
			turn,
		},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Second,
		shell: "Bash", sends: object{{"permission_mode", "default"}, {"transcript_path", "/dev/null"}},
		switches: []offSwitch{{"", []string{"disableAllHooks"}, true}},
	}
}

func codex() *Agent {
	return &Agent{
		Name: "codex", Title: "Codex",
		home: ".codex", homeVariable: "CODEX_HOME",
		locations: []location{
			{User, inHome, "hooks.json"},
			{Project, inProject, ".codex/hooks.json"},
		},
		events: []event{
			{"PreToolUse", short, object{{"statusMessage", "policyctl"}}},
			{"PermissionRequest", long, nil},
		},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second,
		shell: "Bash", sends: object{{"permission_mode", "default"}, {"transcript_path", nil}, {"turn_id", "doctor"}, {"model", "doctor"}},
		trusts: true,
	}
}

func copilot() *Agent {
	return &Agent{
		Name: "copilot", Title: "Copilot CLI",
		home: ".copilot", homeVariable: "COPILOT_HOME",
		locations: []location{
			{Managed, inRoot, "etc/github-copilot/policy.d/policyctl.json"},
			{User, inHome, "hooks/policyctl.json"},
			{Project, inProject, ".github/hooks/policyctl.json"},
		},
		// The name in this spelling makes the agent speak Claude's protocol.
		events: []event{{"PreToolUse", long, nil}},
		flat:   true, commandKey: "bash", timeoutKey: "timeoutSec", unit: time.Second,
		top:   object{{"version", 1}},
		shell: "Bash", sends: object{{"timestamp", "2026-01-01T00:00:00Z"}},
		switches: []offSwitch{{"", []string{"disableAllHooks"}, true}, {"settings.json", []string{"disableAllHooks"}, true}},
		ownFile:  true,
		reads:    "claude",
	}
}

func qwen() *Agent {
	return &Agent{
		Name: "qwen", Title: "Qwen Code",
		home: ".qwen",
		locations: []location{
			{Managed, inRoot, "etc/qwen-code/settings.json"},
			{User, inHome, "settings.json"},
			{Project, inProject, ".qwen/settings.json"},
		},
		events:  []event{{"PreToolUse", short, nil}, {"PermissionRequest", long, nil}, turn},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Millisecond,
		shell: "run_shell_command", sends: object{{"permission_mode", "default"}, {"transcript_path", "/dev/null"}, {"tool_call_id", "doctor"}},
		switches: []offSwitch{
			{"", []string{"disableAllHooks"}, true},
			{"", []string{"hooksConfig", "enabled"}, false},
		},
	}
}

// Lookup returns the agent with a name.
func Lookup(name string) (*Agent, bool) {
	for _, a := range agents() {
		if a.Name == name {
			return a, true
		}
	}
	return nil, false
}

// Names returns the names of all agents.
func Names() []string {
	var out []string
	for _, a := range agents() {
		out = append(out, a.Name)
	}
	return out
}

// location returns the file of a scope that can be changed.
func (a *Agent) location(s Scope) (location, bool) {
	for _, l := range a.locations {
		if l.scope == s && s != Managed {
			return l, true
		}
	}
	return location{}, false
}

// scopes lists the scopes in which the agent's settings can be changed.
func (a *Agent) scopes() string {
	var out []string
	for _, l := range a.locations {
		if l.scope != Managed {
			out = append(out, string(l.scope))
		}
	}
	return strings.Join(out, ", ")
}

// wanted returns the handler that Install writes for an event.
func (r *Request) wanted(e event) object {
	timeout := e.timeout
	switch {
	case r.Timeout > 0:
		timeout = r.Timeout
	case r.Wait > 0 && e.asks():
		timeout = r.Wait + Slack
	}
	a := r.Agent
	out := object{{"type", "command"}, {a.commandKey, r.Command + waiting(r.Wait)}, {a.timeoutKey, int(timeout / a.unit)}}
	return append(out, e.extra...)
}
