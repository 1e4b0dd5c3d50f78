package permission

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// usual returns the words behind the program as a permission spells them: the
// sub-command, by the name that it has where it has several, without the options that
// stand before it or within it. It is nil where the command is spelt so.
func usual(c *command.Command) []shell.Word {
	n := leading(c)
	if n == 0 {
		return nil
	}
	name := ""
	if p := c.Row(); c.Args.Verb > 0 && p != nil && p.Aliases != "" {
		name = p.Usual(c.Args.Sub)
	}
	if name == "" && c.Args.Verb <= 1 && (len(c.Args.Options) == 0 || c.Args.Options[0].At > n) {
		return nil
	}
	out, from := make([]shell.Word, 0, len(c.Words)), 1
	for options := c.Args.Options; from < len(c.Words) && len(out) < n; from++ {
		for len(options) > 0 && options[0].End <= from {
			options = options[1:]
		}
		if len(options) == 0 || from < options[0].At {
			out = append(out, c.Words[from])
		}
	}
	if name != "" {
		out = out[:0]
		for word := range strings.FieldsSeq(name) {
			out = append(out, shell.Word{Set: shell.Set{Values: []string{word}}})
		}
	}
	return append(out, c.Words[from:]...)
}

// leading returns how many words the sub-command has. Where a program has none in the
// table, its first operands may be some if they are nothing else.
func leading(c *command.Command) int {
	p := c.Args.Program
	switch {
	case p == nil:
		return 0
	case c.Args.Verb > 0:
		return strings.Count(c.Args.Sub, " ") + 1
	case p.Style == program.Stop || !strings.HasPrefix(p.Operands, "data"):
		return 0
	}
	return min(len(c.Args.Operands), 2)
}

// goals returns a command for each of the operands that are sub-commands of their own,
// with that one first.
func goals(c *command.Command) (out []command.Command) {
	if p := c.Args.Program; p == nil || !p.Is("", "goals") || len(c.Args.Operands) < 2 && len(c.Args.Options) == 0 {
		return nil
	}
	for _, o := range c.Args.Operands {
		goal := *c
		goal.Words = append([]shell.Word{c.Words[0], c.Words[o.At]}, c.Words[1:o.At]...)
		goal.Words = append(goal.Words, c.Words[o.At+1:]...)
		goal.Args = command.Args{}
		out = append(out, goal)
	}
	return out
}

// started returns the command that a runner of packages starts, nil if it starts none
// that its words name.
func started(c *command.Command) *command.Command {
	p := c.Row()
	if p != nil && p.Language == program.Python {
		return module(c)
	}
	if p == nil || p.Runner == "" {
		return nil
	}
	from := 1
	if p.Runner != "." {
		verb, _, _ := strings.Cut(c.Args.Sub, " ")
		if from = c.Args.Verb + 1; !program.HasWord(p.Runner, verb) {
			return nil
		}
	}
	options := c.Args.Options
	for ; from < len(c.Words); from++ {
		for len(options) > 0 && options[0].End <= from {
			options = options[1:]
		}
		v, ok := c.Words[from].Literal()
		if !ok || len(options) > 0 && from >= options[0].At || strings.HasPrefix(v, "-") {
			continue
		}
		out := *c
		name, _, _ := strings.Cut(v, "@") // its version
		out.Args = command.Args{}
		out.SetName(name, command.FindName(program.Resolve(name)))
		out.Words = append([]shell.Word{{Set: shell.Set{Values: []string{name}}}}, c.Words[from+1:]...)
		return &out
	}
	return nil
}

// module returns the module that an interpreter of Python runs as the command of that name,
// nil if it runs none that its words name.
func module(c *command.Command) *command.Command {
	o := c.Args.Option("m")
	if o == nil || o.End > len(c.Words) {
		return nil
	}
	name, ok := o.Arg.Literal()
	if !ok || name == "" {
		return nil
	}
	out := *c
	out.Name, out.Path, out.Args = name, name, command.Args{}
	out.Words = append([]shell.Word{{Set: shell.Set{Values: []string{name}}}}, c.Words[o.End:]...)
	return &out
}
