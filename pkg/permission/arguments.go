package permission

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// arguments are those of a command, with its sub-command by the name that the row gives
// it where it has several.
type arguments struct {
	command.Args
	verb  []string
	spelt int // how many words it is as it is written
}

func newArguments(p *program.Program, args command.Args) arguments {
	if args.Verb == 0 {
		return arguments{Args: args}
	}
	sub := args.Sub
	if p != nil {
		sub = cmp.Or(p.Usual(sub), sub)
	}
	return arguments{args, strings.Fields(sub), strings.Count(args.Sub, " ") + 1}
}

// beside returns the indexes of the words before end that are no options, nor the -- that
// ends them.
func (a *arguments) beside(end int) (out []int) {
	options := a.Options
	for i := 1; i < end; i++ {
		for len(options) > 0 && options[0].End <= i {
			options = options[1:]
		}
		if i != a.Dash && (len(options) == 0 || i < options[0].At) {
			out = append(out, i)
		}
	}
	return out
}

// parse reads the arguments of a program by its row, and those of one without a row as
// most programs read them.
func parse(words []shell.Word) arguments {
	name, _ := words[0].Literal()
	if p := program.Find(shell.Base(name)); p != nil && !p.Opaque {
		return newArguments(p, command.ParseArgs(p, words))
	}
	return arguments{Args: customary(words)}
}

// parseBy is parse for the words of a pattern, of which the program may be declared to be a
// wrapper.
func parseBy(words []shell.Word, wraps func(string) bool) arguments {
	name, _ := words[0].Literal()
	if wraps != nil && wraps(name) {
		p := program.Find(program.Declared)
		return newArguments(p, command.ParseArgs(p, words))
	}
	return parse(words)
}

// maxBundle bounds how many short options one word has by custom: a longer one is taken
// for the name of a single option.
const maxBundle = 3

// customary reads options as most programs do, of which nothing else is known.
func customary(words []shell.Word) command.Args {
	var args command.Args
	for i := 1; i < len(words); i++ {
		v := command.DashValue(&words[i])
		switch {
		case args.Dash > 0, len(v) < 2 || v[0] != '-':
			continue
		case v == "--":
			args.Dash = i
			continue
		}
		name, value, has := strings.Cut(strings.TrimLeft(v, "-"), "=")
		o := command.Option{Name: name, At: i, End: i + 1, HasArg: has, Arg: shell.Word{Set: shell.Set{Values: []string{value}}}}
		if has || v[1] == '-' || len(name) > maxBundle || strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) }) {
			args.Options = append(args.Options, o)
			continue
		}
		for _, c := range name {
			o.Name = string(c)
			args.Options = append(args.Options, o)
		}
	}
	return args
}
