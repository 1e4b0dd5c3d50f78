package program

import "strings"

// Hooks yields the names of the hooks that a sub-command of git runs.
func Hooks(sub string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, h := range hooks {
			if !HasWord(h.subs, sub) {
				continue
			}
			for name := range strings.FieldsSeq(h.names) {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// hooks are the hooks that sub-commands of git run (githooks(5)).
var hooks = []struct{ subs, names string }{
	{"commit", "pre-commit prepare-commit-msg commit-msg post-commit"},
	{"merge", "pre-merge-commit prepare-commit-msg commit-msg post-merge"},
	{"pull", "pre-merge-commit post-merge post-checkout pre-rebase post-rewrite"},
	{"checkout switch restore worktree", "post-checkout"},
	{"push", "pre-push"},
	{"rebase", "pre-rebase post-rewrite post-checkout"},
	{"am", "applypatch-msg pre-applypatch post-applypatch"},
	{"cherry-pick revert", "prepare-commit-msg commit-msg post-commit"},
	{"gc", "pre-auto-gc"},
	{"commit merge pull push fetch branch tag reset stash rebase", "reference-transaction"},
	{"add reset stash commit checkout", "post-index-change"},
}
