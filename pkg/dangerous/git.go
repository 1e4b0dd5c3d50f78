package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
)

func gitRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "git-reset-hard", Class: "git", Programs: "git",
			Why:     "discards uncommitted changes",
			Instead: "Save the changes with `git stash` or on a branch first, or use `git reset --keep`, which refuses to lose them.",
			Match:   match(sub("reset"), option("hard")),
			Hit:     []string{"git reset --hard", "git reset --hard HEAD~3", "git -C web reset --hard origin/main", "git fetch && git reset --har @{u}"},
			Miss:    []string{"git reset HEAD~1", "git reset --soft HEAD~1", "git reset --keep HEAD~1", "git log --grep='reset --hard'", "git commit -m 'git reset --hard'"},
		},
		{
			ID: "git-push-force", Class: "git", Programs: "git",
			Why:     "overwrites history on the remote, and with it what others have pushed",
			Instead: "Push to a new branch and open a pull request, or ask the user to overwrite the remote branch.",
			Match:   match(pushes, forced),
			Hit:     []string{"git push --force", "git push -f origin main", "git push origin +main", "git push --mirror backup", "git push -uf origin HEAD", "git push --force-with-lease --force", "git -c remote.origin.push=+refs/heads/main push", "git send-pack --force host:x.git main", `git push origin "+$BRANCH"`, "git push -n --no-dry-run -f"},
			Miss:    []string{"git push", "git push origin main", "git push -u origin feature", "git push --dry-run --force", "git push --tags", "git -c remote.origin.push=refs/heads/main push"},
		},
		{
			ID: "git-push-lease", Class: "git", Programs: "git",
			Why:     "overwrites history on the remote unless others have pushed since the last fetch",
			Instead: "Push a new commit on top, or ask the user to overwrite the remote branch.",
			Match:   match(pushes, option("force-with-lease"), not(forced)),
			Hit:     []string{"git push --force-with-lease", "git push --force-with-lease=main:abc origin main", "git push origin main --force-with-lease --force-if-includes", "git -C web push -u --force-with"},
			Miss:    []string{"git push --force-if-includes", "git push origin main", "git push -n --force-with-lease", "git log --grep=force-with-lease"},
		},
		{
			ID: "git-push-delete", Class: "git", Programs: "git",
			Why:     "deletes branches or tags on the remote",
			Instead: "Leave the remote branch in place, or ask the user to delete it.",
			Match:   match(pushes, either(option("delete", "prune"), operand(isDeletion))),
			Hit:     []string{"git push origin --delete old", "git push -d origin v1.0", "git push origin :old", "git push --prune origin", "git push origin :refs/tags/v1"},
			Miss:    []string{"git push origin main:main", "git push origin HEAD", "git fetch --prune", "git push origin v1:v1"},
		},
		{
			ID: "git-push-url", Class: "git", Programs: "git",
			Why:     "pushes the repository to an address that is not a configured remote",
			Instead: "Push to a configured remote by its name.",
			Match:   match(pushes, firstOperand(isURL)),
			Hit:     []string{"git push https://x.example/a.git main", "git push git@github.com:a/b.git HEAD", "git push ssh://git@x.example/a main"},
			Miss:    []string{"git push origin main", "git push", "git fetch https://x.example/a.git"},
		},
		{
			ID: "git-clean", Class: "git", Programs: "git",
			Why:     "deletes untracked files, which git cannot restore",
			Instead: "Run `git clean -n` to see what it would delete, and delete single files by name.",
			Match:   match(sub("clean"), option("force"), not(option("dry-run"))),
			Hit:     []string{"git clean -fd", "git clean -xdf", "git clean --force", "git -C web clean -f -e keep"},
			Miss:    []string{"git clean -n", "git clean -fdn", "git clean -d", "git status", "npm run clean -f"},
		},
		{
			ID: "git-branch-delete", Class: "git", Programs: "git",
			Why:     "deletes a branch whose commits may be on no other branch",
			Instead: "Use `git branch -d`, which refuses to drop what is not merged.",
			Match:   match(sub("branch"), either(option("D"), both(option("force"), not(option("list"))))),
			Hit:     []string{"git branch -D feature", "git branch -d -f feature", "git branch --delete --force feature", "git branch -f main HEAD~3"},
			Miss:    []string{"git branch -d feature", "git branch feature", "git branch -a", "git branch -M main", "git branch --list 'D*'"},
		},
		{
			ID: "git-discard", Class: "git", Programs: "git",
			Why:     "discards uncommitted changes, which git cannot restore",
			Instead: "Save the changes with `git stash` first, or restore single files by name.",
			Match:   match(either(both(sub("checkout"), either(option("force"), wholeTree)), both(sub("switch"), option("force", "discard-changes")), both(sub("restore"), both(wholeTree, either(not(option("staged")), option("worktree")))), both(sub("checkout-index"), option("f", "force")))),
			Hit:     []string{"git checkout .", "git checkout -- .", "git restore .", "git checkout HEAD -- .", "git checkout -f main", "git switch --discard-changes main", "git restore --staged --worktree .", "git restore :/", "git checkout -- '*'", "git checkout origin/main -- ./", "git checkout -- src/", "git restore src/"},
			Miss:    []string{"git checkout main", "git checkout -b x", "git checkout -- a.go", "git restore --staged .", "git restore a.go", "git switch main", "git add ."},
		},
		{
			ID: "git-stash-drop", Class: "git", Programs: "git",
			Why:     "drops stashed changes, which no branch holds",
			Instead: "Keep the stash; apply it with `git stash apply`, which does not drop it.",
			Match:   match(sub("stash drop", "stash clear")),
			Hit:     []string{"git stash drop", "git stash clear", "git stash drop stash@{2}"},
			Miss:    []string{"git stash", "git stash list", "git stash pop", "git stash apply", "git stash push -m clear"},
		},
		{
			ID: "git-rewrite-history", Class: "git", Kind: "rewrites-history",
			Why:     "rewrites the history of the repository",
			Instead: "Work on a fresh clone, or ask the user to rewrite the history.",
			Match:   match(acts("rewrites-history")),
			Hit:     []string{"git filter-branch --tree-filter 'rm x' HEAD", "git filter-repo --path src", "bfg --delete-files id_rsa", "git rebase --root"},
			Miss:    []string{"git rebase main", "git rebase -i HEAD~3", "git log --all", "git commit --amend --no-edit"},
		},
		{
			ID: "git-expire", Class: "git", Programs: "git",
			Why:     "removes for good what git could still restore",
			Instead: "Let git collect its garbage on its own.",
			Match:   match(either(both(sub("reflog"), operand(is("expire", "delete"))), both(sub("gc"), optionIs("prune", is("now", "all"))), both(sub("prune"), not(option("dry-run"))), both(sub("lfs"), operand(is("prune"))))),
			Hit:     []string{"git reflog expire --expire=now --all", "git gc --prune=now", "git prune", "git reflog delete HEAD@{1}"},
			Miss:    []string{"git reflog", "git gc", "git prune -n", "git remote prune origin", "git reflog show"},
		},
		{
			ID: "git-delete-ref", Class: "git", Programs: "git",
			Why:     "deletes a tag or a reference",
			Instead: "Leave the tag in place and make a new one, or ask the user to delete it.",
			Match:   match(either(both(sub("tag"), option("delete")), both(sub("update-ref"), option("d", "delete")), both(sub("symbolic-ref"), option("d", "delete")), both(sub("notes"), operand(is("remove", "prune"))))),
			Hit:     []string{"git tag -d v1.0", "git update-ref -d refs/heads/x", "git tag --delete v1 v2", "git symbolic-ref -d HEAD"},
			Miss:    []string{"git tag v1.0", "git tag -l", "git update-ref refs/heads/x HEAD", "git symbolic-ref HEAD"},
		},
		{
			ID: "git-forced-removal", Class: "git", Programs: "git",
			Why:     "removes files or working trees with uncommitted changes",
			Instead: "Run it without --force, which refuses to lose changes.",
			Match:   match(either(both(sub("rm"), both(option("force"), not(option("cached", "dry-run")))), both(sub("worktree remove", "submodule deinit"), option("force")))),
			Hit:     []string{"git rm -f a.go", "git rm -rf old", "git worktree remove --force ../wt", "git submodule deinit -f lib"},
			Miss:    []string{"git rm a.go", "git rm --cached -f .env", "git worktree remove ../wt", "git worktree add -f ../wt"},
		},
		{
			ID: "git-remote-change", Class: "git", Programs: "git",
			Why:     "changes where the repository is pushed to or fetched from",
			Instead: "Leave the remote as it is, or ask the user to change it.",
			Match:   match(either(sub("remote set-url", "remote remove", "remote rm", "remote rename"), both(sub("config"), both(setsConfig, operand(isRemoteKey))))),
			Hit:     []string{"git remote set-url origin https://x.example/a.git", "git remote remove origin", "git config remote.origin.url https://x.example/a", "git config --global url.https://x.example/.insteadOf https://github.com/"},
			Miss:    []string{"git remote -v", "git remote add fork https://github.com/me/a", "git remote get-url origin", "git config --get remote.origin.url", "git config remote.origin.url"},
		},
		{
			ID: "git-config-program", Class: "git", Programs: "git",
			Why:     "names a program that git runs later",
			Instead: "Show the user the setting, and ask before you change it.",
			Match:   match(either(both(sub("config"), both(setsConfig, either(operand(isProgramKey), both(operand(hasPrefix("alias.")), operand(hasPrefix("!")))))), setsOnce)),
			Hit:     []string{"git config core.hooksPath .hooks", "git config --global core.sshCommand 'ssh -x'", "git config alias.up '!git pull'", "git config --add filter.x.clean ./x", "git config set core.pager less", "git -c core.fsmonitor=./x status", "git config credential.helper store", "git -c core.hooksPath=/dev/null commit -m x", "git config include.path ../x"},
			Miss:    []string{"git config user.name dev", "git config core.hooksPath", "git config --get core.pager", "git config --unset core.hooksPath", "git config alias.st status", "git -c user.name=x commit -m 'core.pager=x'", "git config --list", "git -c core.quotepath=off ls-files", "git -c core.fsmonitor=false status", "git -c core.pager=cat diff"},
		},
	}
}

// pushes holds for git where it sends commits.
func pushes(c *cmd) bool {
	return sub("push", "send-pack", "http-push")(c) && (!c.Args.Has("dry-run") || c.Args.Has("no-dry-run"))
}

// forced holds for a push that overwrites whatever the remote has.
func forced(c *cmd) bool {
	return c.Args.Has("force", "mirror") || operandBegins("+")(c) || optionIs("c", forcesByConfig)(c)
}

func forcesByConfig(v string) bool {
	name, value, _ := strings.Cut(strings.ToLower(v), "=")
	return strings.HasPrefix(name, "remote.") &&
		(strings.HasSuffix(name, ".push") && strings.HasPrefix(value, "+") || strings.HasSuffix(name, ".mirror") && value != "false")
}

// isDeletion reports whether a refspec has no source.
func isDeletion(v string) bool { return len(v) > 1 && v[0] == ':' }

// wholeTree holds if an operand names everything, or is written as a directory.
var wholeTree = either(operand(is(".", "*", ":", ":/*", "./*", ":(top)", "..")), operand(hasSuffix("/")))

// setsConfig holds for a git config that writes: with a value, or with an
// option or a verb that says so.
func setsConfig(c *cmd) bool {
	if c.Args.Has("get", "get-all", "get-regexp", "get-urlmatch", "unset", "unset-all", "list", "get-color", "get-colorbool", "remove-section") {
		return false
	}
	ops := c.Args.Operands
	if len(ops) == 0 {
		return false
	}
	switch verb := c.Words[ops[0].At]; {
	case verb.Has("get"), verb.Has("list"), verb.Has("unset"), verb.Has("remove-section"):
		return false
	case verb.Has("set"):
		return len(ops) > 2
	}
	return len(ops) > 1
}

func isRemoteKey(v string) bool {
	v = strings.ToLower(v)
	return strings.HasPrefix(v, "remote.") && (strings.HasSuffix(v, "url") || strings.HasSuffix(v, ".push")) ||
		strings.HasPrefix(v, "url.") && strings.HasSuffix(v, "insteadof") || v == "remote.pushdefault" || strings.HasSuffix(v, ".pushremote")
}

// isProgramKey reports whether git runs the value of a configuration variable,
// or takes more configuration from it (git-config(1)).
func isProgramKey(v string) bool {
	v = strings.ToLower(v)
	switch v {
	case "core.hookspath", "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.askpass", "core.gitproxy", "core.attributesfile",
		"diff.external", "sequence.editor", "gpg.program", "credential.helper", "uploadpack.packobjectshook", "init.templatedir", "core.alternaterefscommand",
		"interactive.difffilter", "include.path", "protocol.ext.allow", "core.worktree", "web.browser", "sendemail.smtpserver", "receive.procreceiverefs":
		return true
	}
	for _, prefix := range []string{"alias.", "filter.", "pager.", "includeif.", "difftool.", "mergetool.", "browser.", "man.", "guitool.", "trailer.", "credential.", "tar.", "gpg.", "diff.", "merge.", "remote."} {
		if rest, ok := strings.CutPrefix(v, prefix); ok && isProgramPart(prefix, rest) {
			return true
		}
	}
	return false
}

// isProgramPart says the same for the part of a name behind its section.
func isProgramPart(section, rest string) bool {
	switch section {
	case "pager.", "includeif.":
		return true
	}
	for _, last := range []string{"clean", "smudge", "process", "command", "textconv", "cmd", "path", "driver", "helper", "program", "vcs", "uploadpack", "receivepack"} {
		if strings.HasSuffix(rest, "."+last) || rest == last {
			return true
		}
	}
	return false
}

// setsOnce holds for git -c NAME=VALUE that names a program.
var setsOnce = optionIs("c", func(v string) bool {
	name, value, _ := strings.Cut(v, "=")
	switch {
	case value == "" || value == "false" || value == "cat":
		return false
	case strings.HasPrefix(name, "alias."):
		return value[0] == '!'
	}
	return isProgramKey(name)
})
