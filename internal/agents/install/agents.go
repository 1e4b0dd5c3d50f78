package install

import (
	"slices"
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
	// comments says that the agent reads settings with comments.
	comments  bool
	locations []location
	events    []event
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
	// guarded says that a hook which fails lets the call run, so that its
	// command line has to refuse by itself; limited says the same of a hook
	// that takes too long.
	guarded, limited bool
	// program is what the agent is started as. It was tried in the version
	// tried; needs is what an older one lacks.
	program string
	tried   version
	needs   lack
	// environ is what the agent sets in the environment of its hooks and may
	// change an answer.
	environ []string
	// flags are the ways to start the agent without the user's hooks, and
	// variables do the same where they are set: in the environment, under env
	// in the settings of the scopes envIn and, with dotenv, in files .env, also
	// those of a repository. dropsManaged says that managed hooks go too.
	flags, variables []string
	envIn            []Scope
	dotenv           bool
	dropsManaged     bool
	// managedOnly is a switch of the managed settings with which only their
	// hooks run.
	managedOnly []offSwitch
	// folder says how the agent comes to trust a project, without which it
	// runs no hook of that project.
	folder folderTrust
	// rootsAlone says that the agent ignores managed settings that others than
	// root may write to.
	rootsAlone bool
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
	// tells says that the event wants no answer.
	tells bool
}

// A lack is what an agent lacks before a version; the zero value is nothing.
type lack struct {
	until version
	what  string
}

// asks reports whether the hook may have to wait for somebody.
func (e event) asks() bool { return !e.tells }

// An offSwitch is a value at a path of keys that turns hooks off, in a file of
// JSON or TOML; "" is any of the agent's settings.
type offSwitch struct {
	base base
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
var turn = event{name: "UserPromptSubmit", timeout: 30 * time.Second, tells: true}

// agents returns the table of agents.
func agents() []*Agent {
	return []*Agent{claude(), codex(), copilot(), qwen(), gemini()}
}

func claude() *Agent {
	return &Agent{
		Name: "claude", Title: "Claude Code",
		home: ".claude", homeVariable: "CLAUDE_CONFIG_DIR",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/claude-code/managed-settings.json", os: "linux"},
			{scope: Managed, base: inRoot, path: "Library/Application Support/ClaudeCode/managed-settings.json", os: "darwin"},
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".claude/settings.json"},
			{scope: Local, base: inProject, path: ".claude/settings.local.json"},
		},
		events: []event{
			// A hook that fails otherwise lets the call run.
			{name: "PreToolUse", timeout: short, extra: object{{"onFailure", "block"}, {"statusMessage", "policyctl"}}},
			{name: "PermissionRequest", timeout: long, extra: object{{"statusMessage", "policyctl: waiting for approval"}}},
			turn,
		},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Second,
		shell: "Bash", sends: object{{"permission_mode", "default"}, {"transcript_path", "/dev/null"}},
		switches: []offSwitch{{keys: []string{"disableAllHooks"}, off: true}},
		managedOnly: []offSwitch{{inRoot, "etc/claude-code/managed-settings.json", []string{"allowManagedHooksOnly"}, true},
			{inRoot, "Library/Application Support/ClaudeCode/managed-settings.json", []string{"allowManagedHooksOnly"}, true}},
		program: "claude", tried: version{2, 1, 330},
		needs:     lack{version{2, 1, 295}, `ignores onFailure: "block", so a call runs when the hook fails`},
		environ:   []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ATTENDED=1"},
		flags:     []string{"claude --bare", "claude --safe-mode", "claude --setting-sources project", `claude --settings '{"disableAllHooks": true}'`},
		variables: []string{"CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"},
		envIn:     []Scope{Managed, User},
		folder:    folderTrust{file: ".claude.json", atHome: true, read: trustedByClaude, asks: true},
	}
}

func codex() *Agent {
	return &Agent{
		Name: "codex", Title: "Codex",
		home: ".codex", homeVariable: "CODEX_HOME",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/codex/requirements.toml", form: requirements},
			{scope: Managed, base: inRoot, path: "etc/codex/hooks.json", examined: true},
			{scope: Managed, base: inRoot, path: "etc/codex/config.toml", form: configTOML, examined: true},
			{scope: Managed, base: inRoot, path: "etc/codex/managed_config.toml", form: configTOML, examined: true},
			{scope: User, path: "hooks.json"},
			{scope: Project, base: inProject, path: ".codex/hooks.json"},
		},
		events: []event{
			{name: "PreToolUse", timeout: short, extra: object{{"statusMessage", "policyctl"}}},
			{name: "PermissionRequest", timeout: long},
			turn,
		},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second,
		shell: "Bash", sends: object{{"permission_mode", "default"}, {"transcript_path", nil}, {"turn_id", "doctor"}, {"model", "doctor"}},
		trusts: true, guarded: true, limited: true,
		program: "codex", tried: version{0, 169, 0},
		flags: []string{"codex --disable hooks", "codex -c features.hooks=false", "codex exec --ignore-user-config"},
		switches: []offSwitch{
			{inHome, "config.toml", []string{"features", "hooks"}, false}, {inHome, "config.toml", []string{"features", "codex_hooks"}, false},
			{inProject, ".codex/config.toml", []string{"features", "hooks"}, false}, {inProject, ".codex/config.toml", []string{"features", "codex_hooks"}, false},
			{inRoot, "etc/codex/requirements.toml", []string{"features", "hooks"}, false},
		},
		managedOnly: []offSwitch{{inRoot, "etc/codex/requirements.toml", []string{"allow_managed_hooks_only"}, true}},
		folder:      folderTrust{file: "config.toml", read: trustedByCodex},
	}
}

func copilot() *Agent {
	return &Agent{
		Name: "copilot", Title: "Copilot CLI",
		home: ".copilot", homeVariable: "COPILOT_HOME",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/github-copilot/policy.d/policyctl.json"},
			{scope: User, path: "hooks/policyctl.json"},
			{scope: Project, base: inProject, path: ".github/hooks/policyctl.json"},
		},
		// The name in this spelling makes the agent speak Claude's protocol.
		events: []event{{name: "PreToolUse", timeout: long}, turn},
		flat:   true, commandKey: "bash", timeoutKey: "timeoutSec", unit: time.Second,
		top:   object{{"version", 1}},
		shell: "Bash", sends: object{{"timestamp", "2026-01-01T00:00:00Z"}},
		switches: []offSwitch{
			{keys: []string{"disableAllHooks"}, off: true},
			{inHome, "settings.json", []string{"disableAllHooks"}, true},
			{inProject, ".github/copilot/settings.json", []string{"disableAllHooks"}, true},
			{inProject, ".github/copilot/settings.local.json", []string{"disableAllHooks"}, true},
			{inProject, ".claude/settings.json", []string{"disableAllHooks"}, true},
			{inProject, ".claude/settings.local.json", []string{"disableAllHooks"}, true},
		},
		ownFile: true,
		reads:   "claude",
		limited: true, // a hook that fails blocks by itself
		program: "copilot", tried: version{1, 0, 102},
		environ:    []string{"COPILOT_CLI=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.bareRepository", "GIT_CONFIG_VALUE_0=explicit"},
		folder:     folderTrust{file: "config.json", read: trustedByCopilot},
		rootsAlone: true,
	}
}

func qwen() *Agent {
	return &Agent{
		Name: "qwen", Title: "Qwen Code",
		home: ".qwen", comments: true,
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/qwen-code/settings.json", examined: true},
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".qwen/settings.json"},
		},
		events:  []event{{name: "PreToolUse", timeout: short}, {name: "PermissionRequest", timeout: long}, turn},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Millisecond,
		shell: "run_shell_command", sends: object{{"permission_mode", "default"}, {"transcript_path", "/dev/null"}, {"tool_call_id", "doctor"}},
		switches: []offSwitch{
			{keys: []string{"disableAllHooks"}, off: true},
			{keys: []string{"hooksConfig", "enabled"}},
		},
		guarded: true, limited: true,
		program: "qwen", tried: version{0, 24, 4},
		flags:     []string{"qwen --bare", "qwen --safe-mode"},
		variables: []string{"QWEN_CODE_SIMPLE", "QWEN_CODE_SAFE_MODE"},
		envIn:     []Scope{Managed, User, Project}, dotenv: true,
		dropsManaged: true,
	}
}

func gemini() *Agent {
	return &Agent{
		Name: "gemini", Title: "Gemini CLI",
		home: ".gemini", comments: true,
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/gemini-cli/settings.json", os: "linux", examined: true},
			{scope: Managed, base: inRoot, path: "Library/Application Support/GeminiCli/settings.json", os: "darwin", examined: true},
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".gemini/settings.json"},
		},
		events: []event{
			{name: "BeforeTool", timeout: short},
			{name: "BeforeAgent", timeout: turn.timeout, tells: true},
		},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Millisecond,
		shell: "run_shell_command", sends: object{{"transcript_path", "/dev/null"}, {"timestamp", "2026-01-01T00:00:00Z"}},
		switches: []offSwitch{{keys: []string{"hooksConfig", "enabled"}}},
		guarded:  true, limited: true,
		program: "gemini", tried: version{0, 61, 0},
		flags:        []string{"GEMINI_RESTRICTED_MODE=true gemini", "GEMINI_CLI_TRUST_WORKSPACE=false gemini"},
		dropsManaged: true,
		folder:       folderTrust{file: "trustedFolders.json", read: trustedByGemini, everywhere: true},
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

// drops returns the ways to start the agent without the user's hooks.
func (a *Agent) drops() []string {
	out := slices.Clone(a.flags)
	for _, v := range a.variables {
		out = append(out, v+"=1")
	}
	return out
}

// location returns the file of a scope that can be changed.
func (a *Agent) location(s Scope, system string) (location, bool) {
	for _, l := range a.locations {
		if l.scope == s && !l.examined && (l.os == "" || l.os == system) {
			return l, true
		}
	}
	return location{}, false
}

// scopes lists the scopes in which the agent's settings can be changed.
func (a *Agent) scopes(system string) string {
	var out []string
	for _, s := range Scopes() {
		if _, ok := a.location(s, system); ok {
			out = append(out, string(s))
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
	out := object{{"type", "command"}, {a.commandKey, r.line(e, timeout)}, {a.timeoutKey, int(timeout / a.unit)}}
	return append(out, e.extra...)
}
