// Package sensitive knows the paths that a coding agent should not touch
// unasked: secrets, whose contents must not leak, and triggers, whose change
// makes other programs run something later.
//
// [FindRole] looks at one path, [MayFind] at what a pattern or a recursion may
// reach. Both go by the path's text alone, without regard to case: the
// package looks at no file, follows no link, and decides nothing.
package sensitive

// A Role says what is at stake at a path; a set of flags.
type Role uint8

// The roles, the stricter first.
const (
	Secret  Role = 1 << iota // its contents must not leak
	Trigger                  // its change makes other programs run something later
	Guard                    // it is a trigger that holds agents' hooks or what they may do, or that judges it
	Project                  // of a project, it decides what its commands run or who must agree to a change
)

// String returns "secret", "trigger", "secret and trigger" or "project"; a guard is a
// trigger.
func (r Role) String() string {
	if r&(Secret|Trigger) == 0 && r&Project != 0 {
		return "project"
	}
	return [...]string{"none", "secret", "trigger", "secret and trigger"}[r&(Secret|Trigger)]
}

// An Entry is a kind of sensitive path.
type Entry struct {
	// ID is stable and in kebab case.
	ID   string
	Role Role
	// Patterns name the paths. One that starts with / is anchored at the root
	// and one that starts with ~/ in a home directory, of any user; others
	// match the last elements of a path. A * stands for any text within an
	// element, /** at the end for the directory and all below it.
	Patterns []string
	// Except names paths that Patterns match and that are not meant.
	Except []string
	// Lines says that such a file has each secret on a line of its own, beside nothing
	// but its name.
	Lines bool
	// Why is a clause with the path as its subject: "holds SSH keys".
	Why string
	// Hit and Miss are paths that must and must not match, with the home
	// directory /home/dev.
	Hit, Miss []string
}

// FindRole returns the first entry with one of the roles that a path matches. The path is
// absolute, or relative to a directory that is unknown; home may be "".
func FindRole(path, home string, r Role) (*Entry, bool) { return FindIn("", path, home, r) }

// FindIn is [FindRole] for a path as seen from a directory, which is "" where
// it is unknown. It does not allocate for paths of usual length.
func FindIn(dir, path, home string, r Role) (*Entry, bool) {
	var room room
	p := read(dir, path, home, false, &room)
	return index().find(&p, r)
}

// MayFind returns the first entry with one of the roles that a pattern can
// reach. In a pattern * ? and [ are special unless a backslash quotes them,
// and none of them stands for a dot at the start of an element. ** as the last
// element stands for all that lies below: ROOT/** is a recursion from ROOT.
//
// An entry that may lie in any directory is reached only where the pattern
// spells a part of its name: "*" and "src/**" reach no .env, ".e*" does.
func MayFind(pattern, home string, r Role) (*Entry, bool) {
	var room room
	p := read("", pattern, home, true, &room)
	return index().mayFind(&p, r)
}

// Entries returns the table in its order. It must not be changed.
func Entries() []Entry { return index().entries }
