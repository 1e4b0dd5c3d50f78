package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/pkg/program"
)

// integerEnv reports whether some shell holds a variable as an integer, so that
// it evaluates what the variable is set to as arithmetic.
func integerEnv(name string) bool { return numeric(name) || name == "HISTCMD" || name == "TMOUT" }

// Steers reports whether setting a variable may change what later commands run,
// load or write, or run what it is set to. The shell is named as in [Env.Shell].
func Steers(name, shells string) bool { return steers(name, ShellsOf(shells)) }

func steers(name string, set Shells) bool {
	name = ofElement(name)
	return program.ActiveVariable(name) || integerEnv(name) || set&InZsh != 0 && program.TiedVariable(name)
}

// ofElement returns the variable of NAME[subscript], and of NAME?prompt, as zsh and
// ksh have read take it.
func ofElement(name string) string {
	if i := strings.IndexAny(name, "[?"); i >= 0 {
		return name[:i]
	}
	return name
}

// setsNumber reports whether what a variable is set to is a number, which
// evaluates to itself where a shell holds the variable as an integer.
func setsNumber(name string, v Set) bool { return integerEnv(name) && (v.Number || allNumbers(v)) }

// ValidName reports whether a shell may have a variable of that name.
func ValidName(name string) bool { return syntax.ValidName(name) }

// surround tells the scope of the line what its surroundings hold.
func (r *reader) surround(sc *scope) {
	for _, v := range r.env.Vars {
		sc.set(r, v.Name, v.Value)
	}
	sc.stdin = r.env.Input
	if r.env.Background {
		sc.place |= Background
	}
}

// inherited returns the variables of the environment as the assignments of a
// command that stands at a place. What changes nothing but how programs print is
// none.
func (r *reader) inherited(at int) (out []Assign) {
	for _, v := range r.env.Vars {
		if !program.HarmlessVariable(v.Name) {
			out = append(out, Assign{Name: v.Name, Value: v.Value, Span: Span{at, at}})
		}
	}
	return out
}
