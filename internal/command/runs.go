package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A Run is something that a command starts, or has evaluated, of its own words.
type Run struct {
	Form Form
	// Words are those of the command that is started, or those that make the text.
	Words []shell.Word
	// At is where the first of them stands in the command, where it is a word of its own
	// behind those of the program, else -1.
	At int
	// Option is the option that names it, nil where none does.
	Option *Option
	// Perhaps says that it is what the command runs in one of its readings.
	Perhaps bool
	// Late says that the text is evaluated under what is bound by then.
	Late bool
	// Why is what is unknown, for [Unclear].
	Why string
}

// A Form is how a command runs some words.
type Form uint8

// The forms.
const (
	Starts   Form = iota // the words are a command
	Fills                // so are they with what is read from the input
	FindRuns             // so are they with what is found, for each or for all of it
	Text                 // the first word is text for a shell
	Joined               // all are, joined by blanks
	Line                 // the first is where it holds blanks, else they are a command
	File                 // the first is the name of a file, whose text is run
	Config               // the argument of the option is a setting that may name a command
	Unclear              // something runs that cannot be known
)

// Runs yields what the command starts and what it has a shell evaluate: what stands behind
// its own words, what its options name, and what its operands are. What it reads from its
// standard input is not among them.
func (c *Command) Runs(yield func(Run) bool) {
	_ = c.runsBehind(yield) && c.runsByOption(yield) && c.runsByOperand(yield)
}

// runsBehind yields the command among the arguments of another, and what that would be if
// an option that the row does not list takes the next word.
func (c *Command) runsBehind(yield func(Run) bool) bool {
	p := c.Row()
	if at := c.Args.Payload; at > 0 && !(c.Args.Has("S") && c.Of("splits")) && !yield(c.runBehind(at)) {
		return false
	}
	if c.Args.Unlisted && p.Style == program.Stop {
		if run, ok := c.runBehindUnlisted(p); ok {
			return yield(run)
		}
	}
	return true
}

func (c *Command) runBehind(at int) Run {
	words := c.Words[at:]
	switch {
	case c.Of("hands-line"):
		return Run{Form: Line, Words: words, At: at}
	case c.Row().Input == program.RoleEnv:
		return Run{Form: Fills, Words: words, At: at}
	case c.Of("braces") && words[0].Has("{") && len(words) > 1:
		words = words[1:]
	}
	if name := c.How("hands-to"); name != "" {
		words = append([]shell.Word{{Set: shell.Set{Values: []string{name}}, Span: c.Words[0].Span}}, words...)
	}
	if o := c.Args.Option("entrypoint"); o != nil && o.HasArg && !o.Arg.Has("") {
		words = append([]shell.Word{o.Arg}, words...) // of docker
	}
	if before := c.How("says-line"); before != "" && len(words) > 1 && isAmong(&words[0], before) {
		return Run{Form: Text, Words: words[1:2], At: -1}
	}
	return Run{Words: words, At: at}
}

// isAmong reports whether a word may be one of some, commas between them.
func isAmong(w *shell.Word, list string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if w.Has(one) {
			return true
		}
	}
	return false
}

// runBehindUnlisted returns what a wrapper runs if the first of its options that the
// grammar does not know takes the next word as its argument.
func (c *Command) runBehindUnlisted(p *program.Program) (run Run, ok bool) {
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		if o.Spec != nil || o.HasArg || shell.IsNumber(o.Name) || o.At < 1 || o.At+2 >= len(c.Words) {
			continue
		}
		words := append(append([]shell.Word(nil), c.Words[:o.At]...), c.Words[o.At+2:]...)
		args := ParseArgs(p, words)
		form, from := Starts, args.Payload
		if from == 0 {
			form = Joined
		}
		if n := len(args.Operands); n > 0 && args.Operands[n-1].Role == program.RoleJoined {
			from = args.Operands[n-1].At
		}
		return Run{Form: form, Words: words[from:], At: -1, Perhaps: true}, from >= o.At
	}
	return Run{}, false
}

// runsByOption yields what options name.
func (c *Command) runsByOption(yield func(Run) bool) bool {
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		if o.Spec == nil {
			continue
		}
		if run, ok := c.runOf(o); ok {
			if run.Option = o; !yield(run) {
				return false
			}
		}
	}
	return true
}

func (c *Command) runOf(o *Option) (run Run, ok bool) {
	switch o.Spec.Role {
	case program.RoleText:
		if o.HasArg && c.Of("splits") {
			return c.split(o.Arg), true
		}
		return Run{Form: Text, Words: []shell.Word{o.Arg}, At: -1}, o.HasArg
	case program.RoleArgv:
		if o.At >= o.End || o.At >= len(c.Words) {
			return Run{}, false
		}
		return Run{Form: FindRuns, Words: c.Words[o.At:o.End], At: o.At}, true
	case program.RoleExec:
		p := c.Args.Program
		if p == nil || p.Input != program.RoleText || !o.HasArg || c.Args.Has("c") && !c.Of("plans-jobs") {
			return Run{}, false
		}
		return Run{Form: File, Words: []shell.Word{o.Arg}, At: -1}, true
	case program.RoleRest:
		words := c.Words[min(o.At, len(c.Words)):o.End]
		if o.HasArg {
			words = append([]shell.Word{o.Arg}, c.Words[o.End:]...)
		}
		return Run{Form: Line, Words: words, At: -1}, true
	case program.RoleProgram:
		words := append([]shell.Word{o.Arg}, afterDashes(c.Words, o.End)...)
		return Run{Form: Line, Words: words, At: -1}, !c.Args.Inert()
	case program.RoleConfig:
		return Run{Form: Config, At: -1}, true
	}
	return Run{}, false
}

// afterDashes returns the words after --, or those from an index on where there is none.
func afterDashes(words []shell.Word, from int) []shell.Word {
	for i := from; i < len(words); i++ {
		if words[i].Has("--") {
			return words[i+1:]
		}
	}
	return words[from:]
}

// split returns what the argument of env -S runs: words, of which the first may be more
// options.
func (c *Command) split(arg shell.Word) Run {
	var rest []string
	if n := c.Args.Payload; n > 0 {
		for _, w := range c.Words[n:] {
			v, ok := w.Literal()
			if !ok {
				return Run{Form: Unclear, Why: "an argument of what it runs is unknown"}
			}
			q, _ := syntax.Quote(v, syntax.LangBash)
			rest = append(rest, q)
		}
	}
	text := arg
	text.Values = make([]string, 0, len(arg.Values))
	for _, v := range arg.Values {
		text.Values = append(text.Values, strings.Join(append([]string{"env", v}, rest...), " "))
	}
	return Run{Form: Text, Words: []shell.Word{text}, At: -1}
}

// runsByOperand yields what operands are, and the line that says so with words of its own.
func (c *Command) runsByOperand(yield func(Run) bool) bool {
	for k := range c.Args.Operands {
		at := c.Args.Operands[k].At
		run := Run{Words: c.Words[at:], At: at}
		switch c.Args.Operands[k].Role {
		case program.RoleText:
			w := &c.Words[at]
			if w.Has("-") || w.Number || shell.AllNumbers(w.Set) {
				continue // trap - SIGNAL
			}
			run.Form, run.Words = Text, c.Words[at:at+1]
			run.Late = c.Of("late") && strings.Contains(w.Text(), "$")
		case program.RoleJoined:
			run.Form = Joined
		case program.RoleRest:
			run.Form = Line
		case program.RoleExec:
			run.Form = File
		default:
			continue
		}
		if !yield(run) {
			return false
		}
	}
	before := c.How("says-line")
	if before == "" {
		return true
	}
	for k, o := range c.Args.Operands {
		if isAmong(&c.Words[o.At], before) && k+1 < len(c.Args.Operands) {
			at := c.Args.Operands[k+1].At
			return yield(Run{Form: Text, Words: c.Words[at : at+1], At: -1})
		}
	}
	return true
}
