package shell

import (
	"slices"
	"strings"
)

// Rights say with whose rights a program runs what it is given.
type Rights uint8

// The rights.
const (
	Own      Rights = iota // those of who starts it
	Raised                 // those of another user, usually root, for one command
	Switched               // those of another user or group, for a session
)

// WithRights returns the names of the programs that may run a command or a
// shell with such rights, in the order of the grammar table.
func WithRights(want Rights) []string {
	var out []string
	for _, p := range programs {
		if p.has(want) {
			out = append(out, strings.Fields(p.Names)...)
		}
	}
	return out
}

func (p *Program) has(want Rights) bool {
	return p.Rights == want || slices.ContainsFunc(p.Subs, func(s *Program) bool { return s.Rights == want })
}

// ChangesRights reports whether the program may run a command or a shell with
// other rights than those of who starts it.
func (p *Program) ChangesRights() bool { return p.has(Raised) || p.has(Switched) }

// Rights says with whose rights the command runs what it is given.
func (c *Command) Rights() Rights {
	p := c.Args.Program
	switch {
	case p == nil,
		p.RightsIf != "" && !c.Args.hasAny(p.RightsIf),
		p.RightsNot != "" && c.Args.hasAny(p.RightsNot):
		return Own
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
		if isRun(o.Role) && o.Role != RoleEnv {
			return true
		}
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil && isRun(o.Spec.Role) && (o.HasArg || o.Spec.takesWords()) {
			return true
		}
	}
	return false
}

// StartsShell reports whether a program that otherwise runs a command is given
// none and starts a shell, which reads the standard input.
func (c *Command) StartsShell() bool {
	p := c.Args.Program
	if p == nil || p.Starts == "" || c.IsGiven() || c.Args.inert() {
		return false
	}
	return p.Starts == "." || c.Args.hasAny(p.Starts)
}

// hasAny reports whether one of several options is given, blanks between their
// names.
func (a *Args) hasAny(names string) bool {
	for name := range strings.FieldsSeq(names) {
		if a.Has(name) {
			return true
		}
	}
	return false
}
