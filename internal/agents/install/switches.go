package install

import (
	"path/filepath"
	"slices"
	"strings"
)

// switches looks for what turns hooks off: in settings, in the environment and
// in what a repository can set there.
func (e *examination) switches() {
	managed := e.managed()
	for _, s := range e.agent.switches {
		for _, at := range e.positions(s) {
			e.off(managed, s.base == inRoot || at.scope == Managed, "%s has %s, which turns hooks off", at.path, at.text)
		}
	}
	for _, s := range e.agent.managedOnly {
		for _, at := range e.positions(s) {
			if managed == nil {
				e.problem("switches", "as root, run policyctl install "+e.agent.Name+" --scope managed", "%s allows only hooks of the organisation, so yours does not run", at.path)
			}
		}
	}
	e.variables(managed)
	e.configuration()
	e.hidden()
	if !slices.ContainsFunc(e.report, func(f Finding) bool { return f.Check == "switches" }) {
		e.ok("switches", "nothing turns hooks off")
	}
}

// hidden looks for a file with which the agent reads no hook in its settings.
func (e *examination) hidden() {
	dir, err := e.place.folder(e.agent)
	if e.agent.hides == "" || err != nil {
		return
	}
	path := filepath.Join(dir, e.agent.hides)
	if f, err := openFile(path); err != nil || f.exists {
		e.problem("switches", "move its hooks into settings.json and remove it",
			"%s exists, so %s reads no hook in settings.json", path, e.agent.Title)
	}
}

// off reports what turns hooks off: a problem, unless a managed hook runs all
// the same.
func (e *examination) off(managed *found, byOrganisation bool, format string, args ...any) {
	if e.agent.holds(managed) && !byOrganisation {
		e.note("switches", "remove it, unless the managed hook is enough", format+"; the managed one runs all the same", args...)
		return
	}
	e.problem("switches", "remove it", format, args...)
}

// A setting is where a switch is set.
type setting struct {
	scope      Scope
	path, text string
}

// positions returns where a switch is set so that hooks are off.
func (e *examination) positions(s offSwitch) (out []setting) {
	if s.file == "" {
		for _, f := range e.settings {
			out = append(out, f.set(s)...)
		}
		return out
	}
	path, err := e.place.path(e.agent, location{base: s.base, path: s.file})
	if err != nil {
		return nil // told with the settings
	}
	f, err := openFile(path)
	if err != nil || !f.exists {
		return nil
	}
	if filepath.Ext(path) == ".toml" {
		return tomlPositions(f, s)
	}
	d, err := parse(f.text)
	if err != nil {
		e.problem("settings", "correct it", "%v", f.at(err))
		return nil
	}
	return (&found{path: f.path, document: d}).set(s)
}

// set returns where a switch is set in JSON. What is neither true nor false may be an object
// of settings, and counts as whatever turns hooks off.
func (f *found) set(s offSwitch) []setting {
	n := f.root.Get(s.keys...)
	if n == nil || n.Kind == 'n' && s.off || (n.Kind == 't') != s.off && (n.Kind == 't' || n.Kind == 'f') {
		return nil
	}
	return []setting{{f.scope, f.path, strings.Join(s.keys, ".") + ": " + f.raw(n)}}
}

// tomlPositions returns where a switch is set in TOML. A table on one line is
// not taken apart: it counts if it has the last key and the value in it.
func tomlPositions(f *file, s offSwitch) []setting {
	all, err := statements(f.text)
	if err != nil {
		return nil // told with the configuration
	}
	value := map[bool]string{true: "true", false: "false"}[s.off]
	last := s.keys[len(s.keys)-1]
	for _, st := range all {
		whole := slices.Equal(st.path, s.keys) && st.value == value
		inline := !st.header && slices.Equal(st.path, s.keys[:len(s.keys)-1]) && strings.Contains(st.value, last) && strings.Contains(st.value, value)
		if whole || inline {
			return []setting{{"", f.path, strings.Join(s.keys, ".") + " = " + value}}
		}
	}
	return nil
}

// variables looks for the variables that start the agent without hooks.
func (e *examination) variables(managed *found) {
	for _, name := range e.agent.variables {
		if on(e.place.Getenv(name)) {
			e.off(managed, false, "the environment has %s=%s, with which %s runs no hook of yours", name, e.place.Getenv(name), e.agent.Title)
		}
		for _, f := range e.settings {
			n := f.root.Get("env", name)
			if n != nil && slices.Contains(e.agent.envIn, f.scope) && on(strings.Trim(f.raw(n), `"`)) {
				e.off(managed, f.scope == Managed, "%s sets %s, with which %s runs no hook of yours", f.path, name, e.agent.Title)
			}
		}
	}
	if e.agent.dotenv {
		e.dotenvs(managed)
	}
}

// on reports whether a variable is taken for set.
func on(value string) bool {
	return value != "" && value != "0" && !strings.EqualFold(value, "false")
}

// dotenvs looks for the variables in the files .env that the agent reads: of
// the directory and those above it, and of the user.
func (e *examination) dotenvs(managed *found) {
	var files []string
	for dir := range ancestors(e.place.Dir) {
		files = append(files, filepath.Join(dir, e.agent.home, ".env"), filepath.Join(dir, ".env"))
	}
	for _, path := range append(files, filepath.Join(e.place.Home, e.agent.home, ".env"), filepath.Join(e.place.Home, ".env")) {
		f, err := openFile(path)
		if err != nil || !f.exists {
			continue
		}
		for line := range strings.Lines(f.text) {
			name, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
			if slices.Contains(e.agent.variables, strings.TrimSpace(name)) && on(strings.Trim(strings.TrimSpace(value), `"'`)) {
				e.off(managed, false, "%s sets %s, with which %s runs no hook", f.path, strings.TrimSpace(name), e.agent.Title)
			}
		}
	}
}
