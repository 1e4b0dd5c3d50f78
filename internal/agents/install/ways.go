package install

import (
	"strings"
)

// ways tells how the agent can be started without the hooks that are
// installed: by whoever starts it, on the command line or in the environment.
func (e *examination) ways() {
	a := e.agent
	if len(a.drops()) == 0 || len(e.ours(a.events[0].name)) == 0 {
		return
	}
	all := strings.Join(a.drops(), ", ")
	managed := e.managed()
	_, manageable := a.location(Managed, e.place.system())
	switch {
	case a.dropsManaged, !manageable:
		e.note("flags", "do not start it like this, and see that no alias or script does", "no hook runs in %s started with: %s", a.Title, all)
	case managed == nil:
		e.note("flags", "as root, run policyctl install "+a.Name+" --scope managed: that hook runs all the same", "no hook of yours runs in %s started with: %s", a.Title, all)
	case a.holds(managed):
		e.ok("flags", "the hook in %s runs however %s is started", managed.path, a.Title)
	default:
		e.note("flags", "as root, run policyctl install "+a.Name+" --scope managed", "%s does not keep hooks on, so none runs in %s started with: %s", managed.path, a.Title, all)
	}
}

// managed returns the managed settings that hold a hook of ours before calls,
// those that keep it on first; nil if there are none.
func (e *examination) managed() (best *found) {
	for i, f := range e.settings {
		ours, err := e.agent.ours(f.document, e.agent.events[0].name)
		if f.scope == Managed && err == nil && len(ours) > 0 && (best == nil || f.pinned) {
			best = &e.settings[i]
		}
	}
	return best
}
