package hardline

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"slices"
)

// withArguments returns the words behind the program, and the arguments of its options, which
// may stand in the words of these.
func withArguments(c *command.Command) []shell.Word {
	words := slices.Clone(c.Words[1:])
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.HasArg {
			words = append(words, o.Arg)
		}
	}
	return words
}

// modes returns the words of chmod that may be its mode: the first one that is no option, and
// those that look like one and are none.
func modes(c *command.Command) (out []shell.Word) {
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec == nil || o.Spec.Drop {
			out = append(out, c.Words[o.At])
		}
	}
	if len(c.Args.Operands) > 0 {
		out = append(out, c.Words[c.Args.Operands[0].At])
	}
	return out
}
