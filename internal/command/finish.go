package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// ownGiven is given for options that stand before the command which it runs.
func (c *Command) OwnGiven(options, not string) bool {
	own := *c
	if at := c.Args.Payload; at > 0 {
		own.Args.Options = slices.DeleteFunc(slices.Clone(c.Args.Options), func(o Option) bool { return o.At > at })
	}
	return own.given(options, not)
}

// handsOn returns the assignments of a command that hold for what it runs. Where only
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

// assigns reports whether a word of a command is an assignment to a variable.
func (c *Command) assigns(name string) bool {
	return slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return strings.HasPrefix(w.Beginning(), name+"=") })
}

// unsets reports whether a command keeps a variable from what it runs.
func (c *Command) unsets(name string) bool {
	return slices.ContainsFunc(c.Args.Options, func(o Option) bool { return o.HasArg && o.Is(c.Args.Program.Unsets) && o.Arg.Has(name) })
}
