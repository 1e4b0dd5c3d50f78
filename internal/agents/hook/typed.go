package hook

import (
	"slices"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

// waits reports whether the call starts a program that does what is typed into it
// later: a shell, an interpreter or a client without anything to run. It is no
// complete list: an editor or a pager can start a shell as well.
func (e *Event) waits() bool {
	t, ok := policy.ToolNamed(e.Call.Tool)
	if !ok || t.Kind != policy.KindShell {
		return false
	}
	for _, field := range t.Subject {
		if command, ok := e.Call.Input[field].(string); ok && lineWaits(command, e.Call.Dir) {
			return true
		}
	}
	return false
}

func lineWaits(command, dir string) bool {
	line := eval.Read(command, eval.Env{Dir: dir})
	for i := range line.Commands {
		if waits(&line.Commands[i]) {
			return true
		}
	}
	return false
}

func waits(c *command.Command) bool {
	if c.Source >= 0 || c.Input != nil || c.In(command.Piped) {
		return false
	}
	for i := range c.Redirects {
		if r := &c.Redirects[i]; r.Reads() || r.Inline() {
			return false
		}
	}
	if c.StartsShell() {
		return true
	}
	p := c.Args.Program
	if p == nil || p.Input != program.RoleText && p.Input != program.RoleCode {
		return false
	}
	if has(c, program.RoleExec) || has(c, program.RoleText) || has(c, program.RoleCode) || option(c, "version", "help") {
		return false
	}
	return p.Input == program.RoleText || !option(c, "V", "h", "l", "test")
}

// has reports whether an argument of the command has the role.
func has(c *command.Command, role program.Role) bool {
	for _, o := range c.Args.Operands {
		if o.Role == role {
			return true
		}
	}
	for _, o := range c.Args.Options {
		if o.Spec != nil && o.HasArg && o.Spec.Role == role {
			return true
		}
	}
	return false
}

// option reports whether one of the options is given, without an argument.
func option(c *command.Command, names ...string) bool {
	return slices.ContainsFunc(c.Args.Options, func(o command.Option) bool {
		return !o.HasArg && slices.ContainsFunc(names, o.Is)
	})
}

// maxQuoted bounds how much of a call a message repeats.
const maxQuoted = 80
