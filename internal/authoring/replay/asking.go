package replay

import (
	"context"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An Asking is the one thing that asks in a call.
type Asking struct {
	// Name is what asks, for people. Match is the permission for all of it, "" with
	// Why where none should be.
	Name, Match, Why string
	// Words are those of the command as far as they are plain text, with the sub-command
	// right behind the program; nil for a call of another tool than the shell. Whole
	// says that these are all.
	Words []string
	Whole bool
	// Says is, for each of Words, whether it is an option that only gives a text, such as a
	// message, or that ends the options: it restricts nothing.
	Says []bool
	// Runs says that a word of the command is a program or code, which it runs.
	Runs bool
	// Dangerous are the ids of the dangerous patterns that it matches.
	Dangerous []string
}

// AsksAlone returns what asks in a call under an engine, because nothing allows it. ok
// is false where the call does not ask, or several things ask in it.
func AsksAlone(ctx context.Context, e *policy.Engine, own []policy.Tool, c *policy.Call) (a Asking, ok bool) {
	x, err := e.Explain(ctx, nil, c)
	if err != nil || x.Verdict.Decision != policy.Ask || !byDefault(&x.Verdict) {
		return a, false
	}
	list := heads(newToolNames(own), c, &x)
	if len(list) != 1 {
		return a, false
	}
	a = Asking{Name: list[0].name, Match: list[0].match, Why: list[0].why, Runs: list[0].runs, Dangerous: list[0].dangerous}
	if x.Line == nil {
		return a, true
	}
	for i := range x.Line.Commands {
		if one := &x.Line.Commands[i]; commandHead(one).name == a.Name {
			a.spell(one)
			break
		}
	}
	return a, true
}

// spell notes the words of the command that asks.
func (a *Asking) spell(c *command.Command) {
	first := max(c.Args.Verb, 1)
	a.Words = []string{c.Called()}
	for k := first; k < len(c.Words); k++ {
		v, plain := c.Words[k].Literal()
		if !plain || !isPlain(v) {
			break
		}
		a.Words = append(a.Words, v)
	}
	a.Whole = first+len(a.Words)-1 == len(c.Words)
	a.Says = saying(c, len(a.Words))
}

// saying returns which of the words of a command behind its verb only give a text.
func saying(c *command.Command, n int) []bool {
	says, first := make([]bool, n), max(c.Args.Verb, 1)-1
	mark := func(at int) {
		if k := at - first; k > 0 && k < n {
			says[k] = true
		}
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil && o.HasArg && o.Spec.Role == program.RoleData {
			mark(o.At)
		}
	}
	for at := range c.Words {
		if v, ok := c.Words[at].Literal(); ok && v == "--" {
			mark(at)
			break
		}
	}
	return says
}

// isPlain reports whether a word stands for itself in a permission.
func isPlain(word string) bool {
	for _, r := range word {
		if r <= ' ' || r == '*' || r == '?' || r == '[' || r == '\\' || r == '"' || r == '\'' || r >= 0x7f {
			return false
		}
	}
	return word != ""
}
