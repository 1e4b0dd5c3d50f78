package install

import (
	"slices"
	"strings"
)

// configuration checks what else the configuration of Codex says about hooks.
func (e *examination) configuration() {
	if !e.agent.trusts {
		return
	}
	r := Request{Agent: e.agent, Place: e.place}
	f, err := r.configuration()
	if err != nil {
		return // told with the records of trust
	}
	all, err := statements(f.text)
	if err != nil {
		e.problem("settings", "correct it: Codex may not read it either", "%v", f.at(err))
		return
	}
	if slices.ContainsFunc(all, turnsHooksOff) {
		e.problem("switches", "remove it", "%s turns hooks off under features", f.path)
	}
	if slices.ContainsFunc(all, definesHook) {
		e.note("others", "keep hooks in one of the two files", "%s has hooks too; they are not examined, and Codex warns of hooks in both files", f.path)
	}
}

// turnsHooksOff says whether a statement turns hooks off; codex_hooks is the
// older name. A table on one line is not taken apart: it counts if it names
// hooks and has a false in it.
func turnsHooksOff(st statement) bool {
	switch {
	case len(st.path) == 1 && st.path[0] == "features":
		return strings.Contains(st.value, "hooks") && strings.Contains(st.value, "false")
	case len(st.path) == 2 && st.path[0] == "features":
		return (st.path[1] == "hooks" || st.path[1] == "codex_hooks") && st.value == "false"
	}
	return false
}

func definesHook(st statement) bool {
	return st.path[0] == hooksKey && (len(st.path) > 1 && st.path[1] != stateKey || len(st.path) == 1 && !st.header)
}
