package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

func IsDefault(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return true
	}
	return false
}

// Numeric are the variables that the shell itself sets to integers.
func Numeric(name string) bool {
	switch name {
	case "#", "?", "$", "RANDOM", "SECONDS", "LINENO", "UID",
		"EUID", "PPID", "BASHPID", "SHLVL", "COLUMNS", "LINES", "OPTIND",
		"EPOCHSECONDS", "BASH_SUBSHELL", "SRANDOM":
		return true
	}
	return false
}
