// Package install writes policyctl's hook into the settings of a coding agent,
// takes it out again, and examines what is installed.
//
// What differs between agents is data in agents.go. Settings are edited as
// text, so that everything else in them keeps its order, its numbers and its
// layout. A file that cannot be edited without loss is refused. A change is a
// [Plan] first: it can be shown before it is applied.
//
// The package decides no call. It runs nothing but the installed hook, the
// agent to learn its version, both only in [Examine], and timeout to see
// whether it works ([Limiter]).
package install

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Request says whose settings to change, and to what.
type Request struct {
	Agent *Agent
	Scope Scope
	Place Place
	// Command is the command line of the hook, from [CommandLine].
	Command string
	// Limiter is the path of the program timeout, from [Limiter]; "" leaves
	// a hook that hangs to the agent.
	Limiter string
	// Timeout is how long the agent waits for the hook; 0 is what suits the
	// agent, or what Wait needs.
	Timeout time.Duration
	// Wait is how long the hook may wait for a decision, in whole seconds; 0
	// leaves it to the hook. The agent then waits longer by Slack.
	Wait time.Duration
	// Trust writes the record with which Codex trusts the hook.
	Trust bool
}

// MinTimeout is the shortest time that an agent may wait for the hook: most
// agents run the call when the time is over. It is the time that a hook waits
// for a decision unless it was told another, and the lead that it needs.
const MinTimeout = 20*time.Second + lead

// MaxWait is the longest time that a hook may be told to wait; Slack is how
// much longer the agent then waits, and lead the least of it with which the
// hook ends first.
const (
	MaxWait = long - Slack
	Slack   = 20 * time.Second
	lead    = 10 * time.Second
)

// A Refusal is the error for settings that cannot be edited without loss.
type Refusal struct {
	Err error
	// Snippet is what to add by hand.
	Snippet string
}

func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.Err }

// Install returns the changes after which the agent asks policyctl. They are
// none if it does so already.
func Install(r Request) (*Plan, error) {
	loc, f, err := r.open()
	if err != nil {
		return nil, err
	}
	after, err := r.addTo(loc, f.text)
	if err != nil {
		return nil, &Refusal{f.at(err), r.snippet(loc)}
	}
	p := &Plan{Notes: r.hindrances()}
	f.executable = loc.form == ownText && strings.HasPrefix(after, "#!")
	err = p.change(f, after)
	if err == nil {
		err = r.accompany(p, f)
	}
	if err == nil && r.Agent.trusts && loc.scope != Managed {
		err = r.trust(p, f.path, f.text, after)
	}
	return p, err
}

// hindrances are the settings because of which the agent would not run the
// hook.
func (r *Request) hindrances() (out []string) {
	e := &examination{agent: r.Agent, place: r.Place}
	e.readAll()
	e.switches()
	for _, f := range e.report {
		if f.Check == "switches" && f.Level != OK {
			out = append(out, f.Text+": "+f.Next)
		}
	}
	return out
}

// Uninstall returns the changes after which nothing is left of what [Install]
// has added. They are none if there is nothing.
func Uninstall(r Request) (*Plan, error) {
	loc, f, err := r.open()
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	if !f.exists {
		return p, nil
	}
	after, bare, err := r.removeFrom(loc, f)
	if err != nil {
		return nil, f.at(err)
	}
	if bare {
		err = p.delete(f, after)
	} else {
		err = p.change(f, after)
	}
	if err == nil && bare {
		err = r.unaccompany(p, f)
	}
	if err == nil && r.Agent.trusts && loc.scope != Managed {
		r.untrust(p, f.path, f.text, after)
	}
	return p, err
}

// addTo returns the text of a settings file with the hook in it.
func (r *Request) addTo(l location, text string) (string, error) {
	switch l.form {
	case requirements:
		return r.require(text)
	case hooksTOML:
		return r.addTables(text)
	case ownText:
		return r.addOwn(text)
	}
	return r.add(text)
}

// removeFrom returns the text of a settings file without the hook; bare says
// that the file was made for it and nothing else is left.
func (r *Request) removeFrom(l location, f *file) (after string, bare bool, err error) {
	switch l.form {
	case requirements:
		after, err = r.unrequire(f.text)
		return after, after == "" && len(f.backups()) == 0, err
	case hooksTOML:
		after, err = withoutBlock(f.text)
		return after, after == "" && len(f.backups()) == 0, err
	case ownText:
		if _, ok := readOwned(f.text); !ok {
			return f.text, false, nil
		}
		return "", true, nil
	}
	before := r.Agent.earlier(f)
	after, err = r.Agent.remove(f.text, before)
	return after, err == nil && before == nil && r.Agent.isBare(after), err
}

// open reads the settings that are to change.
func (r *Request) open() (loc location, f *file, err error) {
	a := r.Agent
	loc, ok := a.location(r.Scope, r.Place.system())
	switch {
	case r.Scope == Managed && a.dropsManaged:
		return loc, nil, fmt.Errorf("%s drops managed hooks too when it is started with %s, so they guard no better than yours: use --scope user", a.Title, strings.Join(a.drops(), ", "))
	case a.most > 0 && max(r.timeout(a.events[0]), r.Wait) > a.most:
		return loc, nil, fmt.Errorf("%s lets a hook take %s at most: choose a shorter time", a.Title, a.most)
	case !ok:
		return loc, nil, fmt.Errorf("%s has no %s settings: choose one of %s", a.Title, r.Scope, a.scopes(r.Place.system()))
	}
	path, err := r.Place.path(a, loc)
	if err != nil {
		return loc, nil, err
	}
	if r.Scope == Managed && !r.Place.IsRoot {
		return loc, nil, fmt.Errorf("only root may write %s: run it again as root, as with sudo", path)
	}
	if f, err = openFile(path); err != nil {
		return loc, nil, err
	}
	f.shared = r.Scope == Managed
	if loc.base == inProject && !r.Place.holds(f.target) {
		return loc, nil, fmt.Errorf("%s leads out of the project, to %s: replace the link by a file", path, f.target)
	}
	return loc, f, nil
}

// snippet returns the settings of an agent that has nothing but the hook.
func (r *Request) snippet(l location) string {
	text, err := r.addTo(l, "")
	if err != nil {
		return ""
	}
	return text
}

var errExtra = errors.New("the agent may not read it either: remove it and try again, or edit the file by hand")
