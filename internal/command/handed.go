package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Bounds of what a program may be handed.
const (
	maxHanded      = 4 // readings
	maxHandedWords = 64
)

// Handed returns the commands that a program of which nothing is known, or a script, may
// run because its words are one, as lines for a shell: a proxy, a launcher and a script
// that ends with "$@" all run what they are given. The command begins with the first word
// that names a program. Whether it runs, nobody knows: it may deny a line or have it asked
// about, and allows none.
func (c *Command) Handed() (lines []string) {
	words := c.handedOn()
	words = words[:min(len(words), maxHandedWords)]
	for at := nextProgram(words); at+1 < len(words) && len(lines) < maxHanded; {
		if fits(words[at:]) {
			lines = append(lines, readingsOf(words[at:])...)
		}
		if at == 0 && c.Row() != nil && !c.Of("unread") || !isVerb(words[at:]) {
			break // what follows are the words of a runner's program, or its own
		}
		at++
	}
	return lines
}

// fits reports whether some words may be a command of the program that the first names,
// and not a verb of another with what that is about, as in ./server reboot node1.
func fits(words []shell.Word) bool {
	p := named(&words[0])
	if p.Opaque || p.Operands != "" || len(p.Subs)+len(p.Verbs) > 0 || p.Style != program.GNU {
		return true
	}
	return len(ParseArgs(p, words).Operands) == 0
}

// isVerb reports whether the first of some words, which names a program, may be a verb of
// the program that is handed them all the same: another program follows, as in mytool
// test git push.
func isVerb(words []shell.Word) bool {
	p, next := named(&words[0]), words[1].Text()
	return named(&words[1]) != nil && p.Sub(next) == nil && !program.Quotes(p)
}

// handedOn returns the words that the command may hand on to what it runs.
func (c *Command) handedOn() []shell.Word {
	if c.Function || c.Keyword || c.Name == "" || len(c.Words) < 3 || strings.HasSuffix(c.Name, ":") { // the key of a file that is no script
		return nil
	}
	p := c.Row()
	switch {
	case p != nil && p.Language == program.Ruby && c.unRuns() != nil:
		return c.unRuns()
	case p == nil || p.Is(c.Name, "unread"), program.BareName(c.Path) == "" && !c.runsKnown():
		return c.Words[1:]
	case c.Args.Program != nil && c.Args.Program != p && p.Hands == "":
		return nil // python -m pip, of which the words are known
	case p.Hands != "":
		return c.behindVerb(p)
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleExec && p.Runner == "." {
			return c.Words[o.At:]
		} else if o.Role == program.RoleExec {
			return c.Words[o.At+1:]
		}
	}
	for i := range c.Args.Options { // python -m NAME, java -jar FILE
		if o := &c.Args.Options[i]; o.HasArg && o.Spec != nil && o.Spec.Role == program.RoleExec && o.Spec.Drop {
			return c.Words[min(o.End, len(c.Words)):]
		}
	}
	return nil
}

// unRuns returns the words of the command that ruby -run -e NAME -- does itself, as the
// library un.rb has them; nil for other uses.
func (c *Command) unRuns() []shell.Word {
	lib, code := c.Args.Option("r"), c.Args.Option("e")
	if lib == nil || code == nil || !lib.Arg.Has("un") {
		return nil
	}
	words := []shell.Word{code.Arg}
	for _, w := range c.Words[min(code.End, len(c.Words)):] {
		if !w.Has("--") {
			words = append(words, w)
		}
	}
	return words
}

// runsKnown reports whether the program runs what its row says that it does, which is
// judged by itself.
func (c *Command) runsKnown() bool {
	if c.Args.Payload > 0 || c.Is(program.IsShell) {
		return true
	}
	isRun := func(o *Option) bool { return o.Spec != nil && o.Spec.Role.Runs() }
	for i := range c.Args.Options {
		if isRun(&c.Args.Options[i]) {
			return true
		}
	}
	return slices.ContainsFunc(c.Args.Operands, func(o Operand) bool { return o.Role.Runs() })
}

// behindVerb returns the words that stand as [program.Program.Hands] has them.
func (c *Command) behindVerb(p *program.Program) []shell.Word {
	words := c.Words[1:]
	at := operandAt(words)
	if at == len(words) {
		return nil
	}
	switch verb := words[at].Text(); {
	case program.HasWord(p.Hands, verb):
		words = words[at+1:]
	case program.HasWord(p.Hands, ".") && p.Sub(verb) == nil:
		return words[at:]
	default:
		return nil
	}
	at = operandAt(words)
	return words[min(at+1, len(words)):]
}

// operandAt returns the index of the first word that is no option, or that ends them, or
// the number of words.
func operandAt(words []shell.Word) int {
	at := slices.IndexFunc(words, func(w shell.Word) bool { return w.Has("--") || !strings.HasPrefix(w.Text(), "-") })
	if at < 0 {
		return len(words)
	}
	return at
}

// nextProgram returns the index of the first word that names a program, or the number of
// words.
func nextProgram(words []shell.Word) int {
	for i := range words {
		if named(&words[i]) != nil {
			return i
		}
	}
	return len(words)
}

// named returns the row of the program that a word names, bare, in a directory of
// programs, or as a package with its version; nil where it names none.
func named(w *shell.Word) *program.Program {
	v, ok := w.Literal()
	if !ok && len(w.Values) > 0 {
		v = w.Values[0]
	}
	name := program.BareName(shell.Clean(v))
	if !strings.Contains(v, "/") {
		name = v
	}
	if name == "" {
		return nil
	}
	name = program.Resolve(shell.Fold(program.Packaged(name)))
	p := program.Find(name)
	if p != nil && (p.InShell || p.Is(name, "internal") || p.Is(name, "word")) {
		return nil // no program can run it, or it is rather a word
	}
	return p
}

// readingsOf returns words as lines for a shell, one for each reading of those that may be
// several. What is unknown of them is a variable that no line sets.
func readingsOf(words []shell.Word) (lines []string) {
	readings := 1
	for i := range words {
		readings = max(readings, min(len(words[i].Values), maxHanded))
	}
	for n := range readings {
		out := make([]string, 0, len(words))
		for i := range words {
			word, ok := wordOf(&words[i], n)
			if !ok {
				return lines
			}
			if i == 0 {
				word = program.Packaged(word)
			}
			out = append(out, word)
		}
		lines = append(lines, strings.Join(out, " "))
	}
	return lines
}

// unknownWord is what stands for text that is not known.
const unknownWord = `"$HANDED_ON"`

// wordOf returns a word with the value of a reading as a shell reads it.
func wordOf(w *shell.Word, reading int) (string, bool) {
	if len(w.Values) == 0 {
		text, err := syntax.Quote(w.Beginning(), syntax.LangBash)
		if w.Beginning() == "" {
			text = ""
		}
		return text + unknownWord, err == nil
	}
	v := w.Values[min(reading, len(w.Values)-1)]
	if w.Glob && strings.Trim(v, globBytes) == "" {
		return v, true
	}
	text, err := syntax.Quote(v, syntax.LangBash)
	return text, err == nil
}

// globBytes are those of which a pattern consists that means the same without quotes.
const globBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+@%:,*?[]!^"
