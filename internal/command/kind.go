package command

import (
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Of reports whether the program is of a kind, as in [program.Program.Kinds].
func (c *Command) Of(kind string) bool {
	p := c.Row()
	return p != nil && p.Is(c.Name, kind)
}

// How returns the value of a kind of the program, "" where it has none.
func (c *Command) How(kind string) string {
	if p := c.Row(); p != nil {
		return p.How(c.Name, kind)
	}
	return ""
}

// Construct returns the construct of the shell's grammar that the command is a part of,
// as in [Command.Keyword]; "" for others.
func (c *Command) Construct() string {
	if c.Keyword {
		return c.Name
	}
	return ""
}

// Binds returns what the shell sets that the command names, "" where it is none of its
// builtins.
func (c *Command) Binds() string {
	if c.Path != c.Name {
		return ""
	}
	return c.How("sets")
}

// Sums returns which words of a builtin the shell may evaluate as arithmetic: "all" of
// them, "words" beside operators that compare numbers, or the "name" of a variable; "" for none.
func (c *Command) Sums() string {
	switch {
	case c.Path == "[[":
		return "words"
	case c.Path == "let":
		return "all"
	case c.Path != c.Name:
		return ""
	}
	return c.How("sums")
}

// Does reports whether the words make the program do what a kind says.
func (c *Command) Does(kind string) bool {
	return told{c, c.Row(), c.Name, 1}.does(kind)
}

// Says reports whether the words are those of a clause, as in [program.Program.Kinds].
func (c *Command) Says(clause string) bool { return told{c, c.Row(), c.Name, 1}.holds(clause) }

// Acts reports whether a command does what a kind says: its program does, or the one that
// this starts, as npx does.
func (c *Command) Acts(kind string) bool {
	if c.Does(kind) {
		return true
	}
	name, from := c.Worker()
	return from > 1 && told{c, program.Find(name), name, from}.does(kind)
}

// starting are words of runners before the name of the program that they start.
const starting = "exec dlx x run tool"

// Worker returns the name of the program or the script that does the work of a command,
// and the index of the word behind it: what a runner starts of a package, or a shell, and
// otherwise its own program.
func (c *Command) Worker() (name string, from int) {
	if c.Is(program.IsShell) {
		for _, o := range c.Args.Operands {
			if v, ok := c.Words[o.At].Literal(); ok && o.Role == program.RoleExec {
				return program.Resolve(shell.Base(v)), o.At + 1
			}
		}
	}
	if !c.Is(program.IsRunner) {
		return c.Name, 1
	}
	for i := 1; i < len(c.Words); i++ {
		v, ok := c.Words[i].Literal()
		v = strings.TrimPrefix(v, "--package=") // as -p NAME
		if !ok || strings.HasPrefix(v, "-") || program.HasWord(starting, v) {
			continue
		}
		v, _, _ = strings.Cut(shell.Base(v), "@")
		return program.Resolve(v), i + 1
	}
	return c.Name, 1
}

// told is a program of a command with the words that it is given: those from an index on.
type told struct {
	*Command
	row  *program.Program
	name string
	from int
}

// args returns the words behind the program; the module of Python is one by itself, as in
// -mMODULE.
func (t told) args() []shell.Word {
	words := t.Words[min(t.from, len(t.Words)):]
	if t.row == nil || t.row.Language != program.Python {
		return words
	}
	for i := range words {
		if name, ok := strings.CutPrefix(words[i].Beginning(), "-m"); ok && name != "" && words[i].Known() {
			dash, module := words[i], words[i]
			dash.Set, module.Set = shell.Set{Values: []string{"-m"}}, shell.Set{Values: []string{name}}
			return slices.Concat(words[:i], []shell.Word{dash, module}, words[i+1:])
		}
	}
	return words
}

func (t told) does(kind string) bool {
	if t.row == nil {
		return false
	}
	for entries := t.row.Kinds; ; {
		rest, behind, ok := program.Clause(entries, t.name, kind)
		switch {
		case !ok:
			return false
		case rest == "", rest[0] == '?' && t.holds(rest[1:]):
			return true
		}
		entries = behind
	}
}

// holds reports whether a clause holds: each of its parts, of which one has alternatives
// with commas between them, and ! before them denies all.
func (t told) holds(clause string) bool {
	for part := range strings.SplitSeq(clause, "&") {
		any, denied := strings.CutPrefix(part, "!")
		found := false
		for term := range strings.SplitSeq(any, ",") {
			found = found || t.term(term)
		}
		if found == denied {
			return false
		}
	}
	return true
}

// term reports whether a term of a clause holds, as in [program.Program.Kinds].
func (t told) term(term string) bool {
	args, rest := t.args(), term[1:]
	switch term[0] {
	case ':':
		return t.option(rest)
	case '@':
		return t.from == 1 && t.Args.Sub == strings.ReplaceAll(rest, "_", " ")
	case '#':
		n, _ := strconv.Atoi(rest)
		return len(args) >= n
	case '*':
		return t.from == 1 && len(t.Args.Operands) > 0 && (rest == "" || rest == strconv.Itoa(len(t.Args.Operands)))
	case '<':
		return t.fed()
	case '>':
		return follow(args, term)
	case '$':
		return len(args) > 0 && args[len(args)-1].Has(rest[1:])
	}
	if n, word, ok := strings.Cut(term, ">"); ok && len(n) == 1 {
		return amongFirst(args, int(n[0]-'0'), word)
	}
	if word, ok := strings.CutPrefix(term, "1="); ok {
		return len(args) > 0 && args[0].Has(word)
	}
	for i := range args {
		for _, v := range args[i].Values {
			if wordIs(v, term) {
				return true
			}
		}
	}
	option, begin, ok := strings.Cut(term, "^")
	return ok && term[0] == '-' && valueBegins(args, option, begin)
}

// option reports whether the grammar reads an option of a name, and with a value behind =
// whether it has that argument.
func (t told) option(term string) bool {
	if t.from > 1 {
		return false
	}
	name, value, is := strings.Cut(term, "=")
	o := t.Args.Option(name)
	return o != nil && (!is || o.Arg.Has(value))
}

// follow reports whether arguments are the words of a term, > before each.
func follow(args []shell.Word, term string) bool {
	at, ok := 0, true
	for want := range strings.SplitSeq(term[1:], ">") {
		switch {
		case want == "_":
			at, ok = anyVerb(args, at)
		case want[0] == '-' || want[0] == '/':
			ok = hasOption(args, want)
		default:
			at, ok = verbAt(args, at, want)
		}
		if !ok {
			return false
		}
	}
	return true
}

// anyVerb returns the index behind the next argument that is no option.
func anyVerb(args []shell.Word, from int) (int, bool) {
	for i := from; i < len(args); i++ {
		if v := args[i].Values; len(v) > 0 && !strings.HasPrefix(v[0], "-") {
			return i + 1, true
		}
	}
	return 0, false
}

// verbAt returns the index behind the next argument that is no option, if it is the given
// one. What follows an option may be its argument.
func verbAt(args []shell.Word, from int, want string) (int, bool) {
	after := false
	for i := from; i < len(args); i++ {
		w := &args[i]
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

// hasOption reports whether an argument is an option, alone or with its own argument
// attached by =.
func hasOption(args []shell.Word, option string) bool {
	for i := range args {
		for _, v := range args[i].Values {
			if rest, ok := strings.CutPrefix(v, option); ok && (rest == "" || rest[0] == '=') {
				return true
			}
		}
	}
	return false
}

// amongFirst reports whether one of the first arguments that are no options is a word; * is
// any.
func amongFirst(args []shell.Word, n int, word string) bool {
	for at, ok := anyVerb(args, 0); ok && n > 0; at, ok = anyVerb(args, at) {
		if word == "*" || args[at-1].Has(word) {
			return true
		}
		n--
	}
	return false
}

// wordIs reports whether a word is what a term of a clause names.
func wordIs(v, term string) bool {
	rest := term[1:]
	switch term[0] {
	case '%':
		if begin, ok := strings.CutPrefix(rest, "^"); ok {
			return strings.HasPrefix(strings.ToLower(v), begin)
		}
		return strings.EqualFold(v, rest)
	case '~':
		return strings.Contains(v, rest)
	case '^':
		return strings.HasPrefix(v, rest)
	case '.':
		verb, _, _ := strings.Cut(v, " ")
		return verb == rest
	case '+':
		letter, end, _ := strings.Cut(rest, "/")
		if len(v) < 2 || v[0] != '-' || strings.HasPrefix(v, "--") {
			return false
		}
		if end != "" {
			v, _, _ = strings.Cut(v, end)
		}
		return strings.Contains(v, letter)
	}
	return v == term
}

// valueBegins reports whether an option that the words spell has a value that begins with
// a text.
func valueBegins(args []shell.Word, option, begin string) bool {
	for i := range args {
		for _, v := range args[i].Values {
			if v == option && i+1 < len(args) && strings.HasPrefix(args[i+1].Beginning(), begin) {
				return true
			}
			if value, ok := strings.CutPrefix(v, option); ok && value != "" && strings.HasPrefix(strings.TrimPrefix(value, "="), begin) {
				return true
			}
		}
	}
	return false
}

// fed reports whether the command has a standard input of its own.
func (c *Command) fed() bool {
	for i := range c.Redirects {
		if c.Redirects[i].Reads() {
			return true
		}
	}
	return c.In(Piped) || c.Input != nil
}

// Bare returns the command as it would be read with none of its options but
// those that keep holds for, and without its redirections. What an option takes
// goes with it; word is the option as it is written, without an attached
// argument behind =.
func (c *Command) Bare(keep func(word string, o *Option) bool) Command {
	out := *c
	out.Redirects = nil
	p := program.Lookup(c.Name)
	if p == nil {
		return out
	}
	words := Dashed(c)
	drop := make([]bool, len(words)+1)
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		at := o.At
		if o.Spec != nil && o.Spec.TakesWords() && !o.HasArg {
			at--
		}
		word, _, _ := strings.Cut(words[at].Text(), "=")
		if at < 1 || keep(word, o) || c.Of("members") && keep(strings.TrimPrefix(word, "-"), o) {
			continue
		}
		for ; at < o.End; at++ {
			drop[at] = true
		}
	}
	out.Words = nil
	for k := range words {
		if !drop[k] {
			out.Words = append(out.Words, words[k])
		}
	}
	out.Args = ParseArgs(p, out.Words)
	return out
}

// Filter returns the name of the command, awk or sed for all that read these languages.
func (c *Command) Filter() string {
	switch program.LanguageOf(c.Name) {
	case program.AWK:
		return "awk"
	case program.Sed:
		return "sed"
	}
	return c.Name
}
