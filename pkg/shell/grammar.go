package shell

import (
	"strings"
	"sync"
)

// A Role is what a program does with an argument.
type Role uint8

// The roles. Data is everything that only the program itself looks at.
const (
	RoleData    Role = iota
	RoleRead         // a file or directory that is read
	RoleWrite        // a file that is written or created
	RoleDelete       // a file or directory that is removed
	RoleMove         // a file or directory that is moved away
	RoleAlter        // a file whose mode, owner or attributes change
	RoleDir          // a directory in which the program works
	RoleExec         // a program or script that is run
	RoleText         // text that a shell evaluates
	RoleJoined       // the first of the arguments that, joined, a shell evaluates
	RoleCode         // text that another language evaluates
	RoleHost         // another host, as [USER@]HOST, HOST:PATH or a URL
	RoleEnv          // NAME=VALUE for the environment of what is run
	RoleConfig       // NAME=VALUE, where some values are evaluated
	RolePayload      // the first word of a command that is run
	RoleDashed       // the first word of a command that is run, after --
	RoleArgv         // a command that is run, up to ; or +
	RoleRest         // a command that is run, up to the end; text for a shell if its first word has blanks
	RoleProgram      // a program that is run, with what follows --
	RoleSend         // a file that is read, and that goes to another host
)

var roleNames = map[string]Role{
	"data": RoleData, "read": RoleRead, "write": RoleWrite, "delete": RoleDelete, "move": RoleMove, "alter": RoleAlter, "dir": RoleDir,
	"exec": RoleExec, "text": RoleText, "joined": RoleJoined, "code": RoleCode, "host": RoleHost, "env": RoleEnv, "config": RoleConfig,
	"payload": RolePayload, "dashed": RoleDashed, "argv": RoleArgv, "rest": RoleRest, "program": RoleProgram,
	"send": RoleSend,
}

// A Style is how a program reads its arguments.
type Style uint8

// The styles.
const (
	GNU   Style = iota // options anywhere, -xyz bundles, --long and its abbreviations
	Stop               // as GNU, but the first operand ends the options
	Words              // -option is one word, such as -name
	Pairs              // operands are NAME=VALUE, such as of=FILE
	Plain              // no options
)

// A Program is the grammar of the arguments of one program or sub-command.
//
// Options and Operands are lists in a small notation. An option is its names,
// comma between them, then what it takes and changes:
//
//	=ROLE  an argument      ?ROLE  an optional, attached argument
//	!      one operand fewer is expected (grep -e)
//	@ROLE  the first operand has this role (bash -c)
//	*ROLE  the repeated operands have this role (sed -i)
//	~      no payload is run (command -v)
//	+      a second argument follows the first (bwrap --bind)
//
// The name # stands for -NUMBER. Operands are roles in order, of which one
// may repeat: "data read*", "read* write".
type Program struct {
	Names    string
	Options  string
	Operands string
	Subs     []*Program
	Style    Style
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
	// SendsInput says that the standard input goes to another host.
	SendsInput bool

	once     sync.Once
	compiled *compiled
}

// A Spec is one option of a program.
type Spec struct {
	Names    []string // without dashes, "#" for -NUMBER
	Takes    Takes
	Role     Role // of the argument
	drop     bool
	first    roleChange
	repeated roleChange
	inert    bool // no payload is run
	two      bool // takes a second argument
}

// Takes says whether an option takes an argument.
type Takes uint8

// What an option takes.
const (
	Nothing Takes = iota
	Argument
	Attached // an optional argument that must be attached
)

type roleChange struct {
	set  bool
	role Role
}

type compiled struct {
	specs    []Spec
	short    [128]uint8 // index in specs, from 1
	number   int        // index of "#", from 1
	operands []operandSpec
	// equals is that of the program.
	equals bool
	// runs says that an argument or the input may be run or evaluated.
	runs bool
	// changes says that an argument may be written, removed, moved or altered.
	changes bool
}

type operandSpec struct {
	role   Role
	repeat bool
}

// grammar returns the grammar of p, compiled at first use.
func (p *Program) grammar() *compiled {
	p.once.Do(func() { p.compiled = compile(p) })
	return p.compiled
}

// Changes reports whether the program may write, remove, move or alter what an
// argument names.
func (p *Program) Changes() bool { return p.grammar().changes }

func compile(p *Program) *compiled {
	c := &compiled{equals: p.Equals}
	for _, f := range strings.Fields(p.Options) {
		spec := compileOption(f)
		c.specs = append(c.specs, spec)
		for _, n := range spec.Names {
			switch {
			case n == "#":
				c.number = len(c.specs)
			case len(n) == 1:
				c.short[n[0]&127] = uint8(len(c.specs))
			}
		}
	}
	for _, f := range strings.Fields(p.Operands) {
		name, repeat := strings.CutSuffix(f, "*")
		c.operands = append(c.operands, operandSpec{mustRole(name, f), repeat})
	}
	c.runs = p.Input == RoleText || p.InShell || p.Starts != ""
	c.changes = p.Style == Pairs || p.Fills != "" || isChange(p.Dashed)
	for _, s := range c.specs {
		c.changes = c.changes || isChange(s.Role) || isChange(s.first.role) || isChange(s.repeated.role)
		c.runs = c.runs || isRun(s.Role) || isRun(s.first.role) || isRun(s.repeated.role)
	}
	for _, o := range c.operands {
		c.changes = c.changes || isChange(o.role)
		c.runs = c.runs || isRun(o.role)
	}
	return c
}

func isChange(r Role) bool {
	return r == RoleWrite || r == RoleDelete || r == RoleMove || r == RoleAlter
}

// isRun says whether what has the role is run or evaluated.
func isRun(r Role) bool {
	switch r {
	case RoleText, RoleJoined, RoleEnv, RoleConfig, RolePayload, RoleDashed, RoleArgv, RoleRest, RoleProgram:
		return true
	}
	return false
}

func compileOption(f string) Spec {
	var s Spec
	end := strings.IndexAny(f, "=?!@*~+")
	if end < 0 {
		end = len(f)
	}
	s.Names = strings.Split(f[:end], ",")
	for rest := f[end:]; rest != ""; {
		mark := rest[0]
		rest = rest[1:]
		n := strings.IndexAny(rest, "=?!@*~+")
		if n < 0 {
			n = len(rest)
		}
		word := rest[:n]
		rest = rest[n:]
		switch mark {
		case '=':
			s.Takes, s.Role = Argument, mustRole(word, f)
		case '?':
			s.Takes, s.Role = Attached, mustRole(word, f)
		case '@':
			s.first = roleChange{true, mustRole(word, f)}
		case '*':
			s.repeated = roleChange{true, mustRole(word, f)}
		case '!':
			s.drop = true
		case '~':
			s.inert = true
		case '+':
			s.two = true
		}
	}
	return s
}

// mustRole panics on a role that does not exist: the table is wrong.
func mustRole(name, where string) Role {
	if name == "" {
		return RoleData
	}
	r, ok := roleNames[name]
	if !ok {
		panic("shell: unknown role in grammar entry " + where)
	}
	return r
}

// sub returns the sub-command of that name, nil if the table has none.
func (p *Program) sub(name string) *Program {
	for i := range p.Subs {
		if hasName(p.Subs[i].Names, name) {
			return p.Subs[i]
		}
	}
	return nil
}

func hasName(names, name string) bool {
	for names != "" {
		var n string
		n, names, _ = strings.Cut(names, " ")
		if n == name {
			return true
		}
	}
	return false
}

// Lookup returns the grammar of a program by its base name, nil if the table
// has none.
func Lookup(name string) *Program {
	if p := table()[name]; p != nil {
		return p
	}
	if bare := Unversioned(name); bare != name {
		return table()[bare]
	}
	if strings.HasPrefix(name, "mkfs.") {
		return table()["mkfs"]
	}
	return nil
}

// Unversioned returns the name of an interpreter without its version:
// "python" for "python3.12". Other names stay as they are.
func Unversioned(name string) string {
	bare := strings.TrimRight(name, "0123456789.")
	switch bare {
	case "python", "pypy", "ipython", "lua", "ruby", "perl", "php", "node":
		return bare
	}
	return name
}

var table = sync.OnceValue(func() map[string]*Program {
	m := make(map[string]*Program, 2*len(programs))
	for i := range programs {
		for n := range strings.FieldsSeq(programs[i].Names) {
			m[n] = programs[i]
		}
	}
	return m
})

// Names returns the programs of the grammar table in the order of the table.
func Names() []string {
	var out []string
	for i := range programs {
		out = append(out, strings.Fields(programs[i].Names)...)
	}
	return out
}
