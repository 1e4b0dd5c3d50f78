package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A use is what a rule looks for in programs, read by their words: most of
// them have no grammar.
type use struct {
	names string
	// does are sequences of words, with commas between. Words without a dash
	// are sub-commands, in order; what an option before them may take as its
	// argument is passed over. Words with a dash are options, wherever they
	// stand, alone or before a =. "*" is any argument at all, "_" any
	// sub-command; no sequence is every call of the program.
	does string
	// unless are words that make it harmless, such as that for a dry run.
	unless string
}

// runners start a program of a package or a project that their first word
// behind the ones of their own names.
func runners() string { return program.Names(program.IsRunner) }

const runnerVerbs = "exec dlx x run tool"

// programsOf returns the names of the programs in rows and in further lists.
func programsOf(rows []use, further ...string) string {
	for i := range rows {
		further = append(further, rows[i].names)
	}
	return strings.Join(further, " ")
}

// uses holds for a command that one of the rows describes, also where a
// runner starts the program. It does not hold for a dry run.
func uses(rows []use) condition {
	return func(c *cmd) bool {
		name, from := started(c)
		for i := range rows {
			if u := &rows[i]; program.HasWord(u.names, name) && u.holds(c, from) {
				return !dry(c)
			}
		}
		return false
	}
}

// started returns the name of the program or the script that does the work,
// and the index of the word behind it.
func started(c *cmd) (name string, from int) {
	if c.Is(program.IsShell) {
		for _, o := range c.Args.Operands {
			if v, ok := c.Words[o.At].Literal(); ok && o.Role == program.RoleExec {
				return shell.Base(v), o.At + 1
			}
		}
	}
	if !c.Is(program.IsRunner) {
		return c.Name, 1
	}
	for i := 1; i < len(c.Words); i++ {
		v, ok := c.Words[i].Literal()
		switch {
		case !ok, strings.HasPrefix(v, "-"), program.HasWord(runnerVerbs, v):
			continue
		}
		v, _, _ = strings.Cut(shell.Base(v), "@")
		return v, i + 1
	}
	return c.Name, 1
}

func (u *use) holds(c *cmd, from int) bool {
	for word := range strings.FieldsSeq(u.unless) {
		if hasOption(c, from, word) {
			return false
		}
	}
	if u.does == "" {
		return true
	}
	for sequence := range strings.SplitSeq(u.does, ",") {
		if follows(c, from, sequence) {
			return true
		}
	}
	return false
}

// follows reports whether the words from an index on are those of a sequence.
func follows(c *cmd, from int, sequence string) bool {
	at, ok := from, true
	for want := range strings.FieldsSeq(sequence) {
		switch {
		case want == "_":
			if at = nextPlain(c, at-1) + 1; at == 1 {
				return false
			}
		case want == "*":
			ok = len(c.Words) > from
		case want[0] == '-' || want[0] == '/':
			ok = hasOption(c, from, want)
		default:
			at, ok = verbAt(c, at, want)
		}
		if !ok {
			return false
		}
	}
	return true
}

// verbAt returns the index behind the next word that is no option, if it is
// the given one. What follows an option may be its argument.
func verbAt(c *cmd, from int, want string) (int, bool) {
	after := false
	for i := from; i < len(c.Words); i++ {
		w := &c.Words[i]
		switch {
		case w.Has(want):
			return i + 1, true
		case len(w.Values) == 0: // nothing is known of it
		case strings.HasPrefix(w.Values[0], "-"):
			after = !strings.Contains(w.Values[0], "=")
			continue
		case !after:
			return 0, false
		}
		after = false
	}
	return 0, false
}

// hasOption reports whether a word from an index on is an option, alone or
// with its argument attached by a =.
func hasOption(c *cmd, from int, option string) bool {
	for i := from; i < len(c.Words); i++ {
		for _, v := range c.Words[i].Values {
			if rest, ok := strings.CutPrefix(v, option); ok && (rest == "" || rest[0] == '=') {
				return true
			}
		}
	}
	return false
}
