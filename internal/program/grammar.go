package program

import (
	"slices"
	"strings"
)

// A Grammar is how the arguments of a program are read.
type Grammar struct {
	Options  []Option
	Operands []Operand
	// Equals is that of the program.
	Equals bool
	// Runs says that an argument or the input may be run or evaluated.
	Runs bool
	// Changes says that an argument may be written, removed, moved or altered.
	Changes bool

	letters [128]uint8 // index in Options, from 1
	number  int        // index of "#", from 1
}

// An Option is one option of a program.
type Option struct {
	Names []string // without dashes, "#" for -NUMBER
	Takes Takes
	Role  Role // of the argument
	// Second is the role of a second argument, if Two.
	Second Role
	// Reads says that the program only reads with it, as its row's [Reading] has it.
	Reads bool
	// Bound says of what the argument is the most that is read.
	Bound Bound
	// Drop says that one operand fewer is expected, Inert that no payload is
	// run, and Two that a second argument follows the first.
	Drop, Inert, Two bool
	// First is the role that the first operand then has, Repeated that of the
	// repeated ones.
	First, Repeated Change
}

// A Bound is what an option bounds.
type Bound uint8

// The bounds.
const (
	NoBound Bound = iota
	Bytes
	Lines
)

// A Change is the role that operands have under an option, if Set.
type Change struct {
	Set  bool
	Role Role
}

// An Operand is one operand, or several of one role.
type Operand struct {
	Role   Role
	Repeat bool
}

// TakesWords reports whether the option takes the words of a command.
func (o *Option) TakesWords() bool { return o.Role == RoleArgv || o.Role == RoleRest }

// Typed returns the name of an option with the dashes that it is typed with.
func Typed(name string) string {
	switch {
	case name == "#":
		return "-NUMBER"
	case len(name) == 1:
		return "-" + name
	}
	return "--" + name
}

// Letter returns the option of one letter, nil if there is none.
func (g *Grammar) Letter(letter byte) *Option {
	if letter < 128 && g.letters[letter] > 0 {
		return &g.Options[g.letters[letter]-1]
	}
	return nil
}

// Number returns the option -NUMBER, nil if there is none.
func (g *Grammar) Number() *Option {
	if g.number > 0 {
		return &g.Options[g.number-1]
	}
	return nil
}

// Find returns the option of a long name, which may be abbreviated unless
// exact is set.
func (g *Grammar) Find(name string, exact bool) *Option {
	var found *Option
	for i := range g.Options {
		for _, n := range g.Options[i].Names {
			if n == name && (len(n) > 1 || exact) {
				return &g.Options[i]
			}
			if !exact && name != "" && len(n) > 1 && strings.HasPrefix(n, name) {
				if found != nil && found != &g.Options[i] {
					found = nil
					exact = true // ambiguous: only the whole name counts
					break
				}
				found = &g.Options[i]
			}
		}
	}
	return found
}

func compile(p *Program) *Grammar {
	g := &Grammar{Equals: p.Equals}
	at := make(map[string]int)
	if p.Reads != nil {
		g.add(p.Reads.Options, true, at)
	}
	g.add(p.Options, false, at)
	for f := range strings.FieldsSeq(p.Operands) {
		name, repeat := strings.CutSuffix(f, "*")
		g.Operands = append(g.Operands, Operand{mustRole(name, f), repeat})
	}
	g.Runs = p.Input == RoleText || p.InShell || p.Starts != ""
	g.Changes = p.Style == Pairs || p.Fills != "" || p.Dashed.Changes()
	for _, o := range g.Options {
		g.note(o.Role)
		g.note(o.First.Role)
		g.note(o.Repeated.Role)
	}
	for _, o := range g.Operands {
		g.note(o.Role)
	}
	for _, v := range p.Verbs {
		g.Runs, g.Changes = g.Runs || v.Grammar().Runs, g.Changes || v.Grammar().Changes
	}
	return g
}

// add compiles options. A name that stands before among them, as at says, is
// taken from there.
func (g *Grammar) add(options string, reads bool, at map[string]int) {
	for f := range strings.FieldsSeq(options) {
		o := compileOption(f)
		o.Reads = reads
		for _, n := range o.Names {
			if i, ok := at[n]; ok {
				old := &g.Options[i]
				old.Names = slices.DeleteFunc(old.Names, func(name string) bool { return name == n })
			}
			at[n] = len(g.Options)
			switch {
			case n == "#":
				g.number = len(g.Options) + 1
			case len(n) == 1:
				g.letters[n[0]&127] = uint8(len(g.Options) + 1)
			}
		}
		g.Options = append(g.Options, o)
	}
}

// Has reports whether the option is one of the grammar itself.
func (g *Grammar) Has(o *Option) bool {
	for i := range g.Options {
		if &g.Options[i] == o {
			return true
		}
	}
	return false
}

func (g *Grammar) note(r Role) {
	g.Changes = g.Changes || r.Changes()
	g.Runs = g.Runs || r.Runs()
}

func compileOption(f string) Option {
	var o Option
	end := 1 + mark(f[1:]) // @ is an option of ls
	o.Names = strings.Split(f[:end], ",")
	for rest := f[end:]; rest != ""; {
		n := 1 + mark(rest[1:])
		word := rest[1:n]
		switch rest[0] {
		case '=':
			o.Takes = Argument
			switch word {
			case "size":
				o.Bound = Bytes
			case "lines":
				o.Bound = Lines
			default:
				o.Role = mustRole(word, f)
			}
		case '?':
			o.Takes, o.Role = Attached, mustRole(word, f)
		case '@':
			o.First = Change{true, mustRole(word, f)}
		case '*':
			o.Repeated = Change{true, mustRole(word, f)}
		case '!':
			o.Drop = true
		case '~':
			o.Inert = true
		case '+':
			o.Two, o.Second = true, mustRole(word, f)
		}
		rest = rest[n:]
	}
	return o
}

// mark returns where the next mark of the notation stands, or the end.
func mark(f string) int {
	if i := strings.IndexAny(f, "=?!@*~+"); i >= 0 {
		return i
	}
	return len(f)
}
