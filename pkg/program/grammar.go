package program

import "strings"

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
	// Drop says that one operand fewer is expected, Inert that no payload is
	// run, and Two that a second argument follows the first.
	Drop, Inert, Two bool
	// First is the role that the first operand then has, Repeated that of the
	// repeated ones.
	First, Repeated Change
}

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
	for f := range strings.FieldsSeq(p.Options) {
		o := compileOption(f)
		g.Options = append(g.Options, o)
		for _, n := range o.Names {
			switch {
			case n == "#":
				g.number = len(g.Options)
			case len(n) == 1:
				g.letters[n[0]&127] = uint8(len(g.Options))
			}
		}
	}
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
	return g
}

func (g *Grammar) note(r Role) {
	g.Changes = g.Changes || r.Changes()
	g.Runs = g.Runs || r.Runs()
}

func compileOption(f string) Option {
	var o Option
	end := mark(f)
	o.Names = strings.Split(f[:end], ",")
	for rest := f[end:]; rest != ""; {
		n := 1 + mark(rest[1:])
		word := rest[1:n]
		switch rest[0] {
		case '=':
			o.Takes, o.Role = Argument, mustRole(word, f)
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
			o.Two = true
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
