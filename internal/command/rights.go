package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

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

// HasAny reports whether one of several options is given, blanks between their
// names.
func (a *Args) HasAny(names string) bool {
	for name := range strings.FieldsSeq(names) {
		if a.Has(name) {
			return true
		}
	}
	return false
}
