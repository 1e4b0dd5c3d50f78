package eval

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// environment binds what env and its like put into the environment of what
// they run, and the directory to which they change.
func (r *reader) environment(i int, sub *scope) {
	c := &r.line.Commands[i]
	for _, a := range c.Assigns {
		sub.set(r, a.Name, a.Value)
	}
	r.inherits(c, sub)
	r.startsIn(c, sub)
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.Spec != nil && o.Spec.Role == program.RoleEnv && o.HasArg {
			r.given(i, &o.Arg, sub)
			c = &r.line.Commands[i]
		}
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleEnv {
			r.given(i, &r.line.Commands[i].Words[o.At], sub)
		}
	}
}

// given binds NAME=VALUE for what command i runs. A shell takes a function from there,
// too.
func (r *reader) given(i int, w *shell.Word, sub *scope) {
	name, value, ok := splitEnv(w.Set)
	if ok {
		sub.set(r, name, value)
	}
	c := &r.line.Commands[i]
	c.Assigns = append(c.Assigns, r.assignment(name, value, w.Span))
	if strings.HasPrefix(name, exportedFunction) {
		for k := range value.Values {
			value.Values[k] = strings.TrimPrefix(value.Values[k], "()")
		}
		r.apart(i, shell.Word{Set: value, Span: w.Span}, sub)
	}
}

// exportedFunction begins the names of the variables by which bash hands on functions.
const exportedFunction = "BASH_FUNC_"

// inherits takes from a scope the variables that a program keeps from what it runs.
func (r *reader) inherits(c *command.Command, sub *scope) {
	p := c.Args.Program
	if p == nil {
		return
	}
	if c.OwnGiven(p.Clears, p.ClearsNot) || p.Context == program.Remote && c.LoopsBack() {
		home := sub.lookup("HOME")
		if sub.clear(p.Transparent || p.InShell); home != nil && !sub.bare {
			sub.set(r, "HOME", home.set)
		}
	}
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; p.Unsets != "" && o.HasArg && o.Is(p.Unsets) {
			for _, name := range o.Arg.Values {
				sub.unset(r, name)
			}
		}
	}
}

// startsIn changes to the directory in which what a command runs starts.
func (r *reader) startsIn(c *command.Command, sub *scope) {
	p := c.Args.Program
	if p == nil {
		return
	}
	if c.OwnGiven(p.Slash, p.SlashNot) {
		sub.dir = known(r, "/")
	}
	if c.OwnGiven(p.Homes, p.HomesNot) {
		sub.dir = c.HomeThere(r.env.Home)
		sub.set(r, "HOME", sub.dir)
	}
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		switch {
		case o.Spec == nil || !o.HasArg:
		case o.Spec.Role == program.RoleDir && c.IsGiven():
			sub.dir = r.dirIn(sub.dir, o.Arg.Set)
		case o.Spec.Role == program.RoleConfig:
			if dir := c.UnitDir(o.Arg.Set); !dir.IsEmpty() {
				sub.dir = r.dirIn(sub.dir, dir)
			}
		}
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleDir && p.Context == program.Local && c.Args.Payload > 0 {
			sub.dir = r.dirIn(sub.dir, c.Words[o.At].Set)
		}
	}
}

// splitEnv splits NAME=VALUE. The name is "" where it is unknown.
func splitEnv(s shell.Set) (name string, value shell.Set, ok bool) {
	if len(s.Values) != 1 {
		name, _, ok = strings.Cut(s.Prefix, "=")
		if !ok {
			name = ""
		}
		return name, shell.Set{Open: true}, ok
	}
	name, v, ok := strings.Cut(s.Values[0], "=")
	return name, shell.Set{Values: []string{v}, Open: s.Open}, ok
}

// dirIn returns the directory that path names in dir.
func (r *reader) dirIn(dir, path shell.Set) shell.Set {
	out := shell.Set{Open: path.Open || path.Glob}
	if path.Glob {
		return out
	}
	if len(path.Values) == 1 && len(dir.Values) <= 1 {
		d := ""
		if len(dir.Values) == 1 {
			d = dir.Values[0]
		}
		v := shell.Abs(d, path.Values[0])
		out.Values = r.one(v)
		out.Open = out.Open || dir.Open && !strings.HasPrefix(path.Values[0], "/")
		return out
	}
	out.Values = shell.Paths(dir, path)
	if len(out.Values) > shell.MaxValues {
		out.Values, out.Open = out.Values[:shell.MaxValues], true
	}
	if dir.Open {
		out.Open = true
	}
	return out
}
