// Package shell reads a command line once, so that every judge of it sees the
// same thing: each simple command that the line can run, at any depth, with
// its words as sets of possible values, its redirections, its directory, and
// the wrappers that lead to it.
//
// [Read] never fails: a line that cannot be read has a [Problem]. Reading is
// bounded for any input: texts within texts are followed eight deep, and the words
// and values of a line share a budget of 32 MiB ([Cost]), past which a value that
// would grow stays as it is and its set is open, and a line with further words
// cannot be read. The package runs nothing, looks at no file and no environment
// variable, and judges nothing.
package shell

import "github.com/policyctl/policyctl/pkg/program"

// A Line is what a command line can run. It is immutable once read and may be
// shared between goroutines.
type Line struct {
	// Source is the text that was read; every [Span] counts its bytes.
	Source string
	// Commands holds every simple command in the order of reading: a wrapper
	// comes before its payload. Empty for a blank or unreadable line.
	Commands []Command
	// Spawns holds the places that start processes without bound.
	Spawns []Spawn
	// Oddities holds characters that hide text from a human reader.
	Oddities []Oddity
	// Links are what the line links or mounts to other places.
	Links []Link
	// Control says that the line has a condition, a loop, a case or a function.
	Control bool
	// Divergence is the first place that the shells which may run the line
	// read differently; nil if there is none.
	Divergence *Divergence
	// Problem says why the line could not be read; nil if it was.
	Problem *Problem
	// Cost is what the reading took.
	Cost Cost
}

// Foreign reports whether the line is for a shell that cannot be read.
func (l *Line) Foreign() bool { return l.Problem != nil && l.Problem.Code == ForeignShell }

// A Spawn is a construct that starts processes without bound, such as a
// function that pipes itself into itself in the background.
type Spawn struct {
	Why  string
	Span Span
}

// An Oddity is a character that a human reader does not see or cannot tell
// from another: a control, a terminal escape, a zero-width or a directional
// mark.
type Oddity struct {
	Why  string
	Span Span
}

// A Set is what a word, a variable or a directory may be. The zero value is
// the empty set: nothing is possible, nothing is known.
//
// To deny, one value that matches is enough; to allow, every value must match
// and the set must not be open.
type Set struct {
	// Values are the possible values that are known.
	Values []string
	// Open says that other values are possible too.
	Open bool
	// Glob says that the values are patterns that the shell replaces by file
	// names: * ? and [ stand for themselves only after a backslash, and ** may
	// be several directories.
	Glob bool
	// Number says that every possible value is a decimal integer.
	Number bool
	// Started says, beside Number, that every possible value is the id of the
	// process that the line itself has last started in the background.
	Started bool
	// Names says that the word is only the last element of what the values
	// match, as ls prints it.
	Names bool
	// Partial is the text of a value of which only a part is known, with
	// [UnknownText] in the place of the rest; "" for others.
	Partial string
	// Prefix is literal text with which every possible value begins, also
	// those not in Values; it is set for open sets and patterns.
	Prefix string
}

// Literal returns the one value of a set that is neither open nor a pattern.
func (s Set) Literal() (value string, ok bool) {
	if len(s.Values) != 1 || s.Open || s.Glob {
		return "", false
	}
	return s.Values[0], true
}

// Known reports whether the values are all there can be and none is a pattern.
func (s Set) Known() bool { return len(s.Values) > 0 && !s.Open && !s.Glob }

// IsStarted reports whether the set is the id of a process that the line itself has
// started in the background.
func (s Set) IsStarted() bool { return s.Started && s.Number && !s.Glob && len(s.Values) == 0 }

// KeepsNothing reports whether the set is one file of which nothing stays when it
// is written: /dev/null, the terminal, or an output of the command itself.
func (s Set) KeepsNothing() bool {
	v, ok := s.Literal()
	return ok && (v == "/dev/null" || v == "/dev/stdout" || v == "/dev/stderr" || v == "/dev/tty")
}

// Has reports whether value is among the values that are known.
func (s Set) Has(value string) bool {
	for _, v := range s.Values {
		if v == value {
			return true
		}
	}
	return false
}

// A Word is one argument of a command.
type Word struct {
	Set
	Span Span
	// Many says that the word may become no argument or several.
	Many bool
	// Splits says that the shell splits at blanks what is unknown of the
	// word, so that any text may follow as further arguments; Prefix is then
	// that of the first one.
	Splits bool
	// Secret says that the word holds a variable of the environment whose name
	// says that it is a secret.
	Secret bool
	// Quoted says that the source spells the word with quotes, escapes or
	// expansions, so that its text differs from its value.
	Quoted bool
}

// UnknownText stands for what is unknown in [Set.Partial]: an expansion of a
// variable that no line binds.
const UnknownText = "${__}"

// text returns what is known of the text of a word.
func (w *Word) text() string {
	switch {
	case len(w.Values) > 0:
		return w.Values[0]
	case w.Partial != "":
		return w.Partial
	}
	return UnknownText
}

// An Assign is NAME=VALUE before a command, alone, or as an argument of
// export, declare and their like.
type Assign struct {
	Name  string
	Value Set
	Span  Span
	// Steers says that it may change what later commands run, load or write, or
	// that a shell evaluates the value. What a loop, read or an expansion sets
	// such a variable to stands here too.
	Steers bool
}

// A Redirect is one redirection of a command.
type Redirect struct {
	// Op is the operator without its descriptor: > >> >| <> < &> &>> >& <&
	// << <<- <<<.
	Op string
	// Fd is the descriptor as written, "" for the operator's own.
	Fd string
	// Target is the file, the descriptor, or the text of a here-string or
	// here-document.
	Target Word
	Span   Span
}

// Writes reports whether the redirection opens a file for writing.
func (r *Redirect) Writes() bool {
	switch r.Op {
	case ">", ">>", ">|", "<>", "&>", "&>>":
		return true
	case ">&":
		return !isDescriptor(r.Target.Set)
	}
	return false
}

// Reads reports whether the redirection opens a file for reading.
func (r *Redirect) Reads() bool { return r.Op == "<" || r.Op == "<>" }

// Inline reports whether the target is the input's text itself.
func (r *Redirect) Inline() bool { return r.Op == "<<" || r.Op == "<<-" || r.Op == "<<<" }

func isDescriptor(s Set) bool {
	v, ok := s.Literal()
	if !ok || v == "" {
		return false
	}
	if v == "-" {
		return true
	}
	for i := range len(v) {
		if (v[i] < '0' || v[i] > '9') && (v[i] != '-' || i != len(v)-1) {
			return false
		}
	}
	return true
}

// A Place is where in the line a command stands; a set of flags.
type Place uint16

// The places of a command.
const (
	Piped      Place = 1 << iota // its input comes from another command
	Piping                       // its output goes to another command
	Background                   // started with &, coproc or |&
	InLoop                       // in the body or the condition of a loop
	InBranch                     // may be skipped: if, case, && or ||
	InSubst                      // in a command or process substitution
	InSubshell                   // in parentheses or a pipeline
	InFunction                   // in the body of a function
	InPayload                    // in text that another command evaluates
	Defined                      // the body of a function as it is defined
	OutSubst                     // in >(...): its input is what is written
	Adrift                       // the directory was changed before, whether that succeeds or not
	Unending                     // in a loop that nothing ends
	Swept                        // a find runs it on most of what it finds
)

// A Command is one simple command.
type Command struct {
	// Words are the program and its arguments. There are none where the
	// command only assigns or redirects.
	Words     []Word
	Assigns   []Assign
	Redirects []Redirect
	Span      Span
	// Name is the program's base name without case where the first word is
	// known, else "". It identifies the program for denying; see Path.
	Name string
	// Path is the program as written after quoting: "git", "./git",
	// "/usr/bin/git"; "" where it is unknown.
	Path string
	// Args are the arguments as the program's own grammar reads them.
	Args Args
	// Dir is the working directory, absolute where it is known.
	Dir Set
	// Context says where the command runs, Place where in the line it stands.
	Context program.Context
	Place   Place
	// Parent is the index of the command that runs this one as its payload,
	// or -1. Parents come before their payloads.
	Parent int
	// Source is the index of the command whose output is the input here, or
	// -1.
	Source int
	// Input is what is known of the text on the standard input, nil where that
	// is the input of the line or of another command.
	Input *Set
	// Script is what is known of the text of a file that an interpreter runs,
	// where the line itself holds that text; nil for others.
	Script *Set
	// Opaque says why the program, or what it evaluates, cannot be known;
	// "" where it can.
	Opaque string
	// Doubt says why the command may do more than its words tell, such as
	// arithmetic over a variable whose text is unknown; "" if there is no
	// reason to.
	Doubt string
	// Secret says that its words, assignments or redirections expand a
	// variable of the environment whose name says that it holds a secret.
	Secret bool
	// Variant says that the command is one of several readings of the same
	// source, of which one happens.
	Variant bool
	// Keyword says that the command is a part of the shell's language, such as
	// the head of a loop, and no word: its Name is for, case, select, ((, [[,
	// let, time, or that of a declaration such as export.
	Keyword bool
	// Started says that the shell which runs it has last started something in the
	// background.
	Started bool
	// Activates says that it reads the file of a virtual environment, as
	// [Env.Activates] knows it.
	Activates bool
	// Function says that the program is a function or an alias that the line
	// defines; what it runs follows as its payload.
	Function bool

	row    Named   // that of Name
	code   *codes  // nil where it evaluates none
	orders *orders // nil where nothing but its words tells what it does
}

// A Named is a name with its row in the table of programs.
type Named struct {
	Name string
	Row  *program.Program // nil where the table has none
}

// FindName returns a name with its row.
func FindName(name string) Named { return Named{name, program.Find(name)} }

// SetName names the program of the command by its path, and by a name of which the row
// was looked up.
func (c *Command) SetName(path string, n Named) { c.Path, c.Name, c.row = path, n.Name, n }

// Row returns what the table of programs says of the command's name, also where it
// has no grammar; nil where it says nothing.
func (c *Command) Row() *program.Program {
	if c.row.Name == c.Name {
		return c.row.Row
	}
	return program.Find(c.Name)
}

// Is reports whether a fact holds for the program of the command's name.
func (c *Command) Is(fact func(*program.Program) bool) bool {
	p := c.Row()
	return p != nil && fact(p)
}

// Finds reports whether the command finds files by an expression, whose acts it does to
// them, as find does.
func (c *Command) Finds() bool {
	p := c.Row()
	return p != nil && p.Style == program.Expression
}

// Appended reports whether what runs the command appends what it reads to its words, as
// xargs does.
func (l *Line) Appended(c *Command) bool {
	return c.Parent >= 0 && l.Commands[c.Parent].Is(program.Appends)
}

// Program returns the first word. It is the zero Word where there is none.
func (c *Command) Program() Word {
	if len(c.Words) == 0 {
		return Word{}
	}
	return c.Words[0]
}

// In reports whether the command stands in all the given places.
func (c *Command) In(p Place) bool { return c.Place&p == p }
