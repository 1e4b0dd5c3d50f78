// Package readonly proves that a command only reads. Its table is a closed
// world: for each program the options, sub-commands and operands that are
// known to be harmless; everything else is not proved.
//
// A proof is about one simple command as [shell.Read] resolved it. A line is
// proved where each of its commands is. The package does not say that reading
// is wanted, looks at no file, and knows nothing of a repository's
// configuration beyond what [Prover.Git] tells it.
package readonly

import (
	"fmt"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/shell"
)

// A Prover proves commands. The zero value knows nothing of the surroundings.
// It is safe for concurrent use.
type Prover struct {
	// Home is the user's home directory, as in [shell.Env].
	Home string
	// Git returns the programs that the configuration of the git repository of
	// a directory names; nil means that this is never known.
	Git func(dir string) (programs []string, ok bool)
	// Shell is the shell that runs the line. Where it is "", a proof holds in
	// sh, bash and zsh.
	Shell string
	// Reasons says that proofs say why; without, Why is [NotProved].
	Reasons bool
	// Extra are leading words of commands that an operator declares to only
	// read.
	Extra [][]string
}

// NotProved is why something is not proved where no reasons are asked for.
const NotProved = "it is not proved to only read"

// A Proof is what became of proving a command.
type Proof struct {
	Proved bool
	// Why is a clause that says why it is not proved, Span the part of the
	// line that keeps it from being, Instead a spelling that would be; ""
	// where there is none.
	Why     string
	Span    shell.Span
	Instead string
}

// An Entry is what is known of a program.
type Entry struct {
	// Names are the program's names, blanks between them.
	Names string
	// Options are those that are harmless, blanks between them, in the
	// notation of [shell.Program]: names with commas, then =KIND for an
	// argument or ?KIND for an optional, attached one. The kind path is a
	// file that is read.
	Options string
	// Words says that options are single words such as -name.
	Words bool
	// Stop says that the first operand ends the options, Plain that there are
	// none, Detached that an option's argument is always a word of its own.
	Stop, Plain, Detached bool
	// Operands is what the operands are: "none", "data", "path", or a number
	// of data before the paths: "1 path".
	Operands string
	// Max is the largest number of operands, 0 for any.
	Max int
	// Free says that no option of the program does more than read, so that an
	// operand may be anything.
	Free bool
	// Recursive are options that read what lies below a directory; "*" means
	// always.
	Recursive string
	// Subs are the sub-commands; where there are any, one must be given.
	Subs []*Entry
	// Git says that the program may run what the repository's configuration
	// names: "" never, "always", or the options with which it does.
	Git string
	// Source is where the options come from.
	Source string
	// Proved and Not are examples, checked by the tests.
	Proved, Not []string

	check func(*proving) bool
	once  sync.Once
	opts  map[string]option
}

// Programs returns the table.
func Programs() []*Entry { return entries }

// Lookup returns the entry of a program, nil if there is none.
func Lookup(name string) *Entry {
	names.Do(func() {
		names.entries = make(map[string]*Entry, 2*len(entries))
		for _, e := range entries {
			for n := range strings.FieldsSeq(e.Names) {
				names.entries[n] = e
			}
		}
	})
	return names.entries[name]
}

// names is the table by name, made at first use.
var names struct {
	sync.Once
	entries map[string]*Entry
}

func (e *Entry) options() map[string]option {
	e.once.Do(func() {
		e.opts = make(map[string]option)
		for f := range strings.FieldsSeq(e.Options) {
			list, kind, takes := f, "", shell.Nothing
			if n, k, ok := strings.Cut(f, "="); ok {
				list, kind, takes = n, k, shell.Argument
			} else if n, k, ok := strings.Cut(f, "?"); ok {
				list, kind, takes = n, k, shell.Attached
			}
			for n := range strings.SplitSeq(list, ",") {
				e.opts[n] = option{takes, kind == "path"}
			}
		}
	})
	return e.opts
}

// Prove proves the command with index i of a line on its own; what it runs as
// its payload are commands of their own.
func (p *Prover) Prove(l *shell.Line, i int) Proof {
	v := provings.Get().(*proving)
	*v = proving{p: p, line: l, c: &l.Commands[i], index: i, args: v.args[:0], given: v.given[:0]}
	v.run()
	proof := v.proof
	*v = proving{args: v.args, given: v.given}
	provings.Put(v)
	return proof
}

// provings are reused for their slices; nothing of one outlives its proof.
var provings = sync.Pool{New: func() any { return new(proving) }}

// A proving is one attempt at a proof.
type proving struct {
	p     *Prover
	line  *shell.Line
	c     *shell.Command
	index int
	entry *Entry
	given []string // names of the options given
	proof Proof
	args  []int // indices of the operand words
	dash  bool  // -- was seen
	runs  bool  // what it runs must be proved too
}

// fail notes why there is no proof; it returns false.
func (v *proving) fail(span shell.Span, why string) bool {
	v.proof = Proof{Why: why, Span: span}
	return false
}

func (v *proving) failf(span shell.Span, format string, args ...string) bool {
	if !v.p.Reasons {
		return v.fail(span, NotProved)
	}
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a
	}
	return v.fail(span, fmt.Sprintf(format, list...))
}

func (v *proving) run() {
	if !v.surroundings() {
		return
	}
	if len(v.c.Words) == 0 || v.c.Keyword {
		v.proof.Proved = v.syntax()
		return
	}
	if v.declared() {
		v.proof.Proved = true
		return
	}
	v.proof.Proved = v.program()
}

// surroundings rules out what no program is proved with.
func (v *proving) surroundings() bool {
	c := v.c
	switch {
	case c.Opaque != "":
		return v.fail(c.Span, c.Opaque)
	case c.Doubt != "":
		return v.fail(c.Span, "it "+c.Doubt)
	case c.Function || c.Place&(shell.Defined|shell.InFunction) != 0:
		return v.fail(c.Span, "functions and aliases are not proved")
	case c.In(shell.Background):
		return v.fail(c.Span, "it runs in the background")
	case c.In(shell.OutSubst):
		return v.fail(c.Span, "it reads what another command writes into it")
	case c.Context != shell.Local:
		return v.fail(c.Span, "it does not run on this machine")
	}
	if len(c.Words) > 0 && !c.Keyword && len(c.Assigns) > 0 {
		return v.failf(c.Assigns[0].Span, "the assignment to %s may change what the program does", c.Assigns[0].Name)
	}
	for i := range c.Words {
		if c.Words[i].Secret {
			return v.fail(c.Words[i].Span, "the variable's name says that it holds a secret")
		}
	}
	return v.redirects()
}

func (v *proving) redirects() bool {
	for i := range v.c.Redirects {
		r := &v.c.Redirects[i]
		switch {
		case r.Writes():
			if t, ok := r.Target.Literal(); !ok || t != "/dev/null" {
				return v.fail(r.Span, "the redirection writes a file")
			}
		case r.Reads():
			if !v.path(r.Target) {
				return false
			}
		case r.Op == ">&" || r.Op == "<&" || r.Inline():
		default:
			return v.failf(r.Span, "the redirection %s is not known to be harmless", r.Op)
		}
	}
	return true
}

// syntax proves assignments, bare redirections and parts of the language.
func (v *proving) syntax() bool {
	c := v.c
	if len(c.Words) == 0 {
		for i := range c.Assigns {
			if a := &c.Assigns[i]; shell.ActiveEnv(a.Name) {
				return v.failf(a.Span, "the variable %s changes what later commands do", a.Name)
			}
		}
		return true
	}
	switch c.Name {
	case "for", "case", "((", "let", "time":
		return true
	case "[[":
		return v.testClause()
	}
	return v.failf(c.Span, "%s is not on the list", c.Name)
}

// testClause proves [[ … ]]: -v and -R evaluate the subscript of a name.
func (v *proving) testClause() bool {
	for i := range v.c.Words {
		if w := &v.c.Words[i]; w.Has("-v") || w.Has("-R") {
			return v.fail(w.Span, "the test looks at a variable by name, which may evaluate a subscript")
		}
	}
	return true
}

// declared says whether the operator declares the command to only read.
func (v *proving) declared() bool {
	for _, words := range v.p.Extra {
		if len(words) == 0 || len(words) > len(v.c.Words) {
			continue
		}
		all := true
		for i, w := range words {
			t, ok := v.c.Words[i].Literal()
			all = all && ok && t == w
		}
		if all && v.known(v.c.Words[len(words):]) {
			return true
		}
	}
	return false
}

// known says whether every word is.
func (v *proving) known(words []shell.Word) bool {
	for i := range words {
		if !words[i].Known() {
			return false
		}
	}
	return true
}

// trusted are the directories in which a program is what its name says.
var trusted = []string{"/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/"}

func (v *proving) program() bool {
	w := v.c.Program()
	path, ok := w.Literal()
	if !ok {
		return v.fail(w.Span, "the program is not known")
	}
	name := path
	if strings.Contains(path, "/") {
		name = ""
		for _, dir := range trusted {
			if n, ok := strings.CutPrefix(path, dir); ok && !strings.Contains(n, "/") {
				name = n
			}
		}
		if name == "" {
			return v.failf(w.Span, "%s is a program of its own", path)
		}
	}
	e := Lookup(name)
	if e == nil {
		return v.unlisted(name, w)
	}
	v.entry = e
	if !v.arguments(1) || !v.operands() || !v.repository() || !v.checked() {
		return false
	}
	return !v.runs || v.payloadProved()
}

// checked applies what the entry, or the sub-command's, knows beside options
// and operands.
func (v *proving) checked() bool { return v.entry.check == nil || v.entry.check(v) }

// unlisted proves NAME --version and NAME --help for programs that are known
// to print and leave.
func (v *proving) unlisted(name string, w shell.Word) bool {
	if shell.Lookup(name) != nil && len(v.c.Words) == 2 && (v.c.Words[1].Has("--version") || v.c.Words[1].Has("--help")) && v.c.Words[1].Known() && !runsHelp[name] {
		return true
	}
	return v.failf(w.Span, "%s is not on the list of programs that only read", name)
}

// runsHelp are programs whose --help or --version does more than print, or is
// an argument like any other.
var runsHelp = map[string]bool{
	"eval": true, "source": true, ".": true, "exec": true, "command": true, "builtin": true, "trap": true, "man": true,
	"git": true, "vi": true, "vim": true, "nvim": true, "emacs": true, "cd": true, "pushd": true, "popd": true,
	"mount": true, "kill": true, "npx": true, "bunx": true, "pnpx": true, "reboot": true, "halt": true, "poweroff": true,
	"shutdown": true, "init": true, "telinit": true, "osascript": true, "entr": true, "crontab": true, "at": true,
	"diskutil": true, "policyctl": true, "xargs": false,
}
