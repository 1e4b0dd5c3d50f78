package world

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// misleads reports whether a variable may make git, or the shell before it, read
// or run something that is not looked at here. A pager is the person's choice
// unless its path begins in the directory of the command.
func misleads(name, value string) bool {
	switch name {
	case "PAGER", "GIT_PAGER":
		return nearby(value)
	case "CDPATH":
		return value != ""
	case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM":
		return value != "/dev/null"
	}
	return strings.HasPrefix(name, "GIT_") && !program.Find("git").HasVariable(name, '-')
}
