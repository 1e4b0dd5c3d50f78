package program

import "slices"

// A Reading is what a program, or a sub-command, does that only reads. Nothing
// but what stands here is known to: a program without one is never proved.
type Reading struct {
	// Options are those with which it still only reads, in the notation of
	// [Program], where an argument may also have the role size, which is how
	// much is read at most, or lines, how many lines; and a second argument may
	// have a role of its own: "=data+read".
	Options string
	// Leading says that options stand before the operands. Some
	// implementations take one behind them for an operand, of which one is
	// written, or miss that the program is only to look.
	Leading bool
	// Detached says that an option's argument is always a word of its own.
	Detached bool
	// Alone says that the program may be given none of its sub-commands.
	Alone bool
	// Endless are options with which the program waits for more without end;
	// "*" says that it prints without end.
	Endless string
	// Unopened says that the program looks at names and opens no file.
	Unopened bool
	// Response says that the program takes arguments from the file that a word
	// after @ names.
	Response bool
	// Operands is what the operands are, where the row's roles do not say it:
	// "none", "data", "path", or a number of data before the paths: "1 path".
	Operands string
	// Max is the largest number of operands, 0 for any.
	Max int
	// Free says that no option of the program does more than read, so that an
	// operand may be anything.
	Free bool
	// Recursive are options that read what lies below a directory; "*" means
	// always.
	Recursive string
	// Lists are options with which the program tells names, sizes and dates of
	// files and nothing of what is in them, which no path is too sensitive
	// for; "*" means always.
	Lists string
	// Git says that the program may run what the repository's configuration
	// names: "" never, "always", or the options with which it does.
	Git string
	// Check names what pkg/readonly checks beside options and operands, "" for
	// nothing.
	Check string
	// Source is where the options come from.
	Source string
	// Proved and Not are examples, checked by the tests.
	Proved, Not []string
}

// A Walk is how a program chooses the files that it reads below a directory, by
// options that are given as names, blanks between them.
type Walk struct {
	// Hidden are the options with which it reads hidden files too; "*" means
	// always.
	Hidden string
	// Only are those whose patterns a file must match, where one behind a !
	// leaves files out; Not and NotDir have patterns of files and directories
	// that are left out, Types names of languages, Extensions those of files.
	Only, Not, NotDir, Types, Extensions string
	// Depth are those that bound how many directories deep it goes.
	Depth string
}

// ReadOperands returns what the operands are of a program that only reads, as in
// [Reading.Operands].
func (p *Program) ReadOperands() string {
	if p.Reads != nil && p.Reads.Operands != "" {
		return p.Reads.Operands
	}
	switch p.Operands {
	case "":
		return "none"
	case "read*":
		return "path"
	case "data read*", "code read*":
		return "1 path"
	}
	return "data"
}

// Readers returns those of a list of programs, or of sub-commands, of which it is
// known how they only read.
func Readers(list []*Program) []*Program {
	return slices.DeleteFunc(slices.Clone(list), func(p *Program) bool { return p.Reads == nil })
}
