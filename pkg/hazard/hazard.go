// Package hazard holds the form that the tables of dangerous commands share:
// a rule is data with a stable id, a reason, the programs it looks at, and
// examples that must and must not match.
//
// It holds no rules itself and decides nothing.
package hazard

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/own"
)

// A Scene is what a rule looks at. It holds what was found out while matching,
// and is for one goroutine at a time.
type Scene struct {
	Line *eval.Line
	// Home is the user's home directory, [eval.UnknownHome] where it is not
	// known.
	Home string
	// OS is "linux", "darwin" or "windows", "" where it is unknown.
	OS string
	// Protect are absolute paths that nothing may change.
	Protect []string
	// Own is what policyctl keeps on the machine and where its service is; nil
	// for nothing.
	Own *own.State
	// Depth counts the texts around the line that run it.
	Depth int
	// Given is how many more bytes of files and variables are handed on to the texts
	// that the line runs, nil before the first.
	Given *int
	// Ran gets the lines that texts on the line run, as the floor reads them, up to
	// maxRan; nil where nobody wants them.
	Ran *[]Ran
	// Handed says that the line is one that a program may run because its words are
	// one, and Prose that it is a text that may be no line at all.
	Handed, Prose bool
	// Denies reports whether the floor denies a text as a line of its own, run
	// where a command runs. Nil where nobody asks the floor.
	Denies func(s *Scene, c *command.Command, text string) bool

	by    *shell.Span // the command of the first line that runs this one, nil for that line
	found [4]answer   // to questions about the command that is looked at, of which asked are
	asked int
}

// A Ran is a line that a text on another line runs.
type Ran struct {
	Line *eval.Line
	// By is the span of the command on that other line.
	By shell.Span
	// Handed says that the command may run it because its words are one, as in
	// [command.Command.Handed].
	Handed bool
}

// maxRan bounds how many of them are told of one line.
const maxRan = 256

// Inner returns the scene of a line that a text runs which a command is given.
func (s *Scene) Inner(c *command.Command, line *eval.Line) *Scene {
	inner := &Scene{Line: line, Home: s.Home, OS: s.OS, Protect: s.Protect, Own: s.Own, Depth: s.Depth + 1, Handed: s.Handed, Prose: s.Prose, Ran: s.Ran, by: s.by}
	if s.by == nil {
		inner.by = &c.Span
	}
	if s.Ran != nil && len(*s.Ran) < maxRan && c.Name != "" { // else it is not known to run it
		*s.Ran = append(*s.Ran, Ran{line, *inner.by, s.Handed})
	}
	return inner
}

// Quiet returns the scene for a text that stands for what a command does, and that
// nothing runs.
func (s *Scene) Quiet() *Scene {
	quiet := *s
	quiet.Ran = nil
	return &quiet
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
	// them, some perhaps twice; with "" and no Kind, every command, also one
	// without words.
	Programs string
	// Kind lists some of [program.Program.Kinds], blanks between them, of which
	// KIND=VALUE wants that value: the rule looks at the programs that are of one too,
	// also where a runner such as npx starts them.
	Kind string
	// Match returns the part of the line that matches. It is given one
	// command of the scene's line.
	Match func(s *Scene, c *command.Command) (shell.Span, bool)
	// Hit and Miss are lines that must and must not match, as read in
	// /home/dev/project with the home /home/dev.
	Hit, Miss []string
}

// Names returns the programs that the rule looks at, each once.
func (r *Rule) Names() []string {
	out := []string{}
	for name := range strings.FieldsSeq(r.Programs + " " + program.NamesOf(strings.Fields(r.Kind)...)) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// A Finding is a rule that matches a command.
type Finding struct {
	Rule *Rule
	// Command is its index in [eval.Line.Commands].
	Command int
	Span    shell.Span
}

// A Table finds the rules that match. It is safe for concurrent use.
type Table struct {
	rules []Rule
	// entries are the rules by name, chained from buckets: a program that
	// decides one call makes the table for it, and a map takes four times the
	// memory.
	buckets [1 << 10]uint16
	entries []entry
	any     []*Rule
}

// An entry is a rule of a name; next is the next entry of its bucket, 0 for
// none.
type entry struct {
	name       string
	rule, next uint16
}

// bucket is that of a name.
func (t *Table) bucket(name string) *uint16 {
	h := uint32(2166136261) // FNV-1a
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return &t.buckets[h%uint32(len(t.buckets))]
}

// NewTable returns a table of rules, which it keeps. It panics if two have
// the same id.
func NewTable(rules []Rule) *Table {
	t := &Table{rules: rules, entries: make([]entry, 1, 2<<10)}
	seen, kinds := make(map[string]bool, len(rules)), make(map[string][]uint16, len(rules))
	for i := range rules {
		r := &rules[i]
		if seen[r.ID] {
			panic("hazard: two rules have the id " + r.ID)
		}
		seen[r.ID] = true
		if r.Programs == "" && r.Kind == "" {
			t.any = append(t.any, r)
		}
		for kind := range strings.FieldsSeq(r.Kind) {
			kinds[kind] = append(kinds[kind], uint16(i))
		}
	}
	for i := range rules {
		t.add(uint16(i), rules[i].Programs)
	}
	program.EachKind(func(kind, names string) {
		for _, rule := range kinds[kind] {
			t.add(rule, names)
		}
		if kind, _, valued := strings.Cut(kind, "="); valued {
			for _, rule := range kinds[kind] {
				t.add(rule, names)
			}
		}
	})
	return t
}

// add notes that a rule looks at programs, blanks or commas between their names. The entries
// of a name are chained in the order of the rules.
func (t *Table) add(rule uint16, names string) {
	for names != "" {
		name, end := names, strings.IndexAny(names, " ,")
		if names = ""; end >= 0 {
			name, names = name[:end], name[end+1:]
		}
		if name == "" {
			continue
		}
		name = program.Resolve(name)
		at, twice := t.bucket(name), false
		for *at != 0 && t.entries[*at].rule <= rule {
			e := &t.entries[*at]
			twice = twice || e.rule == rule && e.name == name
			at = &e.next
		}
		if !twice {
			next := *at
			*at = uint16(len(t.entries))
			t.entries = append(t.entries, entry{name, rule, next})
		}
	}
}

// Rules returns the rules in the order of the table. They must not be
// changed.
func (t *Table) Rules() []Rule { return t.rules }

// Names reports whether some rule looks at a program of that name and not at
// every command.
func (t *Table) Names(name string) bool {
	name = program.Resolve(name)
	return t.next(*t.bucket(name), name) != nil
}

// next returns the first entry of a name from one of its bucket on, nil for
// none.
func (t *Table) next(at uint16, name string) *entry {
	for ; at != 0; at = t.entries[at].next {
		if e := &t.entries[at]; e.name == name {
			return e
		}
	}
	return nil
}

// Find calls yield for each rule that matches the command with index i. It
// stops when yield returns false, and then returns false too.
func (t *Table) Find(s *Scene, i int, yield func(Finding) bool) bool {
	c := &s.Line.Commands[i]
	s.asked = 0
	on := func(r *Rule) bool {
		span, ok := r.Match(s, c)
		return !ok || yield(Finding{r, i, span})
	}
	if !c.Function && !t.named(c, on) { // what it runs follows
		return false
	}
	for _, r := range t.any {
		if !on(r) {
			return false
		}
	}
	return true
}

// named calls yield for each rule that looks at the program of a command, or at the one that
// this starts, in their order.
func (t *Table) named(c *command.Command, yield func(*Rule) bool) bool {
	started, from := c.Worker()
	own := t.next(*t.bucket(c.Name), c.Name)
	var other *entry
	if from > 1 {
		other = t.next(*t.bucket(started), started)
	}
	for own != nil || other != nil {
		e, both := own, own != nil && other != nil
		isOther := own == nil || both && other.rule < own.rule
		if isOther {
			e = other
		}
		if both && other.rule == own.rule || isOther {
			other = t.next(other.next, started)
		}
		if !isOther {
			own = t.next(own.next, c.Name)
		}
		if r := &t.rules[e.rule]; (!isOther || r.Kind != "") && !yield(r) {
			return false
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
