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

	"github.com/policyctl/policyctl/pkg/sensitive"
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

type option struct {
	takes shell.Takes
	path  bool
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

// arguments reads the options from words[from:] on, exactly: no abbreviation,
// no option that is not listed, no word that may be an option.
func (v *proving) arguments(from int) bool {
	words := v.c.Words
	for i := from; i < len(words); i++ {
		w := &words[i]
		if v.dash || v.stopped() {
			v.args = append(v.args, i)
			continue
		}
		if !v.entry.Free && mayBeOption(w) {
			v.fail(w.Span, "the word may be an option")
			v.proof.Instead = "write -- before it, or begin it with ./"
			return false
		}
		t := optionText(w)
		switch {
		case t == "" || t == "-":
			if len(v.entry.Subs) > 0 {
				return v.sub(i)
			}
			v.args = append(v.args, i)
		case t == "--" && !v.entry.Words:
			v.dash = true
		default:
			n, ok := v.option(i, t)
			if !ok {
				return false
			}
			i += n
		}
	}
	if len(v.entry.Subs) > 0 && len(v.given) == 0 {
		return v.failf(v.c.Span, "%s without a sub-command is not on the list", v.c.Name)
	}
	return true
}

// stopped says whether options have ended: the program has none, or its first
// operand ends them, as where the program runs what follows.
func (v *proving) stopped() bool {
	return v.entry.Plain || len(v.args) > 0 && (v.entry.Stop || v.c.Args.Payload > 0)
}

// mayBeOption says whether a word that is not known may begin with a dash.
func mayBeOption(w *shell.Word) bool {
	if w.Known() && len(w.Values) == 1 && !w.Many {
		return false
	}
	if w.Number {
		return false
	}
	if w.Known() && !w.Many {
		for _, t := range w.Values {
			if strings.HasPrefix(t, "-") {
				return true
			}
		}
		return false
	}
	return w.Prefix == "" || w.Prefix[0] == '-'
}

// optionText returns the text of a word that is an option, "" for others.
func optionText(w *shell.Word) string {
	t, ok := w.Literal()
	if !ok || !strings.HasPrefix(t, "-") {
		return ""
	}
	return t
}

// option checks the option word at index i and returns how many words more
// belong to it.
func (v *proving) option(i int, t string) (more int, ok bool) {
	w := &v.c.Words[i]
	if v.entry.Words {
		name := strings.TrimPrefix(t[1:], "-")
		if n := v.argv(i); n > 0 {
			v.given = append(v.given, name)
			_, listed := v.entry.options()[name]
			return n, listed || v.unknownOption(w, t)
		}
		return v.oneOption(i, name, "", false)
	}
	if strings.HasPrefix(t, "--") {
		name, arg, attached := strings.Cut(t[2:], "=")
		if len(name) < 2 {
			return 0, v.unknownOption(w, t)
		}
		return v.oneOption(i, name, arg, attached)
	}
	opts := v.entry.options()
	if _, ok := opts["#"]; ok && isDigits(t[1:]) {
		v.given = append(v.given, "#")
		return 0, true
	}
	for k := 1; k < len(t); k++ {
		name := t[k : k+1]
		o, listed := opts[name]
		if !listed {
			return 0, v.unknownOption(w, "-"+name)
		}
		v.given = append(v.given, name)
		if o.takes == shell.Nothing {
			continue
		}
		if k+1 < len(t) && v.entry.Detached {
			return 0, v.failf(w.Span, "the option -%s of %s takes its argument from another word", name, v.c.Name)
		}
		if k+1 < len(t) {
			return 0, v.optionPath(o, shell.Word{Set: shell.Set{Values: []string{t[k+1:]}}, Span: w.Span})
		}
		if o.takes == shell.Attached {
			return 0, true
		}
		return v.argument(i, o)
	}
	return 0, true
}

// argv returns how many words after the option at index i are a command that
// the program runs, as after -exec of find.
func (v *proving) argv(i int) int {
	for k := range v.c.Args.Options {
		if o := &v.c.Args.Options[k]; o.Spec != nil && o.Spec.Role == shell.RoleArgv && o.At == i+1 {
			return o.End - i
		}
	}
	return 0
}

func (v *proving) oneOption(i int, name, arg string, attached bool) (int, bool) {
	w := &v.c.Words[i]
	o, listed := v.entry.options()[name]
	if !listed {
		return 0, v.unknownOption(w, w.Values[0])
	}
	v.given = append(v.given, name)
	switch {
	case attached && o.takes == shell.Nothing:
		return 0, v.failf(w.Span, "the option --%s takes no argument", name)
	case attached:
		return 0, v.optionPath(o, shell.Word{Set: shell.Set{Values: []string{arg}}, Span: w.Span})
	case o.takes == shell.Argument:
		return v.argument(i, o)
	}
	return 0, true
}

// argument checks the word after an option, which is its argument whatever it
// looks like.
func (v *proving) argument(i int, o option) (int, bool) {
	if i+1 >= len(v.c.Words) {
		return 0, v.fail(v.c.Words[i].Span, "the option lacks its argument")
	}
	w := v.c.Words[i+1]
	if w.Many && !v.entry.Free {
		return 0, v.fail(w.Span, "the option's argument may be several words")
	}
	return 1, v.optionPath(o, w)
}

func (v *proving) optionPath(o option, w shell.Word) bool {
	return !o.path || v.path(w)
}

func (v *proving) unknownOption(w *shell.Word, t string) bool {
	return v.failf(w.Span, "the option %s of %s is not on its list", t, v.c.Name)
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// sub goes on with a sub-command.
func (v *proving) sub(i int) bool {
	w := &v.c.Words[i]
	name, ok := w.Literal()
	if !ok {
		return v.fail(w.Span, "the sub-command is not known")
	}
	for _, s := range v.entry.Subs {
		for n := range strings.FieldsSeq(s.Names) {
			if n == name {
				v.entry, v.given = s, v.given[:0]
				return v.arguments(i + 1)
			}
		}
	}
	return v.failf(w.Span, "%s of %s is not on the list of sub-commands that only read", name, v.c.Name)
}

// operands checks the number of operands and the paths among them.
func (v *proving) operands() bool {
	e := v.entry
	kind, skip := e.Operands, 0
	if n, rest, ok := strings.Cut(kind, " "); ok {
		kind, skip = rest, int(n[0]-'0')
	}
	max := e.Max
	if kind == "none" {
		max = -1
	}
	if max != 0 && len(v.args) > 0 {
		if len(v.args) > max {
			return v.failf(v.c.Words[v.args[len(v.args)-1]].Span, "%s is given more operands than only reading takes", v.c.Name)
		}
		for _, i := range v.args {
			if v.c.Words[i].Many {
				return v.fail(v.c.Words[i].Span, "the word may become several operands")
			}
		}
	}
	if kind != "path" {
		return true
	}
	for k, i := range v.args {
		if k >= skip && !v.path(v.c.Words[i]) {
			return false
		}
	}
	return v.recursion(skip)
}

// recursion keeps programs that read contents from reading all of a home.
func (v *proving) recursion(skip int) bool {
	e := v.entry
	if e.Recursive == "" || e.Recursive != "*" && !v.hasAny(e.Recursive) {
		return true
	}
	if len(v.args) <= skip {
		return v.tree(shell.Word{Set: shell.Set{Values: []string{"."}}, Span: v.c.Span})
	}
	for _, i := range v.args[skip:] {
		if !v.tree(v.c.Words[i]) {
			return false
		}
	}
	return true
}

func (v *proving) tree(w shell.Word) bool {
	for _, p := range shell.Paths(v.c.Dir, w.Set) {
		if e, ok := sensitive.MayFind(strings.TrimSuffix(p, "/")+"/**", v.p.Home, sensitive.Secret); ok {
			return v.failf(w.Span, "what lies below %s includes what %s", p, e.Why)
		}
	}
	return true
}

func (v *proving) has(any ...string) bool {
	for _, g := range v.given {
		for _, n := range any {
			if g == n {
				return true
			}
		}
	}
	return false
}

// hasAny says whether one of several options, blanks between them, is given.
func (v *proving) hasAny(list string) bool {
	for name := range strings.FieldsSeq(list) {
		if v.has(name) {
			return true
		}
	}
	return false
}

// path checks that a word names no secret.
func (v *proving) path(w shell.Word) bool {
	for _, p := range shell.Paths(v.c.Dir, w.Set) {
		find := sensitive.FindRole
		if w.Glob {
			find = sensitive.MayFind
		}
		if e, ok := find(p, v.p.Home, sensitive.Secret); ok {
			return v.failf(w.Span, "the path is sensitive: it %s", e.Why)
		}
	}
	if w.Open && w.Prefix != "" && len(w.Values) == 0 {
		p := shell.Abs(first(v.c.Dir), w.Prefix)
		if e, ok := sensitive.FindRole(p, v.p.Home, sensitive.Secret); ok {
			return v.failf(w.Span, "the path may be sensitive: it %s", e.Why)
		}
	}
	if t, ok := w.Literal(); ok && strings.HasPrefix(t, "/dev/") && !strings.HasPrefix(t, "/dev/fd/") && !strings.HasPrefix(t, "/dev/std") && t != "/dev/null" && t != "/dev/tty" && t != "/dev/zero" && t != "/dev/urandom" && t != "/dev/random" {
		return v.failf(w.Span, "%s is a device", t)
	}
	if v.p.Shell != "bash" && v.p.Shell != "sh" && v.p.Shell != "dash" && !w.Quoted {
		if t, ok := w.Literal(); ok && strings.HasPrefix(t, "=") {
			return v.fail(w.Span, "zsh replaces the word by the path of a program")
		}
	}
	return true
}

func first(s shell.Set) string {
	if len(s.Values) == 0 {
		return ""
	}
	return s.Values[0]
}

// repository asks whether the repository's configuration names programs.
func (v *proving) repository() bool {
	e := v.entry
	if e.Git == "" || e.Git != "always" && !v.hasAny(e.Git) {
		return true
	}
	dir, ok := v.dir().Literal()
	if v.p.Git == nil || !ok {
		return v.fail(v.c.Span, "the repository's configuration may name programs that git runs, and it is not known")
	}
	programs, ok := v.p.Git(dir)
	if !ok {
		return v.fail(v.c.Span, "the repository's configuration could not be read")
	}
	if len(programs) > 0 {
		return v.failf(v.c.Span, "the repository's configuration names programs that git runs: %s", strings.Join(programs, ", "))
	}
	return true
}

// dir returns the directory in which git works.
func (v *proving) dir() shell.Set {
	dir := v.c.Dir
	for i := range v.c.Args.Options {
		if o := &v.c.Args.Options[i]; o.Is("C") && o.HasArg && o.At < v.c.Args.Verb {
			dir = shell.Set{Values: shell.Paths(dir, o.Arg.Set), Open: dir.Open || o.Arg.Open || o.Arg.Glob}
		}
	}
	return dir
}
