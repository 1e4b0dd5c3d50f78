package shell

import (
	"maps"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// The bounds of reading. What lies beyond is unreadable, never cut off.
const (
	maxCommands = 4096 // simple commands, payloads included
	maxPayloads = 8    // text within text, such as bash -c 'bash -c …'

	maxText    = 512 << 10 // bytes parsed, payloads included
	maxValues  = 16        // values of one word
	maxFields  = 1024      // words that one word expands to
	maxNames   = 512       // variables that a line binds
	maxWrapped = 24        // wrappers around one command
	maxItems   = 4 << 10   // bytes that xargs appends
)

// An Env is what is known of the surroundings of a line. The zero value knows
// nothing.
type Env struct {
	// Dir is the absolute working directory, Home the user's home directory.
	Dir, Home string
	// Shell is the shell that runs the line: "bash", "sh", "dash", "ksh",
	// "mksh", "ksh93", "ash", "busybox" or "zsh", or several with | between
	// them; "" may be any of them. What they read differently is read as in
	// bash, and is a [Divergence].
	Shell string
	// Vars are set in the environment of the shell that runs the line. Those
	// that may change what a program does stand among the assignments of each
	// command.
	Vars []Var
	// Input is what is known of the text on the standard input of the line; nil
	// for nothing.
	Input *Set
	// Files are what is known of files that were written just before, by their
	// absolute paths. The map is not changed.
	Files map[string]Set
	// Background says that the line goes on after the call that runs it.
	Background bool
	// Activates reports whether the file at an absolute path is the one with which
	// a virtual environment changes the variables of the shell that reads it, and
	// nothing else; nil where no file is known to.
	Activates func(path string) bool
}

// UnknownHome stands for the home directory where [Env.Home] is empty.
const UnknownHome = "/~"

// Read reads src as one line for a POSIX-like shell. It never fails and never
// panics: what cannot be read has a [Line.Problem] and no commands.
func Read(src string, env Env) *Line {
	line := &Line{Source: src}
	line.Problem = Refuse(src, env.Shell)
	if line.Problem != nil {
		return line
	}
	if env.Home == "" {
		env.Home = UnknownHome
	}
	r := readers.Get().(*reader)
	*r = reader{line: line, env: env, text: text{src: src}, scopes: r.scopes, parser: r.parser, shells: ShellsOf(env.Shell), files: maps.Clone(env.Files)}
	r.run(src)
	for _, sc := range r.scopes {
		*sc = scope{}
	}
	r.parser.Release()
	*r = reader{scopes: r.scopes, parser: r.parser}
	readers.Put(r)
	if line.Problem != nil {
		line.Commands, line.Spawns = nil, nil
	}
	for i := range line.Commands {
		line.Commands[i].SetHome(env.Home)
	}
	line.Oddities = oddities(src)
	return line
}

// readers are reused for their memory; nothing of a reader outlives a reading.
var readers = sync.Pool{New: func() any { return &reader{parser: new(Parser)} }}

// Argv reads an argument vector that runs without a shell. The source of the
// line is its rendering in shell syntax.
func Argv(args []string, env Env) *Line {
	quoted := make([]string, len(args))
	for i, a := range args {
		q, err := syntax.Quote(a, syntax.LangBash)
		if err != nil {
			src := strings.Join(args, " ")
			return &Line{Source: src, Problem: &Problem{
				Code: "control-character", Why: "an argument holds a NUL byte", Span: Span{0, len(src)}}}
		}
		quoted[i] = q
	}
	return Read(strings.Join(quoted, " "), env)
}

// A text is one piece of shell text that is read: the line, or a payload.
type text struct {
	src string
	// base is the offset of src in the line. Where the text does not stand in
	// the line as it is, within is the place it comes from.
	base   int
	within *Span
}

func (t *text) span(from, to syntax.Pos) Span {
	if t.within != nil {
		return *t.within
	}
	return Span{t.base + int(from.Offset()), t.base + int(to.Offset())}
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
	braced     braces // of the words of the command, those that a shell may keep
	program    bool   // the word that is expanded names the program
	forking    *wordFork
	pins       []pin
	variants   int
	substs     []procText
	traps      []trap
	// fromInput says that the text that is read comes from the input, which
	// what it runs cannot read again.
	fromInput bool
	lastAt    int                  // where the last command of the line begins
	files     map[string]Set       // what the line writes to files, by their paths
	copies    map[string]string    // programs under names that the line gives them
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

	found  Named // that was looked up last
	parser *Parser
	tree   Tree     // that was parsed last
	shells Shells   // that may run the text
	words  []Word   // slab for the words of commands
	values []string // slab for sets of one value
}

// stop ends the reading of the line; it is thrown and caught in run.
type stop struct{ problem Problem }

func (r *reader) stop(code, why string, span Span) {
	panic(stop{Problem{code, why, span}})
}

// run reads the line. A panic of the parser or of the expander ends it like
// any other reason not to read on.
func (r *reader) run(src string) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case stop:
			r.line.Problem = &e.problem
		default:
			r.line.Problem = &Problem{"syntax", "the parser gave up", Span{0, len(src)}}
		}
	}()
	list, problem := r.parse(src)
	if problem != nil {
		r.line.Problem = problem
		return
	}
	r.lastAt = r.tree.Last
	sc := scope{parent: -1, source: -1, dir: known(r, r.env.Dir)}
	if r.env.Dir == "" {
		sc.dir = Set{Open: true}
	}
	r.surround(&sc)
	r.stmts(list, &sc)
	r.lateTraps(&sc)
}

// parse returns the statements of a text.
func (r *reader) parse(src string) ([]*syntax.Stmt, *Problem) {
	r.parsed += len(src)
	if r.parsed > maxText {
		r.stop("too-many", "the line evaluates too much text", Span{0, len(r.line.Source)})
	}
	tree, problem := r.parser.Parse(src, r.shells)
	r.tree = tree
	if problem == nil && tree.Differs {
		r.differ(tree.Construct, r.text.span(tree.From, tree.To))
	}
	return tree.Stmts, problem
}

// differ notes a construct, of which those come first that some shell which may
// run the text reads differently.
func (r *reader) differ(c ConstructID, at Span) {
	if r.line.Divergence == nil && r.shells.Differ(c) {
		r.line.Divergence = &Divergence{c.Construct(), at}
	}
}

// enter counts one level of nesting; leave must be called after it.
func (r *reader) enter(n syntax.Node) {
	r.nesting++
	if r.nesting > MaxNesting {
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

func known(r *reader, v string) Set { return Set{Values: r.one(v)} }
