package record

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// line makes the records of a shell line.
func (d *recordMaker) line() {
	if d.in.Line.Problem != nil {
		r := d.record("shell.exec", "", "shell", "a line that cannot be read", -1)
		r.Facets["shell"] = map[string]any{"line": d.in.Line.Source}
		r.Unknown = append(r.Unknown, "summary", "verb", "sensitivity", "shell.program", "shell.argv", "shell.command", "shell.dir",
			"shell.context", "shell.writes", "shell.reads", "shell.hosts", "shell.dangerous")
		r.hideSecondary()
		return
	}
	for i := range d.in.Line.Commands {
		d.command(i)
	}
}

// hideSecondary notes that the facets which a command may have beside that of
// the shell are unknown.
func (r *Record) hideSecondary() {
	r.Unknown = append(r.Unknown, "file", "http", "ssh", "sql", "k8s")
}

// command makes the records of one simple command.
func (d *recordMaker) command(i int) {
	c := &d.in.Line.Commands[i]
	sensitivity := Mutate
	if d.needs&needSensitivity != 0 {
		sensitivity = d.sensitivity(i)
	}
	name := ownName(c)
	d.named(i, name, sensitivity)
	if known := program.Listed(name); known != name && !c.Keyword {
		d.named(i, known, sensitivity) // a rule may know it by this name
	}
	if c.Opaque != "" {
		d.opaque(i)
	}
}

// ownName returns the base name of a program as the line has it, but without case.
func ownName(c *command.Command) string {
	if c.Keyword || c.Path == c.Name {
		return c.Name
	}
	return shell.Fold(shell.Base(c.Path))
}

// named makes the records of one simple command under one of the names of its program.
func (d *recordMaker) named(i int, name string, sensitivity Sensitivity) {
	c := &d.in.Line.Commands[i]
	base := d.shellFacet(i, name)
	for _, extra := range d.combine(d.secondary(c)) {
		verb, known := VerbOf(c)
		if verb == c.Called() {
			verb = name
		}
		text, whole := base.fields["command"].(string)
		r := d.record("shell.exec", verb, "shell", text, i)
		if !whole {
			r.Unknown = append(r.Unknown, "summary")
		}
		r.Sensitivity = sensitivity
		r.attach(base)
		if !known {
			r.Unknown = append(r.Unknown, "verb")
		}
		for _, f := range extra {
			r.attach(f)
		}
	}
}

// opaque makes the record of what a command runs and nobody knows.
func (d *recordMaker) opaque(i int) {
	r := d.record("shell.exec", "", "shell", "what is unknown", i)
	r.Facets["shell"] = map[string]any{"line": d.in.Line.Source}
	r.Unknown = append(r.Unknown, "summary", "verb", "sensitivity", "shell.program", "shell.argv", "shell.command", "shell.dir",
		"shell.context", "shell.writes", "shell.reads", "shell.hosts", "shell.dangerous")
	r.hideSecondary()
}

// VerbOf returns the sub-command of a command, or else its program. It is not
// known where a word that is unknown may be the sub-command.
func VerbOf(c *command.Command) (verb string, known bool) {
	if c.Args.Sub != "" {
		return c.Args.Sub, true
	}
	if v := c.Args.Verb; v > 0 && v < len(c.Words) {
		text, ok := wordText(&c.Words[v])
		return text, ok
	}
	return c.Called(), c.Name != "" || len(c.Words) == 0
}

// sensitivity says how much harm a command can do.
func (d *recordMaker) sensitivity(i int) Sensitivity {
	switch {
	case d.in.ReadsOnly(i):
		return Read
	case d.in.Destroys(i):
		return Destructive
	}
	c := d.in.Line.Commands[i]
	worst := Read
	redirects := c.Redirects
	c.Redirects = nil
	c.Effects(func(e command.Effect) bool {
		switch e.Kind {
		case command.Writes:
			worst = min(worst, Write)
		case command.Deletes, command.Moves, command.Alters, command.Runs, command.Connects:
			worst = Mutate
		}
		return worst != Mutate
	})
	if worst == Read && len(redirects) > 0 && d.in.Prints(i) || worst == Write && c.Opaque == "" && c.Doubt == "" {
		return Write
	}
	return Mutate
}

// shellFacet describes a command itself, its program by a name.
func (d *recordMaker) shellFacet(i int, name string) facet {
	c := &d.in.Line.Commands[i]
	f := facet{name: "shell", fields: map[string]any{
		"program": name, "context": c.Context.String(), "line": d.in.Line.Source,
	}}
	if len(c.Words) > 0 && c.Name == "" {
		f.hide("program")
	}
	if dir, ok := c.Dir.Literal(); ok && strings.HasPrefix(dir, "/") {
		f.fields["dir"] = dir
	} else {
		f.hide("dir")
	}
	f.words(c, name)
	if d.needs&needPaths != 0 {
		f.paths(c, "writes", changes)
		f.paths(c, "reads", reads)
	}
	if d.needs&needHosts != 0 {
		f.hosts(c)
	}
	if d.needs&needDangerous != 0 {
		f.dangers(d.in.Dangers(i))
	}
	return f
}

// dangers adds the ids of dangerous patterns, and that there may be more.
func (f *facet) dangers(ids []string, more bool) {
	if more {
		f.unknown = append(f.unknown, element("shell.dangerous", len(ids)))
		ids = append(ids, shell.UnknownText)
	}
	f.fields["dangerous"] = ids
}

// words adds argv and command.
func (f *facet) words(c *command.Command, name string) {
	argv := make([]string, len(c.Words))
	open := false
	for i := range c.Words {
		text, ok := wordText(&c.Words[i])
		if !ok {
			text, open = shell.UnknownText, true
			f.unknown = append(f.unknown, element("shell.argv", i))
		}
		argv[i] = text
	}
	if len(argv) > 0 && name != ownName(c) {
		argv[0] = argv[0][:strings.LastIndexByte(argv[0], '/')+1] + name
	}
	f.fields["argv"] = argv
	if open {
		f.hide("command")
		return
	}
	f.fields["command"] = commandText(name, argv)
}

// commandText joins the words of a command. A program that is given by an
// absolute path stands there by its base name, as for the field program.
func commandText(name string, argv []string) string {
	if len(argv) == 0 || !strings.HasPrefix(argv[0], "/") {
		return strings.Join(argv, " ")
	}
	return strings.Join(append([]string{name}, argv[1:]...), " ")
}

// wordText returns the text of a word that is one argument of one value.
func wordText(w *shell.Word) (string, bool) {
	text, ok := w.Literal()
	return text, ok && !w.Many
}

// changes reports whether an effect changes what it is about.
func changes(c *command.Command, e command.Effect) bool {
	switch e.Kind {
	case command.Writes:
		return !isSink(c, e.Target)
	case command.Deletes, command.Moves, command.Alters:
		return true
	}
	return false
}

// reads reports whether an effect reads a file: a script that is run is read too.
func reads(c *command.Command, e command.Effect) bool {
	if e.Kind != command.Runs {
		return e.Kind == command.Reads
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleExec && c.Words[o.At].Span == e.Span {
			return true
		}
	}
	return false
}

// isSink reports whether what is written is thrown away, or shown.
func isSink(c *command.Command, target shell.Set) bool {
	return target.KeepsNothing() && !program.OfKind(c.Name, "replaces")
}

// paths adds the paths of some effects. Those within a container or on another
// host are none of this machine.
func (f *facet) paths(c *command.Command, field string, of func(*command.Command, command.Effect) bool) {
	out := []string{}
	if c.Context != program.Local {
		f.fields[field] = out
		return
	}
	unlisted := (c.Args.Unlisted || c.Args.Open) && c.MayChange()
	c.Effects(func(e command.Effect) bool {
		if !of(c, e) {
			return true
		}
		if !knownPaths(e) {
			f.unknown = append(f.unknown, element("shell."+field, len(out)))
			out = append(out, shell.UnknownText)
			return true
		}
		out = append(out, shell.Paths(e.Dir, e.Target)...)
		return true
	})
	f.fields[field] = out
	if unlisted {
		f.hide(field)
	}
}

// knownPaths reports whether the paths of an effect are known and absolute.
func knownPaths(e command.Effect) bool {
	if !e.Target.Known() {
		return false
	}
	for _, p := range e.Target.Values {
		if !strings.HasPrefix(p, "/") && (len(e.Dir.Values) == 0 || e.Dir.Open || e.Dir.Glob || !strings.HasPrefix(e.Dir.Values[0], "/")) {
			return false
		}
	}
	return true
}
