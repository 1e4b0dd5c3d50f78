package permission

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Door says by which argument a command that an allow covers does what its author need
// not have meant: it runs another program or module, is ruled by what lies elsewhere,
// writes outside the project, or works there. It is "" where there is none, where the
// pattern spells the argument, where a star stands for the program or the
// sub-command, so that everything is meant, and for what only wraps another command, which
// is judged itself.
func (p *Pattern) Door(in *View, c *command.Command) string {
	row := c.Row()
	if p.all || c.Keyword || row != nil && row.Transparent || p.meansAll(c) {
		return ""
	}
	if c.Context == program.Local && !in.IsInside(c.Dir) {
		return "it runs outside the project"
	}
	if p.glob.literal {
		return ""
	}
	if why := in.throughUnlisted(p, c); why != "" || row == nil {
		return why
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.HasArg && !p.spells(o) {
			if why := in.throughOption(p, c, o); why != "" {
				return why
			}
		}
	}
	if why := p.elsewhere(c); why != "" {
		return why
	}
	for _, o := range c.Args.Operands {
		if why := in.throughOperand(p, c, o); why != "" {
			return why
		}
	}
	return p.loaded(in, c)
}

// meansAll reports whether a star of the pattern stands for the program, or for a word of
// the sub-command that the command has.
func (p *Pattern) meansAll(c *command.Command) bool {
	if len(p.verb) == 0 || strings.ContainsAny(p.verb[0][:1], "*?") {
		return true // one that completes a name stands for arguments too, as in pytest*
	}
	if c.Args.Verb == 0 {
		return false
	}
	for i := range strings.Count(c.Args.Sub, " ") + 1 {
		if i+1 >= len(p.verb) || strings.HasPrefix(p.verb[i+1], "*") {
			return true
		}
	}
	return false
}

// spells reports whether the pattern names an option.
func (p *Pattern) spells(o *command.Option) bool {
	for m := p.reading().meaning; m != nil; m = m.inner {
		for i := range m.options {
			if m.options[i].is(o) {
				return true
			}
		}
	}
	return false
}

// throughOption says why an option is a door.
func (in *View) throughOption(p *Pattern, c *command.Command, o *command.Option) string {
	if o.Spec == nil {
		return ""
	}
	name := program.Typed(o.Name)
	switch role := o.Spec.Role; {
	case p.runsAny(c):
		return "" // that is what the pattern allows
	case role.Runs() && role != program.RoleEnv, role == program.RoleExec, role == program.RoleCode:
		return name + " names what it runs"
	case role.Changes() && !o.Arg.KeepsNothing() && !in.IsInside(in.at(c, o)):
		return name + " writes outside the project"
	case role == program.RoleRead && c.Is(program.Installs) && !in.IsInside(in.at(c, o)):
		return name + " reads from elsewhere what is to be built or installed"
	case role == program.RoleDir && !in.IsInside(in.at(c, o)):
		return name + " leads out of the project"
	}
	return ""
}

// elsewhere says by which option a command that a pattern allows for one URL leads to another
// host, does not check who answers, or sends a file along.
func (p *Pattern) elsewhere(c *command.Command) string {
	if !strings.Contains(p.glob.text, "://") {
		return ""
	}
	reroutes, sends := strings.Split(c.How("reroutes"), ","), sentBy(c)
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		switch name := program.Typed(o.Name); {
		case p.spells(o):
		case slices.Contains(reroutes, o.Name), o.Spec != nil && o.Spec.Role == program.RoleHost:
			return name + " leads elsewhere, or does not check who answers"
		case o.HasArg && slices.Contains(sends, o.Arg.Span):
			return name + " sends a file"
		}
	}
	return ""
}

// sentBy returns the arguments by which a command sends the content of files.
func sentBy(c *command.Command) (at []shell.Span) {
	c.Effects(func(e command.Effect) bool {
		if e.Sent {
			at = append(at, e.Span)
		}
		return true
	})
	return at
}

// throughUnlisted says by which option of a program without a grammar, or of one that a runner
// starts, an argument leads out of the project: what it does there is unknown.
func (in *View) throughUnlisted(p *Pattern, c *command.Command) string {
	words, args := c.Words, customary(c.Words)
	if there := started(c); there != nil {
		words = there.Words
		args = parse(words).Args
	} else if c.Args.Program != nil {
		return ""
	}
	for i := range args.Options {
		o := &args.Options[i]
		w := o.Arg
		if spelt := command.DashValue(&words[o.At]); !o.HasArg && o.End < len(words) && (len(spelt) == 2 || strings.HasPrefix(spelt, "--")) {
			w = words[o.End] // a bundle mostly takes none
		}
		if p.spells(o) || !slices.ContainsFunc(w.Values, spellsPlace) {
			continue
		}
		if !in.IsInside(shell.Set{Values: shell.Paths(c.Dir, w.Set), Open: w.Open || c.Dir.Open}) {
			return program.Typed(o.Name) + " leads out of the project"
		}
	}
	return ""
}

// spellsPlace reports whether an argument is a path with a directory, and no URL.
func spellsPlace(v string) bool {
	return (strings.Contains(v, "/") || v == "..") && !strings.Contains(v, "://") && !strings.HasPrefix(v, "-")
}

// runsAny reports whether a pattern allows a program that runs whatever it is given all of that:
// of an interpreter, one that names neither a script nor an option.
func (p *Pattern) runsAny(c *command.Command) bool {
	row := c.Row()
	isNamed := strings.Count(p.glob.text, " ") > 1 && (row.Language != program.NoLanguage || row.Input == program.RoleText)
	return program.Interprets(row) && !isNamed
}

// at returns the paths that the argument of an option may name.
func (in *View) at(c *command.Command, o *command.Option) shell.Set {
	if c.Context != program.Local {
		return shell.Set{} // which is no place of the project
	}
	if !o.Arg.Known() || c.Dir.Open || o.Arg.Has("-") {
		return shell.Set{Open: true}
	}
	return shell.Set{Values: shell.Paths(c.Dir, o.Arg.Set)}
}

// throughOperand says why an operand is a door: it is what the program works on, or
// runs, and lies elsewhere.
func (in *View) throughOperand(p *Pattern, c *command.Command, o command.Operand) string {
	w := &c.Words[o.At]
	if o.Role != program.RoleDir && o.Role != program.RoleExec || c.Context != program.Local || c.Row().Reads != nil || p.runsAny(c) {
		return ""
	}
	for _, v := range w.Values {
		if strings.Contains(" "+p.glob.text+" ", " "+v+" ") {
			return ""
		}
	}
	elsewhere := slices.ContainsFunc(w.Values, func(v string) bool { return strings.Contains(v, "://") || v == "-" })
	if elsewhere || !in.IsInside(shell.Set{Values: shell.Paths(c.Dir, w.Set), Open: w.Open || c.Dir.Open}) {
		return "what it works on is not in the project"
	}
	return ""
}

// loaded says that an argument lets the program load what neither its sub-command nor the
// project shows.
func (p *Pattern) loaded(in *View, c *command.Command) string {
	if p.runsAny(c) {
		return ""
	}
	row, but := c.Row(), []string(nil)
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		isOwn := row.Client == program.NoClient && o.Spec != nil && o.HasArg && isPathRole(o.Spec.Role) && o.Spec.Role != program.RoleExec && in.IsInside(in.at(c, o))
		if isOwn || p.spells(o) {
			but = append(but, dashed(o)...)
		}
	}
	what := c.LoadsBut(strings.Join(but, " "))
	if text, ok := strings.CutPrefix(what, "!"); ok && slices.ContainsFunc(c.Args.Options, func(o command.Option) bool {
		return o.Arg.Has(text) && p.spells(&o)
	}) {
		return ""
	}
	if what == "" || slices.Contains(strings.Fields(p.glob.text), what) {
		return ""
	}
	return what + " lets it load, or run, what the pattern does not show"
}

// dashed returns the names of an option as they may be written.
func dashed(o *command.Option) []string {
	names := []string{o.Name}
	if o.Spec != nil {
		names = o.Spec.Names
	}
	out := make([]string, 0, 2*len(names))
	for _, name := range names {
		out = append(out, "-"+name, "--"+name)
	}
	return out
}

// IsInside reports whether all of the paths lie in the project, or where the agent
// stands.
func (in *View) IsInside(paths shell.Set) bool {
	if paths.Open || paths.Glob && len(paths.Values) == 0 {
		return false
	}
	for _, v := range paths.Values {
		at := in.Place(in.Dir, v)
		if !at.Sure || !in.isOwn(at.Text) || !in.isOwn(at.Real) {
			return false
		}
	}
	return true
}

func (in *View) isOwn(path string) bool {
	for _, dir := range [...]string{in.Base(), in.Stands, in.Dir, in.Session} {
		if dir != "" && IsWithin(path, shell.Clean(dir)) {
			return true
		}
	}
	return false
}
