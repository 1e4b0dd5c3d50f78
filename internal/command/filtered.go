package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Filtered returns what a filter makes of text that is known.
func Filtered(c *Command, in shell.Set) shell.Set {
	unknown := shell.Set{Open: true}
	if program.Lookup(c.Name) == nil {
		for _, w := range c.Words[1:] {
			if v, ok := w.Literal(); !ok || !strings.HasPrefix(v, "-") {
				return unknown // perhaps a file, which it reads instead
			}
		}
	}
	for _, o := range c.Args.Operands {
		if w := &c.Words[o.At]; o.Role == program.RoleRead && !w.Has("-") && !IsAccounts(w) {
			return unknown
		}
	}
	out := shell.Set{Open: in.Open || len(in.Values) == 0}
	for _, text := range in.Values {
		if made, ok := FilterText(c, text); ok && len(text) <= MaxOutput {
			out.Values = append(out.Values, made)
		} else {
			out.Open = true
		}
	}
	return out
}

// OnlyFilters reports whether a filter reads its standard input alone.
func (c *Command) OnlyFilters() bool {
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleRead && !c.Words[o.At].Has("-") {
			return false
		}
	}
	return true
}
