package grant

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
)

const runsArgument = "an argument names what it runs, is code, or lets it leave its directory"

// exceeds says by which argument a command does what its verb does not show,
// "" for none.
func exceeds(c *command.Command) string {
	if c.Loads() != "" {
		return runsArgument
	}
	switch {
	case program.OfKind(c.Name, "versions"):
		return version(c)
	case program.OfKind(c.Name, "pages"):
		return anyWord(c, func(v string) bool { return strings.HasPrefix(v, "+") }, "an argument is a command of "+c.Called())
	case program.OfKind(c.Name, "tapes"):
		if o := c.Args.Option("f"); o != nil {
			if v, _ := o.Arg.Literal(); strings.Contains(v, ":") {
				return "the archive may lie on another host"
			}
		}
	}
	return ""
}

// version finds a version, which the program fetches.
func version(c *command.Command) string {
	if len(c.Args.Operands) > 0 {
		if v, _ := c.Words[c.Args.Operands[0].At].Literal(); strings.Contains(v, "@") {
			return "it fetches what it runs"
		}
	}
	return ""
}

// anyWord returns why if one of the arguments is as told.
func anyWord(c *command.Command, is func(string) bool, why string) string {
	for i := 1; i < len(c.Words); i++ {
		if v, ok := c.Words[i].Literal(); ok && is(v) {
			return why
		}
	}
	return ""
}
