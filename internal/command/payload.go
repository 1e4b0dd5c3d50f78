package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// PayloadContext says where the payload of a command with a grammar runs, and
// whether that is the root directory of this machine.
func (c *Command) PayloadContext(p *program.Program) (context program.Context, atRoot bool) {
	if p.Context == program.Local {
		return program.Local, false
	}
	context = p.Context
	if p.Self != "" && c.namesSelf(p.Self) {
		return program.Local, false
	}
	if p.Roots != "" {
		context = program.Local
	}
	isRoot := func(s shell.Set) bool {
		v, ok := s.Literal()
		return ok && shell.Clean(v) == "/"
	}
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		if o.Spec == nil || !o.HasArg || !program.HasWord(p.Roots, o.Spec.Names[0]) {
			continue
		}
		if isRoot(o.Arg.Set) {
			return program.Local, true
		}
		context = p.Context
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleDir && isRoot(c.Words[o.At].Set) {
			return program.Local, true
		}
	}
	return context, false
}

// namesSelf reports whether the host among the operands may be this machine.
func (c *Command) namesSelf(self string) bool {
	for _, o := range c.Args.Operands {
		if o.Role != program.RoleHost {
			continue
		}
		w := &c.Words[o.At]
		for _, v := range w.Values {
			if host := v[strings.IndexByte(v, '@')+1:]; host == "" || host == self {
				return true
			}
		}
		return !w.Known()
	}
	return true
}

// Rights says with whose rights the command runs what it is given.
func (c *Command) Rights() program.Rights {
	p := c.Args.Program
	switch {
	case p == nil,
		p.RightsIf != "" && !c.Args.HasAny(p.RightsIf),
		p.RightsNot != "" && c.Args.HasAny(p.RightsNot):
		return program.Own
	}
	return p.Rights
}

// IsGiven reports whether the command is given another, or text that a shell
// evaluates, to run.
func (c *Command) IsGiven() bool {
	if c.Args.Payload > 0 {
		return true
	}
	for _, o := range c.Args.Operands {
		if o.Role.Runs() && o.Role != program.RoleEnv {
			return true
		}
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil && o.Spec.Role.Runs() && (o.HasArg || o.Spec.TakesWords()) {
			return true
		}
	}
	return false
}

// StartsShell reports whether a program that otherwise runs a command is given
// none and starts a shell, which reads the standard input.
func (c *Command) StartsShell() bool {
	p := c.Args.Program
	if p == nil || p.Starts == "" || c.IsGiven() || c.Args.Inert() {
		return false
	}
	return p.Starts == "." || c.Args.HasAny(p.Starts)
}

// OwnGiven reports whether one of some options is given, and none of others with which they
// do not count, before the command that it runs.
func (c *Command) OwnGiven(options, not string) bool {
	own := *c
	if at := c.Args.Payload; at > 0 {
		own.Args.Options = slices.DeleteFunc(slices.Clone(c.Args.Options), func(o Option) bool { return o.At > at })
	}
	return own.given(options, not)
}

// HandsOn returns the assignments of a command that hold for what it runs. Where only
// the settings of a program say which it keeps, each may be empty.
func (c *Command) HandsOn() []Assign {
	p := c.Args.Program
	if p == nil || p.Clears == "" && p.Unsets == "" {
		return c.Assigns
	}
	var out []Assign
	cleared := c.OwnGiven(p.Clears, p.ClearsNot)
	kept := func(a Assign) bool { return c.assigns(a.Name) || !cleared && !c.unsets(a.Name) }
	if !slices.ContainsFunc(c.Assigns, func(a Assign) bool { return !kept(a) }) {
		return c.Assigns
	}
	for _, a := range c.Assigns {
		switch front := !kept(a); {
		case front && (p.Transparent || c.unsets(a.Name)):
			continue
		case front:
			a.Value = shell.Union(a.Value, shell.Set{Values: []string{""}, Open: true})
		}
		out = append(out, a)
	}
	return out
}

// assigns reports whether a word of a command, or what is glued to an option, is an
// assignment to a variable.
func (c *Command) assigns(name string) bool {
	is := func(w *shell.Word) bool { return strings.HasPrefix(w.Beginning(), name+"=") }
	return slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return is(&w) }) ||
		slices.ContainsFunc(c.Args.Options, func(o Option) bool { return o.HasArg && is(&o.Arg) })
}

// unsets reports whether a command keeps a variable from what it runs.
func (c *Command) unsets(name string) bool {
	return slices.ContainsFunc(c.Args.Options, func(o Option) bool { return o.HasArg && o.Is(c.Args.Program.Unsets) && o.Arg.Has(name) })
}

// Transparent reports whether the command does what its payload does.
func (c *Command) Transparent() bool { return c.Args.Program != nil && c.Args.Program.Transparent }

// HandsOver reports whether the command only starts another in its place, which writes its
// output: one that changes little about it, raises its rights, or appends what it reads.
func (c *Command) HandsOver() bool {
	p := c.Args.Program
	return p != nil && (p.Transparent || p.Rights == program.Raised || program.Appends(p))
}

// MentionsProgram reports whether a word may name a program of the machine.
func MentionsProgram(c *Command) bool {
	for i := range c.Words[1:] {
		if w := &c.Words[i+1]; slices.ContainsFunc(w.Values, func(v string) bool { return mentionsOne(v) }) {
			return true
		}
	}
	for i := range c.Redirects {
		if rd := &c.Redirects[i]; rd.Reads() && mentionsOne(rd.Target.Text()) {
			return true
		}
	}
	return slices.ContainsFunc(c.Dir.Values, func(d string) bool { return slices.Contains(program.Dirs(), d) })
}

func mentionsOne(text string) bool {
	return strings.Contains(text, "bin/") || strings.Contains(text, "policyctl")
}
