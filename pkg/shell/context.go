package shell

import "strings"

// payloadContext says where the payload of a command with a grammar runs, and
// whether that is the root directory of this machine.
func (c *Command) payloadContext(p *Program) (context Context, atRoot bool) {
	if p.Context == Local {
		return Local, false
	}
	context = p.Context
	if p.Self != "" && c.namesSelf(p.Self) {
		return Local, false
	}
	if p.Roots != "" {
		context = Local
	}
	isRoot := func(s Set) bool {
		v, ok := s.Literal()
		return ok && Clean(v) == "/"
	}
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		if o.Spec == nil || !o.HasArg || !hasName(p.Roots, o.Spec.Names[0]) {
			continue
		}
		if isRoot(o.Arg.Set) {
			return Local, true
		}
		context = p.Context
	}
	for _, o := range c.Args.Operands {
		if o.Role == RoleDir && isRoot(c.Words[o.At].Set) {
			return Local, true
		}
	}
	return context, false
}

// namesSelf reports whether the host among the operands may be this machine.
func (c *Command) namesSelf(self string) bool {
	for _, o := range c.Args.Operands {
		if o.Role != RoleHost {
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
