// Package program is the table of what is known of programs: their names,
// options, operands and sub-commands, and the facts that a judge asks for.
// There is one row a program, and nothing else knows of one by its name what
// its row says.
package program

import (
	"slices"
	"strings"
	"sync"
)

// A Program is one row: a program or a sub-command.
//
// Options and Operands are lists in a small notation. An option is its names,
// comma between them, then what it takes and changes:
//
//	=ROLE  an argument      ?ROLE  an optional, attached argument
//	!      one operand fewer is expected (grep -e)
//	@ROLE  the first operand has this role (bash -c)
//	*ROLE  the repeated operands have this role (sed -i)
//	~      no payload is run (command -v)
//	+ROLE  a second argument follows the first (bwrap --bind)
//
// The name # stands for -NUMBER. Operands are roles in order, of which one
// may repeat: "data read*", "read* write".
type Program struct {
	Names    string
	Options  string
	Operands string
	Subs     []*Program
	Style    Style
	// Reads is what of it only reads, nil where nothing is known to; Options are
	// then the options with which it may do more. An option stands in one of the
	// two; in both it may do more.
	Reads *Reading
	// StopAt is the number of operands that end the options under [Stop], 0
	// for one.
	StopAt int
	// Equals says that -n=x gives the option n the argument x, as for programs
	// in Go, and not =x.
	Equals bool
	// Transparent says that what the program runs as its payload may do no
	// more and no less than it could alone.
	Transparent bool
	// InShell says that the payload runs in the same shell.
	InShell bool
	// Context is where the payload runs.
	Context Context
	// Roots are options that name the root of the container, if the program
	// makes one only then; its operands of the role dir count too. The payload
	// runs on this machine where one of them is the root itself.
	Roots string
	// Into says that the last operand, or the argument of an option
	// target-directory, may be a directory: the other operands are then written
	// into it under their own names.
	Into bool
	// Fills lists the options that name a directory below which the program
	// writes files that its arguments do not name, "." for none; without one it
	// is the working directory. FillsIf are options of which it needs one for
	// that, FillsNot those with which it does not.
	Fills, FillsIf, FillsNot string
	// Suffix is what the program adds to the names of the operands that it
	// writes, or takes away from them.
	Suffix string
	// Dashed is the role of operands after --, as for git checkout.
	Dashed Role
	// Rights says with whose rights the payload runs. RightsIf are options of
	// which the program needs one to change them, RightsNot those with which it
	// does not.
	Rights              Rights
	RightsIf, RightsNot string
	// Starts lists the options with which the program, given no command, starts
	// a shell that reads the standard input; "." where it needs none.
	Starts string
	// Self is the name of this machine as an operand of the role host, before
	// which a user and @ may stand: Context is then not meant, nor where the
	// operand is missing.
	Self string
	// Input is the role of the standard input where there is no operand:
	// RoleText for shells, RoleCode for interpreters, RoleEnv for what xargs
	// appends.
	Input Role
	// Shell says that the program is a shell, and of which family: it evaluates
	// the text behind -c, that of a script, or that of its input.
	Shell Shell
	// Language is that of the code which it evaluates.
	Language Language
	// Engine says that the program asks a container engine, which may do
	// anything on this machine.
	Engine bool
	// Cluster says that the program asks a cluster of Kubernetes, with the words of
	// kubectl.
	Cluster bool
	// Opaque says that nothing is known of the arguments: there is no grammar.
	Opaque bool
	// Network are the sub-commands with which the program talks to other hosts,
	// commas between them, "*" for whatever it is told to do.
	Network string
	// NoGrant are the sub-commands that no stored approval covers, as in Network:
	// they run, or arrange, what neither they nor a directory show.
	NoGrant string
	// Touches is what the program reaches beside what its arguments name.
	Touches Extent
	// Startup are the files of the home directory that it runs as it starts.
	Startup Startup
	// Password lists the options with which it reads a password from the
	// standard input.
	Password string
	// SendsInput says that the standard input goes to another host.
	SendsInput bool

	once    sync.Once
	grammar *Grammar
}

// A Shell is a family of shells by their language.
type Shell uint8

// The families.
const (
	NoShell Shell = iota
	Bourne        // that of sh, which is read here
	Other         // a language of its own, of which plain commands are the same
)

// An Extent is what a program reaches of the file system.
type Extent uint8

// The extents.
const (
	Anything   Extent = iota
	Named             // what its arguments name, and the working directory where none does
	NamedFiles        // files that its arguments name, which cannot be directories
)

// Startup are files of the home directory, blanks between them, that a program
// runs as it starts or leaves: always, if it is interactive, or if it is for a
// login, as it is under the options LoginIf.
type Startup struct{ Always, Interactive, Login, LoginIf string }

// Grammar returns the grammar of the arguments, compiled at first use.
func (p *Program) Grammar() *Grammar {
	p.once.Do(func() { p.grammar = compile(p) })
	return p.grammar
}

// HasName reports whether the program has the name.
func (p *Program) HasName(name string) bool { return HasWord(p.Names, name) }

// Sub returns the sub-command of that name, nil if the table has none.
func (p *Program) Sub(name string) *Program {
	for _, s := range p.Subs {
		if s.HasName(name) {
			return s
		}
	}
	return nil
}

// HasWord reports whether a word is among those of a list.
func HasWord(list, word string) bool {
	for list != "" {
		var w string
		w, list, _ = strings.Cut(list, " ")
		if w == word {
			return true
		}
	}
	return false
}

// HasVerb reports whether one of a list of sub-commands, commas between them, is
// a verb or the beginning of one; "*" is that of all.
func HasVerb(list, verb string) bool {
	for v := range strings.SplitSeq(list, ",") {
		if v == "*" || v == verb && v != "" || v != "" && strings.HasPrefix(verb, v) && verb[len(v)] == ' ' {
			return true
		}
	}
	return false
}

// Changes reports whether the program may write, remove, move or alter what an
// argument names.
func (p *Program) Changes() bool { return p.Grammar().Changes }

// Deletes reports whether the program removes, or moves away, what its operands
// name. It compiles no grammar, so that all rows may be asked.
func Deletes(p *Program) bool {
	return strings.Contains(p.Operands, "delete") || strings.Contains(p.Operands, "move")
}

// ChangesRights reports whether the program may run a command or a shell with
// other rights than those of who starts it.
func (p *Program) ChangesRights() bool { return WithRights(Raised)(p) || WithRights(Switched)(p) }

// WithRights returns the fact that a program, or one of its sub-commands, may
// run a command or a shell with such rights.
func WithRights(want Rights) func(*Program) bool {
	gives := func(p *Program) bool { return p.Rights == want }
	return func(p *Program) bool { return gives(p) || slices.ContainsFunc(p.Subs, gives) }
}

// IsShell reports whether the program is a shell.
func IsShell(p *Program) bool { return p.Shell != NoShell }

// IsEngine reports whether the program asks a container engine.
func IsEngine(p *Program) bool { return p.Engine }

// Connects reports whether the program talks to other hosts whatever it is told
// to do.
func Connects(p *Program) bool { return p.Network == "*" }

// IsCluster reports whether the program asks a cluster, as kubectl does.
func IsCluster(p *Program) bool { return p.Cluster }

// ReadsPassword reports whether the program may read a password from its input.
func ReadsPassword(p *Program) bool { return p.Password != "" }

// Interprets reports whether the program evaluates its standard input, as a
// shell or in a language of its own.
func Interprets(p *Program) bool { return p.Input == RoleText || p.Input == RoleCode }
