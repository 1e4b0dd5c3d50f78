package install

import (
	"fmt"
)

// duplicates looks for hooks that the agent takes from the settings of
// another.
func (e *examination) duplicates() {
	other, ok := Lookup(e.agent.reads)
	if !ok {
		return
	}
	for _, l := range other.locations {
		path, err := e.place.path(other, l)
		if l.base != inProject && !e.agent.readsUser || err != nil {
			continue
		}
		f, err := openFile(path)
		if err != nil || !f.exists {
			continue
		}
		if d, err := parse(f.text); err == nil && len(other.allOurs(d)) > 0 {
			e.note("duplicates", "if each call is decided twice, uninstall one", "%s runs the hook of %s in %s too", e.agent.Title, other.Title, path)
		}
	}
}

// others lists the hooks of others that see the same events.
func (e *examination) others() {
	for _, f := range e.settings {
		for _, ev := range e.agent.events {
			all, err := e.agent.handlers(f.document, ev.name)
			if err != nil {
				continue // told already
			}
			for _, h := range all {
				if !e.agent.owns(h) {
					e.note("others", "make sure that you trust it", "another hook of %s may change a call after policyctl has judged it: %s: %s", ev.name, f.path, e.agent.describe(h))
				}
			}
		}
	}
}

// describe returns what a hook of others starts.
func (a *Agent) describe(h handler) string {
	for _, key := range []string{a.commandKey, "command", "bash", "url", "tool"} {
		if s, _ := h.fields[key].(string); s != "" {
			return s
		}
	}
	return fmt.Sprintf("a hook of type %v", h.fields["type"])
}
