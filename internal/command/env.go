package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// integerEnv reports whether some shell holds a variable as an integer, so that
// it evaluates what the variable is set to as arithmetic.
func integerEnv(name string) bool { return shell.Numeric(name) || name == "HISTCMD" || name == "TMOUT" }

// Steers reports whether setting a variable may change what later commands run,
// load or write, or run what it is set to. The shell is named as in [eval.Env.Shell].
func Steers(name, shells string) bool { return SteersIn(name, shell.ShellsOf(shells)) }

// SteersIn is [Steers] for a set of shells.
func SteersIn(name string, set shell.Shells) bool {
	name = OfElement(name)
	return program.ActiveVariable(name) || integerEnv(name) || set&shell.InZsh != 0 && program.TiedVariable(name)
}

// OfElement returns the variable of NAME[subscript], and of NAME?prompt, as zsh and
// ksh have read take it.
func OfElement(name string) string {
	if i := strings.IndexAny(name, "[?"); i >= 0 {
		return name[:i]
	}
	return name
}

// SetsNumber reports whether what a variable is set to is a number, which
// evaluates to itself where a shell holds the variable as an integer.
func SetsNumber(name string, v shell.Set) bool {
	return integerEnv(name) && (v.Number || shell.AllNumbers(v))
}

// ValidName reports whether a shell may have a variable of that name.
func ValidName(name string) bool { return syntax.ValidName(name) }
