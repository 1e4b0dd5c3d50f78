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
	// untyped says that a handler has no key type.
	untyped bool
	// closes is the key in the handler with which the agent blocks a call whose hook
	// fails, "" for none.
	closes string
	unit   time.Duration // of timeouts
	top    object        // what the file needs beside hooks
	// guarded says that a hook which fails lets the call run, so that its
	// command line has to refuse by itself; limited says the same of a hook
	// that takes too long.
	guarded, limited bool
	// program is what the agent is started as. It was tried in the version tried, or
	// else its source was read in the version read, or its documentation; needs is what
	// an older one lacks.
	program     string
	tried, read version
	needs       lack
	// most is the longest that the agent lets a hook take; 0 is no bound.
	most time.Duration
	// hides is a file beside the settings with which the agent reads no hook in them.
	hides string
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
	// own is the template of a file that is a program of ours, in the form [ownText].
	own string
	// beside are files that the agent wants beside that of the hook.
	beside []companion
	// trusts says that the agent runs only hooks with a record of trust.
	trusts bool
	// switches are settings that turn hooks off.
	switches []offSwitch
	// reads is another agent whose project settings this one runs too, and with
	// readsUser those of the user.
	reads     string
	readsUser bool
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
	return []*Agent{
		claude(), codex(), copilot(), qwen(), gemini(), kimi(), grok(), opencode(), kilo(), pi(), amp(), commandcode(),
		auggie(), qoder(), droid(), cursor(), goose(), crush(), cline(), windsurf(),
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
	a, timeout := r.Agent, r.timeout(e)
	out := object{{"type", "command"}, {a.commandKey, r.line(e, timeout)}}
	if a.untyped {
		out = out[1:]
	}
	if a.timeoutKey != "" {
		out = append(out, pair{a.timeoutKey, int(timeout / a.unit)})
	}
	return append(out, e.extra...)
}

// timeout returns how long the agent waits for the hook of an event.
func (r *Request) timeout(e event) time.Duration {
	switch {
	case r.Timeout > 0:
		return r.Timeout
	case r.Wait > 0 && e.asks():
		return r.Wait + Slack
	}
	return e.timeout
}
