package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// payloadContext says where the payload of a command with a grammar runs, and
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
