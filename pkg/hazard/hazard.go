// Package hazard holds the form that the tables of dangerous commands share:
// a rule is data with a stable id, a reason, the programs it looks at, and
// examples that must and must not match.
//
// It holds no rules itself and decides nothing.
package hazard

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// A Scene is what a rule looks at. It is not changed by matching and may be
// shared between goroutines.
type Scene struct {
	Line *shell.Line
	// Home is the user's home directory, [shell.UnknownHome] where it is not
	// known.
	Home string
	// OS is "linux", "darwin" or "windows", "" where it is not known.
	OS string
	// Protect are absolute paths that nothing may change.
	Protect []string
	// Own is what policyctl keeps on the machine and where its service is; nil
	// for nothing.
	Own *own.State
	// Denies reports whether the floor denies a text as a line of its own, run
	// where a command runs. Nil where nobody asks the floor.
	Denies func(s *Scene, c *shell.Command, text string) bool
}

// A Rule is one entry of a table.
type Rule struct {
	// ID is stable and in kebab case.
	ID string
	// Class groups rules for people, such as "root delete".
	Class string
	// Why is a clause with the command as its subject: "deletes the root
	// directory".
	Why string
	// Instead is a safer way, as a sentence for a model; "" if there is none.
	Instead string
	// Programs are the base names that the rule looks at, blanks between
	// them; "" means every command, also one without words.
	Programs string
	// Match returns the part of the line that matches. It is given one
	// command of the scene's line.
	Match func(s *Scene, c *shell.Command) (shell.Span, bool)
	// Hit and Miss are lines that must and must not match, as read in
	// /home/dev/project with the home /home/dev.
	Hit, Miss []string
}

// A Finding is a rule that matches a command.
type Finding struct {
	Rule *Rule
	// Command is its index in [shell.Line.Commands].
	Command int
	Span    shell.Span
}

// A Table finds the rules that match. It is safe for concurrent use.
type Table struct {
	rules  []Rule
	byName map[string][]*Rule
	any    []*Rule
}

// NewTable returns a table of rules, which it keeps. It panics if two have
// the same id.
func NewTable(rules []Rule) *Table {
	t := &Table{rules: rules, byName: make(map[string][]*Rule)}
	seen := make(map[string]bool, len(rules))
	for i := range rules {
		r := &rules[i]
		if seen[r.ID] {
			panic("hazard: two rules have the id " + r.ID)
		}
		seen[r.ID] = true
		if r.Programs == "" {
			t.any = append(t.any, r)
		}
		for name := range strings.FieldsSeq(r.Programs) {
			name = program.Unversioned(name)
			if of := t.byName[name]; len(of) == 0 || of[len(of)-1] != r {
				t.byName[name] = append(of, r)
			}
		}
	}
	return t
}

// Rules returns the rules in the order of the table. They must not be
// changed.
func (t *Table) Rules() []Rule { return t.rules }

// Names reports whether some rule looks at a program of that name and not at
// every command.
func (t *Table) Names(name string) bool { return len(t.named(name)) > 0 }

func (t *Table) named(name string) []*Rule { return t.byName[program.Unversioned(name)] }

// Find calls yield for each rule that matches the command with index i. It
// stops when yield returns false, and then returns false too.
func (t *Table) Find(s *Scene, i int, yield func(Finding) bool) bool {
	c := &s.Line.Commands[i]
	named := t.named(c.Name)
	if c.Function {
		named = nil // what it runs follows
	}
	for _, list := range [2][]*Rule{named, t.any} {
		for _, r := range list {
			if span, ok := r.Match(s, c); ok && !yield(Finding{r, i, span}) {
				return false
			}
		}
	}
	return true
}

// First returns the first rule that matches the command with index i.
func (t *Table) First(s *Scene, i int) (found Finding, ok bool) {
	t.Find(s, i, func(f Finding) bool {
		found, ok = f, true
		return false
	})
	return found, ok
}
