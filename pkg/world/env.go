package world

import (
	"slices"
	"strings"
)

// harmless are variables of git that change nothing about which repository,
// configuration and programs a reading command uses (git(1), ENVIRONMENT
// VARIABLES). Those that name a program for editing, asking or connecting are
// among them because reading commands do none of these.
func harmless(name string) bool {
	switch name {
	case "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR",
		"GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_MERGE_AUTOEDIT",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME",
		"GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "GIT_CEILING_DIRECTORIES", "GIT_LFS_SKIP_SMUDGE",
		"GIT_CONFIG_NOSYSTEM", "GIT_ADVICE", "GIT_BRANCH", "GIT_LOCAL_BRANCH", "GIT_COMMIT",
		"GIT_URL", "GIT_PREVIOUS_COMMIT", "GIT_PREVIOUS_SUCCESSFUL_COMMIT", "GIT_CHECKOUT_DIR":
		return true
	}
	return false
}

// harmlessStarts begin the names of others: those of transport, and of prompts
// of shells, which git does not read.
var harmlessStarts = []string{"GIT_SSL_", "GIT_HTTP_", "GIT_PS1_", "GIT_PROMPT_"}

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
	if !strings.HasPrefix(name, "GIT_") || harmless(name) {
		return false
	}
	return !slices.ContainsFunc(harmlessStarts, func(start string) bool { return strings.HasPrefix(name, start) })
}
