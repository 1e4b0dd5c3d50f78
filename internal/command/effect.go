package command

import "github.com/policyctl/policyctl/internal/lang/shell"

// An Effect is one thing that a command does to the world, as far as its
// grammar and its redirections tell.
type Effect struct {
	Kind EffectKind
	// Target are the paths as written, the programs, or the hosts.
	Target shell.Set
	// Dir is the directory from which relative paths are meant: that of the
	// command, or another that an option such as -C of git names.
	Dir shell.Set
	// Recursive says that what lies below the paths is meant too.
	Recursive bool
	Span      shell.Span
	// Spares is the name of directories that are left alone wherever they lie,
	// as .git by git; "" for none.
	Spares string
	// Perhaps says that it is so only if a path of the command is a directory,
	// which its words do not tell.
	Perhaps bool
	// Sent says that what is read goes to another host.
	Sent bool
	// Linked says that what is read gets a second name, by which it can be
	// written.
	Linked bool
	// AtRoot says that relative paths are meant from the root of the git repository in
	// which Dir lies.
	AtRoot bool
	// Itself says that where the target is a link, it and not what it leads to is
	// meant.
	Itself bool
}

// Changes reports whether files are written, removed, moved or altered, or can be
// by another name.
func (e Effect) Changes() bool {
	switch e.Kind {
	case Writes, Deletes, Moves, Alters:
		return true
	}
	return e.Linked
}

// An EffectKind is what is done.
type EffectKind uint8

const (
	Reads    EffectKind = iota // reads files or directories
	Writes                     // writes or creates files
	Deletes                    // removes files or directories
	Moves                      // moves files or directories away
	Alters                     // changes mode, owner or attributes
	Runs                       // runs a program or a script
	Connects                   // talks to a host
)

var effectNames = [...]string{"reads", "writes", "deletes", "moves", "alters", "runs", "connects to"}

// String returns the kind as a verb.
func (k EffectKind) String() string { return effectNames[k] }
