package eval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// variable returns what a variable may be.
func (x *expansion) variable(name string) value {
	if shell.IsNumber(name) && name != "0" {
		return x.argument(name)
	}
	lookup := name
	if name == "*" {
		lookup = "@"
	}
	if x.sc.refs {
		if lookup = x.sc.named(lookup); lookup != name && x.sc.lookup(lookup) == nil {
			v := x.variable(lookup)
			v.set.Open = true // other shells know no references
			return v
		}
	}
	if b := x.sc.lookup(lookup); b != nil {
		if b.array {
			return b.value()
		}
		set := b.set
		set.Open = set.Open || lookup != name // other shells know no references
		set.Started = set.Started && lookup == name
		return value{set: set, unset: b.unset && !set.Open}
	}
	if shell.Numeric(name) {
		// Some shells do not have it, so that it may be nothing.
		return value{set: shell.Set{Open: true, Number: len(name) == 1 || name == "PPID" || name == "OPTIND"}}
	}
	return x.unassigned(name)
}

// unassigned returns a variable to which the line assigns nothing.
func (x *expansion) unassigned(name string) value {
	var set shell.Set
	switch name {
	case "@", "*":
		return value{set: shell.Set{Open: true}, isList: true}
	case "!":
		return value{set: shell.Set{Open: true, Number: x.sc.started, Started: x.sc.started}}
	case "HOME":
		if x.sc.context != program.Local {
			return value{set: shell.Set{Open: true}}
		}
		if set = known(x.r, x.r.env.Home); x.sc.bare {
			set = shell.Set{Values: []string{x.r.env.Home, ""}, Open: true}
		}
	case "PATH":
		set = shell.Set{Values: x.r.one("/usr/local/bin:/usr/bin:/bin"), Open: true}
	case "SHELL", "BASH":
		set = shell.Set{Values: x.r.one("/bin/bash"), Open: true}
	case "PWD":
		set = x.sc.dir
		set.Open = set.Open || x.sc.place&command.Adrift != 0
		return value{set: set}
	case "OLDPWD":
		set = x.sc.old
		set.Open = set.Open || len(set.Values) == 0 || x.sc.place&command.Adrift != 0
	case "USER", "LOGNAME":
		set.Open = true
		if user := shell.Base(x.r.env.Home); user != "" && x.sc.context == program.Local {
			set.Values = x.r.one(user)
		}
	case "HOSTNAME":
		set = shell.Set{Values: x.r.one(command.ThisHost), Open: true}
	case "IFS":
		set = known(x.r, " \t\n")
		set.Open = x.r.shells&shell.InZsh != 0 // which has a NUL there, too
	default:
		set.Open = true
		if command.SecretEnv(name) {
			x.cur.secret, x.r.line.Commands[x.cmd].Secret = true, true
		}
		if v := command.WindowsVars(name); v != "" {
			set.Values = x.r.one(v)
		}
		switch {
		case x.r.program:
			set.Values = x.r.one("")
		case x.sc.cleared && !givenAnew(name):
			set.Values = append(slices.Clip(set.Values), "")
		}
	}
	set.Open = set.Open || x.sc.unsure
	return value{set: set}
}

// givenAnew reports whether programs that clear the environment, and the shells
// below them, set a variable themselves (sudoers(5), su(1), systemd.exec(5), bash(1)).
func givenAnew(name string) bool {
	switch name {
	case "TERM", "LANG", "MAIL", "DISPLAY", "XAUTHORITY", "INVOCATION_ID", "HOSTTYPE", "OSTYPE", "MACHTYPE", "_":
		return true
	}
	return slices.ContainsFunc([]string{"SUDO_", "SSH_", "XDG_", "BASH", "LC_"}, func(p string) bool { return strings.HasPrefix(name, p) })
}

// argument returns a positional parameter.
func (x *expansion) argument(name string) value {
	n, _ := shell.SmallInt(name)
	b := x.sc.lookup("@")
	if b == nil {
		return value{set: shell.Set{Values: x.r.one(""), Open: true}}
	}
	if len(b.either) > 0 {
		out := shell.Set{Open: true}
		for _, a := range b.either {
			if n-1 < len(a.elems) {
				out = shell.Union(out, a.elems[n-1])
			}
		}
		return value{set: out}
	}
	if n-1 < len(b.elems) {
		return value{set: b.elems[n-1]}
	}
	if b.set.Open {
		return value{set: shell.Set{Open: true}}
	}
	return value{set: shell.Set{Values: x.r.one("")}, unset: true}
}

// knownVars lets the expander see the variables that have one value.
type knownVars struct {
	x           *expansion
	name, value string
}

func (k knownVars) Get(name string) expand.Variable {
	if name == k.name {
		return expand.Variable{Set: true, Kind: expand.String, Str: k.value}
	}
	if v, ok := k.x.variable(name).set.Literal(); ok {
		return expand.Variable{Set: true, Kind: expand.String, Str: v}
	}
	return expand.Variable{}
}

func (k knownVars) Each(func(string, expand.Variable) bool) {}
