package eval

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// startsUp reads the files that the line has written and that command i runs as
// it starts or leaves: those of a shell, and the hooks of git.
func (r *reader) startsUp(i int, own *scope) {
	if len(r.disk.files) == 0 {
		return
	}
	c := &r.line.Commands[i]
	if p := program.Lookup(c.Name); p != nil {
		files := p.Startup.Always
		if program.IsShell(p) && c.Args.Has("i") {
			files += " " + p.Startup.Interactive
		}
		if c.Args.HasAny(p.Startup.LoginIf) {
			files += " " + p.Startup.Login
		}
		for f := range strings.FieldsSeq(files) {
			r.runsFile(i, r.env.Home+"/"+f, own)
		}
	}
	if c.How("speaks") == "git" {
		r.runsHooks(i, own)
	}
}

// runsHooks reads the hooks that the line has written and that git runs.
func (r *reader) runsHooks(i int, own *scope) {
	sub, dirs := r.line.Commands[i].Args.Sub, r.hookDirs(i, own)
	for name := range program.Hooks(sub) {
		for _, dir := range dirs {
			r.runsFile(i, dir+"/"+name, own)
		}
	}
}

// hookDirs returns the directories in which git looks for its hooks.
func (r *reader) hookDirs(i int, own *scope) []string {
	c := &r.line.Commands[i]
	names := []string{".git/hooks"}
	settings := r.gitSettings(i, own)
	for k := range r.line.Commands[i].Args.Options {
		if o := &r.line.Commands[i].Args.Options[k]; o.Spec != nil && o.Spec.Role == program.RoleConfig && o.HasArg {
			settings = append(settings, o.Arg)
		}
	}
	for _, s := range settings {
		for _, v := range s.Values {
			if key, dir, ok := strings.Cut(v, "="); ok && strings.EqualFold(key, "core.hooksPath") {
				names = append(names, dir)
			}
		}
	}
	var out []string
	for _, dir := range c.DirAt(c.Args.Verb).Values {
		for _, name := range names {
			out = append(out, shell.Abs(dir, name))
		}
	}
	return out
}

// runsFile reads the text that the line has written to a file as what command i
// runs.
func (r *reader) runsFile(i int, path string, own *scope) {
	if text, ok := r.disk.files[path]; ok {
		text.Open = true // the file may have held more
		r.apart(i, shell.Word{Set: text, Span: r.line.Commands[i].Span}, own)
	}
}
