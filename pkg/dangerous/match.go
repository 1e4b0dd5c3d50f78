package dangerous

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// Short names for what every rule handles.
type (
	cmd     = command.Command
	span    = shell.Span
	word    = shell.Word
	matcher = func(*hazard.Scene, *cmd) (span, bool)
)

// A condition is one that a command alone meets or not.
type condition func(*cmd) bool

// match matches a command that meets all conditions and does not only ask
// its program for help.
func match(all ...condition) matcher {
	return func(_ *hazard.Scene, c *cmd) (span, bool) {
		if c.Function {
			return span{}, false
		}
		for _, holds := range all {
			if !holds(c) {
				return span{}, false
			}
		}
		return c.Span, !asksHelp(c)
	}
}

func asksHelp(c *cmd) bool {
	if c.Args.Program == nil {
		return says("--help", "--version")(c)
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; !o.HasArg && (o.Is("help") || o.Is("version")) {
			return true
		}
	}
	return false
}

func either(any ...condition) condition {
	return func(c *cmd) bool {
		for _, holds := range any {
			if holds(c) {
				return true
			}
		}
		return false
	}
}

func both(all ...condition) condition {
	return func(c *cmd) bool {
		for _, holds := range all {
			if !holds(c) {
				return false
			}
		}
		return true
	}
}

func not(a condition) condition {
	return func(c *cmd) bool { return !a(c) }
}

// named holds for the program of one name.
func named(name string) condition {
	return func(c *cmd) bool { return c.Name == name }
}

// acts holds for a program that does what a kind of its row says, also where a runner starts
// it: a fact about programs stands there, and not in a rule.
func acts(kind string) condition {
	return func(c *cmd) bool { return c.Acts(kind) }
}

// how holds for a program of which a kind has one of some values.
func how(kind string, values ...string) condition {
	return func(c *cmd) bool { return slices.Contains(values, c.How(kind)) }
}

// onlyRuns holds for a runner, whose words are those of another program.
func onlyRuns(c *cmd) bool { return c.Is(program.IsRunner) }

// sub holds for the given sub-commands, as the grammar reads them.
func sub(names ...string) condition {
	return func(c *cmd) bool { return c.Args.Sub != "" && slices.Contains(names, c.Args.Sub) }
}

// option holds if one of the options is given, by any of its names.
func option(names ...string) condition {
	return func(c *cmd) bool { return c.Args.Has(names...) }
}

// optionIs holds if the option of the given name may have an argument for
// which the test holds.
func optionIs(name string, test func(string) bool) condition {
	return func(c *cmd) bool {
		for i := range c.Args.Options {
			if o := &c.Args.Options[i]; o.HasArg && o.Is(name) && anyValue(o.Arg.Set, test) {
				return true
			}
		}
		return false
	}
}

// operand holds if the test holds for what an operand may be.
func operand(test func(string) bool) condition {
	return func(c *cmd) bool {
		for _, o := range c.Args.Operands {
			if anyValue(c.Words[o.At].Set, test) {
				return true
			}
		}
		return false
	}
}

// operandBegins holds if an operand begins, or may begin, with a text.
func operandBegins(prefix string) condition {
	return func(c *cmd) bool {
		for _, o := range c.Args.Operands {
			w := &c.Words[o.At]
			if w.Open && strings.HasPrefix(w.Prefix, prefix) || anyValue(w.Set, hasPrefix(prefix)) {
				return true
			}
		}
		return false
	}
}

// firstOperand holds if the test holds for what the first operand may be.
func firstOperand(test func(string) bool) condition {
	return func(c *cmd) bool {
		if len(c.Args.Operands) == 0 {
			return false
		}
		return anyValue(c.Words[c.Args.Operands[0].At].Set, test)
	}
}

// argument holds if the test holds for what a word behind the program may be.
func argument(test func(string) bool) condition {
	return func(c *cmd) bool {
		for i := 1; i < len(c.Words); i++ {
			if anyValue(c.Words[i].Set, test) {
				return true
			}
		}
		return false
	}
}

// says holds if one of the arguments may be one of the given words.
func says(words ...string) condition {
	return argument(func(v string) bool { return slices.Contains(words, v) })
}

// verbs holds for programs without a grammar if their sub-commands may be those of one of
// some sequences.
func verbs(sequences ...string) condition {
	clause := ""
	for _, s := range sequences {
		clause += ",>" + strings.ReplaceAll(s, " ", ">")
	}
	return func(c *cmd) bool { return c.Says(clause[1:]) }
}

// nextPlain returns the index of the next argument that is no option, 0 if
// there is none.
func nextPlain(c *cmd, i int) int {
	for i++; i < len(c.Words); i++ {
		if v := c.Words[i].Values; len(v) > 0 && !strings.HasPrefix(v[0], "-") {
			return i
		}
	}
	return 0
}

// operands holds if the program is given at least n operands.
func operands(n int) condition {
	return func(c *cmd) bool { return len(c.Args.Operands) >= n }
}

// arguments holds if the program is given at least n words.
func arguments(n int) condition {
	return func(c *cmd) bool { return len(c.Words) > n }
}

func anyValue(s shell.Set, test func(string) bool) bool {
	for _, v := range s.Values {
		if test(v) {
			return true
		}
	}
	return false
}

func is(words ...string) func(string) bool {
	return func(v string) bool { return slices.Contains(words, v) }
}

func hasPrefix(prefixes ...string) func(string) bool {
	return func(v string) bool {
		for _, p := range prefixes {
			if strings.HasPrefix(v, p) {
				return true
			}
		}
		return false
	}
}

func hasSuffix(suffixes ...string) func(string) bool {
	return func(v string) bool {
		for _, s := range suffixes {
			if strings.HasSuffix(v, s) {
				return true
			}
		}
		return false
	}
}

func contains(parts ...string) func(string) bool {
	return func(v string) bool {
		for _, p := range parts {
			if strings.Contains(v, p) {
				return true
			}
		}
		return false
	}
}

func isURL(v string) bool {
	return strings.Contains(v, "://") || strings.HasPrefix(v, "git+") || strings.HasPrefix(v, "git@")
}

// dry holds if the program is only to say what it would do.
func dry(c *cmd) bool {
	if c.Args.Program == nil {
		return says("--dry-run", "--dry-run=true", "--dryrun", "--what-if", "--whatif")(c)
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if (o.Is("dry-run") || o.Is("dryrun") || o.Is("what-if")) && !(o.HasArg && anyValue(o.Arg.Set, is("none", "false"))) {
			return true
		}
	}
	return false
}
