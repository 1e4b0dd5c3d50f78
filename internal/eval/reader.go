package eval

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// A braceForm says what becomes of words with braces where a shell may keep
// them.
type braceForm uint8

const (
	bracesOnce  braceForm = iota // they are expanded, which not every shell does
	bracesTwice                  // they are expanded, and the command is read again
	rangesKept                   // those of ranges are kept, the others expanded
	bracesKept                   // they are kept
)

// A procText is what a process substitution lets its reader read.
type procText struct {
	span shell.Span
	out  shell.Set
}

// A trap is the text of a trap, which runs under what is bound later.
type trap struct{ command, word int }

// The bounds of reading. What lies beyond is unreadable, never cut off.
const (
	maxCommands = 4096 // simple commands, payloads included
	maxPayloads = 8    // text within text, such as bash -c 'bash -c …'
	maxNames    = 512  // variables that a line binds
	maxLinks    = 16   // links of a line that are followed
)

// An Env is what is known of the surroundings of a line. The zero value knows
// nothing.
type Env struct {
	// Dir is the absolute working directory, Home the user's home directory.
	Dir, Home string
	// Shell is the shell that runs the line: "bash", "sh", "dash", "ksh",
	// "mksh", "ksh93", "ash", "busybox" or "zsh", or several with | between
	// them; "" may be any of them. What they read differently is read as in
	// bash, and is a [shell.Divergence].
	Shell string
	// Vars are set in the environment of the shell that runs the line. Those
	// that may change what a program does stand among the assignments of each
	// command.
	Vars []command.Var
	// Input is what is known of the text on the standard input of the line; nil
	// for nothing.
	Input *shell.Set
	// Files are what is known of files that were written just before, by their
	// absolute paths. The map is not changed.
	Files map[string]shell.Set
	// Background says that the line goes on after the call that runs it.
	Background bool
	// Activates reports whether the file at an absolute path is the one with which
	// a virtual environment changes the variables of the shell that reads it, and
	// nothing else; nil where no file is known to.
	Activates func(path string) bool
	// Wraps reports whether the program at a path, started in a directory, is declared to
	// be a wrapper; nil where none is.
	Wraps func(path string, dir shell.Set) bool
}

// A text is one piece of shell text that is read: the line, or a payload.
type text struct {
	src string
	// base is the offset of src in the line. Where the text does not stand in
	// the line as it is, within is the place it comes from.
	base   int
	within *shell.Span
}

func (t *text) span(from, to syntax.Pos) shell.Span {
	if t.within != nil {
		return *t.within
	}
	return shell.Span{From: t.base + int(from.Offset()), To: t.base + int(to.Offset())}
}

// A reader reads one line.
type reader struct {
	line    *Line
	env     Env
	text    text
	nesting int // syntax within syntax
	depth   int // text within text
	parsed  int // bytes parsed so far
	inLoop  int
	wrapped int      // wrappers around the command that is read
	feeding int      // of those, the ones that append their input, as xargs does
	calls   []string // functions that are being read

	bracing braceForm
	twice   []int // the commands that are read again, with their braces kept
	// keptBraces are the items of loops in a shell that keeps their braces.
	keptBraces []string
	braced     shell.Braces // of the words of the command, those that a shell may keep
	program    bool         // the word that is expanded names the program
	forking    *wordFork
	pins       []pin
	variants   int
	substs     []procText
	traps      []trap
	pace       pace
	// fromInput says that the text that is read comes from the input, which
	// what it runs cannot read again.
	fromInput bool
	lastAt    int // where the last command of the line begins
	disk      disk
	settings  []shell.Word         // of git that the line stores, NAME=VALUE
	locals    []string             // names that functions have declared to be their own
	integers  []string             // names that the line declares to be integers
	breaks    []scope              // where the loop that is read is left
	returns   []scope              // where the function that is read is left
	swept     map[int]map[int]bool // by find and word, what is run on most of what a find finds
	finds     int                  // substitutions that a find fills, so far
	tail      int                  // the last command of the pipeline read last, -1 if not one
	last      int                  // the simple command of the statement read last

	scopes []*scope // copies, of which the first inUse are
	inUse  int

	found  command.Named // that was looked up last
	parser *shell.Parser
	tree   shell.Tree   // that was parsed last
	shells shell.Shells // that may run the text
	words  []shell.Word // slab for the words of commands
	values []string     // slab for sets of one value
}

// stop ends the reading of the line; it is thrown and caught in run.
type stop struct{ problem shell.Problem }

func (r *reader) stop(code, why string, span shell.Span) {
	panic(stop{shell.Problem{Code: code, Why: why, Span: span}})
}

// differ notes a construct, of which those come first that some shell which may
// run the text reads differently.
func (r *reader) differ(c shell.ConstructID, at shell.Span) {
	if r.line.Divergence == nil && r.shells.Differ(c) {
		r.line.Divergence = &shell.Divergence{Construct: c.Construct(), Span: at}
	}
}

// enter counts one level of nesting; leave must be called after it.
func (r *reader) enter(n syntax.Node) {
	r.nesting++
	if r.nesting > shell.MaxNesting {
		r.stop("too-deep", "the line nests too deeply", r.text.span(n.Pos(), n.End()))
	}
}

func (r *reader) leave() { r.nesting-- }

// one returns a slice of one value from the slab.
func (r *reader) one(v string) []string {
	if len(r.values) == cap(r.values) {
		r.values = make([]string, 0, 32)
	}
	r.values = append(r.values, v)
	n := len(r.values)
	return r.values[n-1 : n : n]
}

func known(r *reader, v string) shell.Set { return shell.Set{Values: r.one(v)} }
