package install

import "slices"

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
	if slices.ContainsFunc(all, definesHook) {
		e.note("others", "keep hooks in one of the two files", "%s has hooks too; they are not examined, and Codex warns of hooks in both files", f.path)
	}
}

func definesHook(st statement) bool {
	return st.path[0] == hooksKey && (len(st.path) > 1 && st.path[1] != stateKey || len(st.path) == 1 && !st.header)
}
