package install

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// An examination is the work of [Examine].
type examination struct {
	agent *Agent
	place Place
	report
	settings []found
}

// A found is a settings file with what it says.
type found struct {
	scope Scope
	path  string
	*document
	// pinned says that the user cannot turn off what stands here.
	pinned bool
}

// A Host is what an examination starts. Both functions must be set: [Shell]
// and [Version], or what stands for them in tests.
type Host struct {
	Run     Runner
	Version func(ctx context.Context, program, dir string) (string, error)
}

// Examine looks for the hook in all settings of an agent, checks what it
// finds, and sends the hook events to see what it answers: about commands
// that must be allowed and one that must be denied. None is ever run.
func Examine(ctx context.Context, a *Agent, place Place, host Host) []Finding {
	e := &examination{agent: a, place: place}
	e.version(ctx, host.Version)
	e.readAll()
	e.switches()
	for _, event := range a.events {
		e.event(event)
	}
	e.duplicates()
	e.others()
	e.ways()
	for _, h := range e.lines() {
		e.probe(ctx, h, host.Run)
	}
	return e.report
}

// Installed reports whether some settings of an agent have the hook before calls.
func Installed(a *Agent, place Place) bool {
	e := &examination{agent: a, place: place}
	e.readAll()
	return len(e.ours(a.events[0].name)) > 0
}

// readAll reads the settings of all scopes.
func (e *examination) readAll() {
	for _, l := range e.agent.locations {
		path, err := e.place.path(e.agent, l)
		if err != nil {
			e.problem("settings", "correct it and try again", "%v", err)
			continue
		}
		files := []string{path}
		if e.agent.ownFile {
			others, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.json"))
			if err == nil {
				files = append(files, others...)
			}
		}
		for _, file := range files {
			e.read(l, file)
		}
	}
}

// read adds the settings of a file, if there is one that is not read yet: in
// the home directory those of a project are those of the user.
func (e *examination) read(l location, path string) {
	known := func(f found) bool { return resolved(f.path) == resolved(path) }
	if slices.ContainsFunc(e.settings, known) {
		return
	}
	f, err := openFile(path)
	if err != nil {
		e.problem("settings", "correct it: "+e.agent.Title+" may not read it either", "%v", err)
		return
	}
	if !f.exists {
		return
	}
	text := f.text
	if l.form != settingsJSON {
		text, err = asSettings(l.form, f.text)
		if l.form != ownText && unread(f.text) {
			e.note("others", "write them as tables", "%s has hooks in a form that is not examined", path)
		}
	}
	var d *document
	if err == nil {
		d, err = parse(text)
	}
	if err == nil {
		err = e.agent.extra(d)
	}
	if err != nil {
		e.problem("settings", "correct it: "+e.agent.Title+" may not read it either", "%v", f.at(err))
	}
	if l.form == ownText && !e.agent.isOwn(f.text) {
		e.problem("settings", "run policyctl install "+e.agent.Name+" again", "%s is not what policyctl writes: it was edited, or is of another version", path)
	}
	if d != nil {
		e.settings = append(e.settings, found{l.scope, path, d, e.agent.pinned(l, f.text, d)})
	}
}

// A seen is a hook of ours in a file.
type seen struct {
	handler
	invocation
	scope Scope
	path  string
}

// ours returns our hooks for an event in all settings.
func (e *examination) ours(event string) (out []seen) {
	for _, f := range e.settings {
		all, err := e.agent.ours(f.document, event)
		if err != nil {
			e.problem("settings", "correct it: "+e.agent.Title+" may not read it either", "%s:%v", f.path, err)
		}
		for _, h := range all {
			inv, _ := e.agent.invocation(h)
			out = append(out, seen{h, inv, f.scope, f.path})
		}
	}
	return out
}

// event checks the hooks of ours for one event.
func (e *examination) event(ev event) {
	ours := e.ours(ev.name)
	if len(ours) == 0 {
		e.problem(ev.name, "run policyctl install "+e.agent.Name, "%s does not ask policyctl", e.agent.Title)
		return
	}
	for _, h := range ours {
		before := len(e.report)
		e.check(ev, h)
		if len(e.report) == before {
			e.ok(ev.name, "%s runs %s and waits %s", h.path, h.plain, e.agent.waits(h.handler))
		}
	}
	if len(ours) > 1 {
		next := "keep one of them, as with policyctl uninstall " + e.agent.Name + " --scope " + string(ours[1].scope)
		e.problem(ev.name, next, "the hook is installed %d times, so each call is decided %d times: in %s", len(ours), len(ours), paths(ours))
	}
}

func paths(all []seen) string {
	var out []string
	for _, h := range all {
		if !slices.Contains(out, h.path) {
			out = append(out, h.path)
		}
	}
	return strings.Join(out, " and ")
}
