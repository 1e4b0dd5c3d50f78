// Package readonly proves that a command only reads. Its table is a closed
// world: for each program the options, sub-commands and operands that are
// known to be harmless; everything else is not proved.
//
// A proof is about one simple command as [eval.Read] resolved it. A line is
// proved where each of its commands is. The package does not say that reading
// is wanted, looks at no file, and knows nothing of a repository's
// configuration beyond what [Prover.Git] tells it.
package readonly

import (
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A Prover proves commands. The zero value knows nothing of the surroundings.
// It is safe for concurrent use.
type Prover struct {
	// Home is the user's home directory, as in [eval.Env].
	Home string
	// Git returns the settings that name programs in the configuration of the
	// git repository of a directory, such as "core.fsmonitor"; nil means that
	// this is never known. The directory may hold "..", behind a link too.
	Git func(dir string) (settings []string, ok bool)
	// GitDirs returns the directories that git reads for a command in a
	// directory. It is asked only where Reads limits what is read; nil means
	// that they are never known.
	GitDirs func(dir string) (dirs []string, ok bool)
	// Below calls visit for what lies below a directory, as policy.World does;
	// nil means that this is never known. A command that reads a secret there
	// is not proved; where nothing is known, its own paths decide.
	Below func(dir string, visit func(path string, typ fs.FileMode) error) (ok bool)
	// Holds reports whether a word stands in the file at a path, in whatever case; nil
	// means that this is never known.
	Holds func(path, word string) (found, ok bool)
	// Reads reports whether a command may read an absolute path and what lies
	// below, and if not, why; nil where reading is not limited.
	Reads func(path string) (why string, ok bool)
	// Real returns an absolute path with every symbolic link followed, and Links
	// where those lead that a pattern of the shell can match; both as
	// policy.World does. nil means that nothing is known of links, and paths
	// are taken as they are written.
	Real  func(path string) (real string, ok bool)
	Links func(pattern string) (reals []string, ok bool)
	// Script proves that the command with index i of a line runs a script which
	// the line holds and which only reads; if not, why. nil means that no script is
	// known to.
	Script func(l *eval.Line, i int) (why string, ok bool)
	// Shell is the shell that runs the line, as in [eval.Env].
	Shell string
	// Reasons says that proofs say why; without, Why is [notProved].
	Reasons bool
	// Extra are leading words of commands that an operator declares to only
	// read. Relative paths among them are meant from Base, the directory of the
	// project; "" for wherever the command runs.
	Extra [][]string
	Base  string
}

// notProved is why something is not proved where no reasons are asked for.
const notProved = "it may do more than read"

// A Proof is what became of proving a command.
type Proof struct {
	Proved bool
	// Why is a clause that says why it is not proved, Span the part of the
	// line that keeps it from being, Instead a spelling that would be; ""
	// where there is none.
	Why     string
	Span    shell.Span
	Instead string
	// Secret is the path of a secret that the command would read, where
	// [Prover.Below] found one; Why then says so even without reasons.
	Secret string
	// Declared is the place of the entry of [Prover.Extra] that says so, from 1;
	// 0 where the table of this package does.
	Declared int
	// Outside says that nothing but what [Prover.Reads] says is against it.
	Outside bool
}

// Programs returns the programs that are known to only read in some form.
func Programs() []*program.Program { return program.Readers(program.All()) }

// Prove proves the command with index i of a line on its own; what it runs as
// its payload are commands of their own.
func (p *Prover) Prove(l *eval.Line, i int) Proof {
	v := provings.Get().(*attempt)
	*v = attempt{p: p, line: l, c: &l.Commands[i], index: i, args: v.args[:0], given: v.given[:0]}
	v.run()
	if p.Reads != nil && v.proof.Proved {
		v.within()
	}
	proof := v.proof
	*v = attempt{args: v.args, given: v.given}
	provings.Put(v)
	return proof
}

// provings are reused for their slices; nothing of one outlives its proof.
var provings = sync.Pool{New: func() any { return new(attempt) }}

// An attempt is one attempt at a proof.
type attempt struct {
	p     *Prover
	line  *eval.Line
	c     *command.Command
	index int
	entry *program.Program // or its sub-command; nil where nothing of it only reads
	reads *program.Reading // of the entry
	given []string         // names of the options given
	proof Proof
	args  []int // indices of the operand words
	dash  bool  // -- was seen
	stops bool  // it reads no more than a bounded amount
	// exceeds says that an option has another, or no, bound.
	exceeds bool
	never   endless      // why it may never end
	runs    bool         // what it runs must be proved too
	read    []shell.Word // paths that it reads, where that is limited
}

// fail notes why there is no proof; it returns false.
func (v *attempt) fail(span shell.Span, why string) bool {
	v.proof = Proof{Why: why, Span: span}
	return false
}

// instead adds a spelling that would be proved to the reason; it returns
// false.
func (v *attempt) instead(text string) bool {
	v.proof.Instead = text
	return false
}

func (v *attempt) failf(span shell.Span, format string, args ...string) bool {
	if !v.p.Reasons {
		return v.fail(span, notProved)
	}
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a
	}
	return v.fail(span, fmt.Sprintf(format, list...))
}

func (v *attempt) run() {
	if !v.surroundings() {
		return
	}
	if len(v.c.Words) == 0 || v.c.Keyword {
		v.proof.Proved = v.syntax() && v.ends()
		return
	}
	if v.declared() {
		v.proof.Proved = true
		return
	}
	v.proof.Proved = v.program() && v.ends()
}

// surroundings rules out what no program is proved with.
func (v *attempt) surroundings() bool {
	c := v.c
	if d := v.line.Divergence; d != nil {
		v.failf(d.Span, "shells read it differently: %s", d.Construct.Why)
		return v.instead(d.Construct.Instead)
	}
	switch {
	case c.Opaque != "":
		return v.fail(c.Span, c.Opaque)
	case c.Doubt != "":
		return v.fail(c.Span, "it "+c.Doubt)
	case c.Function || c.Place&(command.Defined|command.InFunction) != 0:
		return v.fail(c.Span, "functions and aliases are not checked")
	case c.In(command.Background):
		v.fail(c.Span, "it runs in the background")
		return v.instead("leave the & out")
	case c.In(command.OutSubst):
		return v.fail(c.Span, "it reads what another command writes into it")
	case c.Context != program.Local:
		return v.fail(c.Span, "it does not run on this machine")
	}
	for i := range c.Assigns {
		a := &c.Assigns[i]
		if len(c.Words) == 0 || c.Keyword || v.harmless(a) {
			continue
		}
		if c.How("sets") == "words" && a.Span.From > c.Words[0].Span.From {
			v.failf(a.Span, "the variable %s changes what later commands do", a.Name)
			return v.instead("give the variable another name")
		}
		v.failf(a.Span, "the assignment to %s may change what the program does", a.Name)
		return v.instead("leave it out")
	}
	if c.Secret && !v.asksIfSet() {
		return v.fail(v.secretSpan(), "the variable's name suggests a secret")
	}
	return v.loops() && v.redirects() && v.expansions()
}

// asksIfSet reports whether the command is a test of whether a text is empty,
// which shows nothing of it.
func (v *attempt) asksIfSet() bool {
	w := v.c.Words
	words := 3
	if v.c.Of("closes") || v.c.Construct() == "[[" {
		words = 4
	}
	return v.c.Sums() == "words" && len(w) == words && (w[1].Has("-n") || w[1].Has("-z"))
}

// secretSpan returns where the command expands a secret variable.
func (v *attempt) secretSpan() shell.Span {
	for i := range v.c.Words {
		if v.c.Words[i].Secret {
			return v.c.Words[i].Span
		}
	}
	return v.c.Span
}

func (v *attempt) redirects() bool {
	for i := range v.c.Redirects {
		r := &v.c.Redirects[i]
		switch {
		case r.Writes():
			if t, ok := r.Target.Literal(); !ok || !shell.IsNull(t) {
				v.fail(r.Span, "the redirection writes a file")
				return v.instead("leave it out, or write to /dev/null")
			}
		case r.Reads():
			if v.mayConnect(r) {
				v.fail(r.Span, "the redirection may name a host, as in /dev/tcp/HOST/PORT")
				return v.instead("give the file as an operand")
			}
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
func (v *attempt) syntax() bool {
	c := v.c
	if !v.setsHarmless() {
		return false
	}
	if len(c.Words) == 0 {
		return true
	}
	switch c.Construct() {
	case "for", "case", "((", "let", "time":
		return true
	case "[[":
		return v.testClause()
	}
	if why := program.Why(c.Name); why != "" && v.p.Reasons {
		return v.failf(c.Span, "%s %s", c.Called(), why)
	}
	return v.failf(c.Span, "%s is not on the list", c.Name)
}

// declared reports whether the operator declares the command to only read, and notes
// the longest entry that does.
func (v *attempt) declared() bool {
	longest := 0
	for k, words := range v.p.Extra {
		if len(words) <= longest || len(words) > len(v.c.Words) || !v.atBase(words) {
			continue
		}
		all := true
		for i, w := range words {
			t, ok := v.c.Words[i].Literal()
			all = all && ok && t == w
		}
		if all && v.known(v.c.Words[len(words):]) {
			longest, v.proof.Declared = len(words), k+1
		}
	}
	return longest > 0
}

// atBase reports whether relative paths among words mean those of the project.
func (v *attempt) atBase(words []string) bool {
	dir, ok := v.c.Dir.Literal()
	if v.p.Base == "" || ok && dir == v.p.Base && !v.c.In(command.Adrift) {
		return true
	}
	for _, w := range words {
		if strings.Contains(w, "/") && !strings.HasPrefix(w, "/") {
			return false
		}
	}
	return true
}

// known reports whether every word is.
func (v *attempt) known(words []shell.Word) bool {
	for i := range words {
		if !words[i].Known() {
			return false
		}
	}
	return true
}

func (v *attempt) program() bool {
	w := v.c.Program()
	path, ok := w.Literal()
	if !ok {
		v.fail(w.Span, "the program is unknown")
		return v.instead("write its name")
	}
	name := program.SystemName(path)
	if v.c.Name == program.Declared {
		name = program.Declared
	}
	if name == "" {
		v.failf(w.Span, "%s may be any program, whatever its name", path)
		return v.instead("write the name alone")
	}
	e := program.Lookup(name)
	if e == nil || e.Reads == nil || !program.Means(name, v.c.Name) {
		return v.unlisted(name, w)
	}
	v.entry, v.reads = e, e.Reads
	if e.Reads.Response && !v.noResponseFile() || !v.arguments() || !v.operands() || !v.repository() || !v.checked() {
		return false
	}
	return !v.runs || v.payloadProved()
}

// checked applies what the entry, or the sub-command's, knows beside options
// and operands.
func (v *attempt) checked() bool { return v.reads.Check == "" || check(v.reads.Check)(v) }
