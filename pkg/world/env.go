package world

import (
	"slices"
	"strings"
)

// harmless are variables of git that change nothing about which repository,
// configuration and programs a reading command uses (git(1), ENVIRONMENT
// VARIABLES). Those that name a program for editing, asking or connecting are
// among them because reading commands do none of these.
var harmless = map[string]bool{
	"GIT_OPTIONAL_LOCKS": true, "GIT_TERMINAL_PROMPT": true, "GIT_EDITOR": true, "GIT_SEQUENCE_EDITOR": true,
	"GIT_ASKPASS": true, "GIT_SSH": true, "GIT_SSH_COMMAND": true, "GIT_SSH_VARIANT": true, "GIT_MERGE_AUTOEDIT": true,
	"GIT_AUTHOR_NAME": true, "GIT_AUTHOR_EMAIL": true, "GIT_AUTHOR_DATE": true, "GIT_COMMITTER_NAME": true,
	"GIT_COMMITTER_EMAIL": true, "GIT_COMMITTER_DATE": true, "GIT_CEILING_DIRECTORIES": true, "GIT_LFS_SKIP_SMUDGE": true,
	"GIT_CONFIG_NOSYSTEM": true, "GIT_ADVICE": true, "GIT_BRANCH": true, "GIT_LOCAL_BRANCH": true, "GIT_COMMIT": true,
	"GIT_URL": true, "GIT_PREVIOUS_COMMIT": true, "GIT_PREVIOUS_SUCCESSFUL_COMMIT": true, "GIT_CHECKOUT_DIR": true,
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
	if !strings.HasPrefix(name, "GIT_") || harmless[name] {
		return false
	}
	return !slices.ContainsFunc(harmlessStarts, func(start string) bool { return strings.HasPrefix(name, start) })
}
