package command

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// An Assign is NAME=VALUE before a command, alone, or as an argument of
// export, declare and their like.
type Assign struct {
	Name  string
	Value shell.Set
	Span  shell.Span
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
	Target shell.Word
	Span   shell.Span
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

func isDescriptor(s shell.Set) bool {
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
	Words     []shell.Word
	Assigns   []Assign
	Redirects []Redirect
	Span      shell.Span
	// Name is the one name by which judges know the program where the first word is
	// known, else "": that of the table, however the line spells it, and otherwise the
	// base name without case. It identifies the program for denying; see Path.
	Name string
	// Path is the program as written after quoting: "git", "./git",
	// "/usr/bin/git"; "" where it is unknown.
	Path string
	// Args are the arguments as the program's own grammar reads them.
	Args Args
	// Dir is the working directory, absolute where it is known.
	Dir shell.Set
	// Context says where the command runs, Place where in the line it stands.
	Context program.Context
	Place   Place
	// Parent is the index of the command that runs this one as its payload,
	// or -1. Parents come before their payloads.
	Parent int
	// Source is the index of the command whose output is the input here, or
	// -1.
	Source int
	// Linked is how many of the line's links are made before it.
	Linked int
	// Input is what is known of the text on the standard input, nil where that
	// is the input of the line or of another command.
	Input *shell.Set
	// Script is what is known of the text of a file that an interpreter runs,
	// where the line itself holds that text; nil for others.
	Script *shell.Set
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
	// [eval.Env.Activates] knows it.
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

// Identified reports whether the path identifies the program for allowing, so that the
// row of its name tells what it does.
func (c *Command) Identified() bool {
	return c.Name == program.Declared || program.Means(program.BareName(c.Path), c.Name)
}

// Called returns the base name of the program as the line has it, but without case and
// what Windows adds; that is what people, records and permissions call it.
func (c *Command) Called() string {
	if c.Path == c.Name || c.Keyword {
		return c.Name
	}
	return program.WithoutSuffix(shell.Fold(shell.Base(c.Path)))
}

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

// Program returns the first word. It is the zero Word where there is none.
func (c *Command) Program() shell.Word {
	if len(c.Words) == 0 {
		return shell.Word{}
	}
	return c.Words[0]
}

// In reports whether the command stands in all the given places.
func (c *Command) In(p Place) bool { return c.Place&p == p }
