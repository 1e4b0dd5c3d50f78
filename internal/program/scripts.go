package program

import "strings"

// ownCommands returns the commands of its own that a package manager has, of those that take
// every other word for a script of the project, or a program that it has installed. By
// pnpm(1) 10, yarn(1) 1.22 and the reference of Yarn 4.
func ownCommands(manager string) string {
	switch manager {
	case "pnpm":
		return pnpmCommands
	case "yarn":
		return yarnCommands
	}
	return ""
}

const (
	pnpmCommands = "add approve-builds audit bin c cache cat-file cat-index completion config create dedupe deploy dlx doctor env exec fetch find-hash " +
		"get help i ignored-builds import info init " +
		"install install-test it la licenses link list ll ln login logout ls m multi outdated pack patch patch-commit patch-remove pkg prune publish rb " +
		"rebuild recursive remove rm root run " +
		"runtime s se search self-update server set setup show stage start stop store t test tst un uninstall unlink up update upgrade v version view " +
		"whoami why " +
		"access adduser author bugs deprecate dist-tag docs edit explain explore fund hook org owner ping prefix profile repo restart sbom shrinkwrap " +
		"star stars team token unpublish unstar x xmas"
	yarnCommands = "access add audit autoclean bin cache check config constraints create dedupe dlx exec explain explore export fund " +
		"generate-lock-entry generateLockEntry global help import info init " +
		"install licenses link list login logout ls node npm outdated owner pack patch patch-commit plugin policies prefer-offline prune publish " +
		"rebuild remove run search self-update set stage tag " +
		"team tests unlink unplug unpublish up update upgrade upgrade-interactive upgradeInteractive version versions why workspace workspaces"
)

// IsScript reports whether a package manager takes a word, as its first, for a script of
// the project or a program that the project has installed: it fetches neither.
func IsScript(manager, word string) bool {
	own := ownCommands(manager)
	if own == "" || word == "" || HasWord(own, word) {
		return false
	}
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:.") == "" && word[0] != '-' && word[0] != '.'
}
