package install

import (
	"context"
	"os"
	"time"
)

// A State is how an agent of a machine is guarded.
type State struct {
	Name, Title string
	// Version is that of the agent, "" where it is unknown.
	Version string
	// Scopes are those in whose settings the hook stands; none where the agent asks
	// nobody.
	Scopes []Scope
	// Changed is when these settings were changed last.
	Changed time.Time
	// Held says that the hook runs however the user starts the agent.
	Held bool
	// Problems are what keeps the hook from guarding, and Drops the ways to start the
	// agent without it.
	Problems, Drops []string
}

// StateOf returns how an agent is guarded, as [Examine] finds it.
func StateOf(ctx context.Context, a *Agent, place Place, host Host) State {
	s := State{Name: a.Name, Title: a.Title}
	ask := host.Version
	host.Version = func(ctx context.Context, program, dir string) (string, error) {
		text, err := ask(ctx, program, dir)
		if v, ok := parseVersion(text); ok && err == nil {
			s.Version = v.String()
		}
		return text, err
	}
	e := &examination{agent: a, place: place}
	e.readAll()
	for _, h := range e.ours(a.events[0].name) {
		s.Scopes = append(s.Scopes, h.scope)
		if info, err := os.Stat(h.path); err == nil && info.ModTime().After(s.Changed) {
			s.Changed = info.ModTime()
		}
	}
	if len(s.Scopes) == 0 {
		_, _ = host.Version(ctx, a.program, "")
		return s
	}
	s.Held = a.holds(e.managed())
	for _, f := range Examine(ctx, a, place, host) {
		if f.Level == Problem {
			s.Problems = append(s.Problems, f.Check+": "+f.Text)
		}
	}
	if !s.Held {
		s.Drops = a.drops()
	}
	return s
}
