package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// runners run the words behind some of theirs as a command, or as text for a
// shell: those of lvm are commands themselves.
func runners() string {
	return program.NamesOf("hands") + " " + runnersAtOnce() + " " + runnersByVerb()
}

// runnersAtOnce run a program of a package that their first operand names,
// runnersByVerb one behind a word of their own.
func runnersAtOnce() string {
	return program.Names(func(p *program.Program) bool { return p.Runner == "." })
}

func runnersByVerb() string {
	return program.Names(func(p *program.Program) bool { return len(p.Runner) > 1 })
}

// runsWordsOf matches a runner whose words are catastrophic.
func runsWordsOf(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	if c.How("hands") == "words" && anyInput(s, c, func(v string) bool { return catastrophic(s, c, v) }) {
		return c.Span, true
	}
	words, ok := rest(runWords(c))
	if !ok || len(words) == 0 {
		return shell.Span{}, false
	}
	switch c.How("hands") {
	case "tool":
		if same := cmakeWords(words); same[0] != words[0] {
			words, s = same, s.Quiet()
		}
	case "module":
		if len(words) > 1 { // what a module does
			s = s.Quiet()
		}
	}
	return c.Span, catastrophicArgv(s, c, words) || len(words) == 1 && catastrophic(s, c, words[0])
}

// runsHanded matches a program that may run its words, or evaluate code that it is given,
// which the floor denies.
func runsHanded(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if s.Prose || !local(s, c) {
		return shell.Span{}, false
	}
	if c.Row() == nil {
		for _, match := range [...]matcher{evaluates, escapesToShell} {
			if span, ok := match(s, c); ok {
				return span, true
			}
		}
	}
	handed := *s
	handed.Handed = true
	return c.Span, slices.ContainsFunc(c.Handed(), func(line string) bool { return catastrophic(&handed, c, line) })
}

// runWords returns the words that a runner runs, nil if there are none.
func runWords(c *command.Command) []shell.Word {
	words := c.Words[1:]
	switch c.How("hands") {
	case "words":
		return words
	case "typed":
		return lastAfter(words, "send-text")
	case "local":
		if len(words) > 1 && words[0].Has("local:run") {
			return fromOperand(words, 1)
		}
	case "task":
		if len(words) > 0 && words[0].Has("task") && hasWord(c, "--eval") {
			return valueOf(words, "--eval")
		}
	case "space": // netns exec NAME PROGRAM…
		if len(words) > 3 && (words[0].Has("netns") || words[0].Has("vrf")) && words[1].Has("exec") {
			return words[3:]
		}
	case "module":
		return ansibleRuns(c)
	case "value":
		if o := c.Args.Option("exec"); o != nil && o.HasArg {
			return []shell.Word{o.Arg}
		}
	case "tool":
		if len(words) > 1 && words[0].Has("-E") {
			return words[1:]
		}
	default: // what is behind run is a command of its own
		if p := c.Row(); p != nil && p.Runner == "." {
			return behind(c, 0)
		} else if p != nil && c.Args.Sub != "run" && hasWord(c, strings.Fields(p.Runner)...) {
			return behind(c, 1)
		}
	}
	return nil
}

// lastAfter returns the last word, if a verb stands before it.
func lastAfter(words []shell.Word, verb string) []shell.Word {
	for i := range words {
		if words[i].Has(verb) && i+1 < len(words) {
			return words[len(words)-1:]
		}
	}
	return nil
}

// fromOperand returns the words from the operand with an index on.
func fromOperand(words []shell.Word, n int) []shell.Word {
	for i := range words {
		if v, ok := words[i].Literal(); ok && strings.HasPrefix(v, "-") {
			continue
		}
		if n--; n < 0 {
			return words[i:]
		}
	}
	return nil
}

// behind returns the words of a command from the operand with an index on, which no option
// takes.
func behind(c *command.Command, n int) []shell.Word {
	words := slices.Clone(c.Words[1:])
	for i := range c.Args.Options {
		o, verbs := &c.Args.Options[i], ""
		if p := c.Row(); p != nil {
			verbs = p.Runner // pnpm's -c takes none
		}
		if o.Spec != nil && o.HasArg && o.End == o.At+2 && !program.HasWord(verbs, o.Arg.Text()) {
			words[o.At].Set = shell.Set{Values: []string{"-"}} // the one behind it
		}
	}
	return fromOperand(words, n)
}

// valueOf returns the argument of an option as the only word.
func valueOf(words []shell.Word, names ...string) []shell.Word {
	for i := 0; i+1 < len(words); i++ {
		for _, n := range names {
			if words[i].Has(n) {
				return words[i+1 : i+2]
			}
		}
	}
	return nil
}

// cmakeWords returns a verb of cmake -E as the command that does the same.
func cmakeWords(words []string) []string {
	switch words[0] {
	case "remove_directory":
		return append([]string{"rm", "-r"}, words[1:]...)
	case "rename":
		return append([]string{"mv"}, words[1:]...)
	case "chdir":
		if len(words) > 2 {
			return append([]string{"env", "-C"}, words[1:]...)
		}
	}
	return words
}
