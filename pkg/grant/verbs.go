package grant

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// sideEffects are words that do nothing but print or set a status. Without a
// path and a redirection they need no grant, and none is stored.
var sideEffects = set("echo printf : true false")

// fileVerbs are programs that touch nothing but what their arguments name:
// the working directory does not matter where there is an operand.
var fileVerbs = set(`cd cp mv ln install mkdir rmdir rm unlink shred touch truncate chmod chown chgrp tee
	ls dir vdir cat tac head tail wc grep egrep fgrep rg find fd fdfind diff cmp sort uniq cut stat du readlink realpath`)

// files are the ones of them whose arguments are never directories.
var files = set("touch tee truncate unlink shred rm")

// never are verbs that run what their arguments or their input say, change the
// shell for the commands after them, or arrange that something runs later. A
// name without sub-command stands for all of them.
var never = set(`eval source . exec builtin command trap alias unalias export declare typeset local readonly set unset shopt setopt
	hash enable complete bind fc history umask ulimit read mapfile readarray getopts select coproc
	env xargs parallel ssh slogin chroot
	java kotlin scala groovy dotnet rscript r octave gnuplot m4 pwsh powershell julia tclsh wish expect guile racket ghci runghc elixir iex erl ts-node tsx swift dart
	npx bunx pnpx uvx pipx vi vim nvim ex ed emacs nano
	awk gawk mawk nawk sed gsed
	crontab at batch systemctl launchctl service
	kubectl oc helm vagrant multipass lxc
	gdb lldb strace ltrace
	script screen unbuffer sem tsp systemd-inhibit direnv nodemon forever pm2 concurrently npm-run-all run-s run-p
	git config|git filter-branch|git filter-repo|git bisect run|git submodule foreach|git hook|git for-each-repo|git maintenance|npm config set|npm exec|npm x
	npm explore|npm edit|yarn exec|yarn node|yarn workspace|yarn workspaces|pnpm exec|opam exec|stack exec|stack runghc|stack ghci|cabal exec
	cabal repl|dune exec|rails runner|rails console|mix run|mix eval|composer exec|composer global|composer run-script
	policyctl`)

// network are verbs that talk to other hosts: whom they talk to, and what
// they send or fetch and then run, is not seen from a directory.
var network = set(`curl wget http https xh aria2c nc ncat netcat socat telnet ftp lftp sftp scp rsync rclone ping dig nslookup host traceroute
	whois nmap mail sendmail mutt msmtp
	gh glab hub aws gcloud gsutil az doctl flyctl fly heroku vercel netlify wrangler firebase supabase terraform tofu pulumi ansible ansible-playbook
	apt apt-get yum dnf apk brew pacman snap zypper port flatpak nix nix-env
	pip pip3 conda mamba micromamba gem twine skopeo oras cosign ngrok cloudflared
	git push|git clone|git ls-remote|git remote update|git remote prune|git remote show|git submodule add|git submodule init|git submodule update
	git send-email|git svn|git p4|git lfs|git archive|git fetch-pack|git send-pack|git request-pull|git daemon|git instaweb|git fetch|git pull
	go get|go install|go mod download|go mod tidy|go mod vendor|go generate
	npm install|npm i|npm add|npm ci|npm clean-install|npm update|npm up|npm upgrade|npm publish|npm unpublish|npm deprecate|npm dist-tag|npm owner
	npm access|npm token|npm adduser|npm login|npm logout|npm dlx|npm create|npm init|npm audit|npm link|npm dedupe|npm team
	pnpm install|pnpm i|pnpm add|pnpm update|pnpm up|pnpm publish|pnpm dlx|pnpm create|pnpm init|pnpm login
	yarn install|yarn add|yarn up|yarn upgrade|yarn publish|yarn dlx|yarn create|yarn init|yarn login
	bun install|bun add|bun update|bun publish|bun create|deno install
	cargo install|cargo add|cargo update|cargo publish|cargo yank|cargo owner|cargo login|cargo search|cargo fetch
	uv sync|uv add|uv lock|uv publish|uv pip|uv tool|uv install|uv download
	poetry install|poetry add|poetry update|poetry lock|poetry publish|pipenv install|pdm add|pdm install|hatch publish
	bundle install|bundle update|bundle add|composer install|composer update|composer require|composer create-project|mix deps.get|mix archive.install
	hg push|hg pull|hg clone|hg incoming|hg outgoing|svn commit|svn ci|svn checkout|svn co|svn update|svn up|svn switch|svn export|svn import
	jj git|opam install|opam update|opam upgrade|cabal install|cabal update|zig fetch|pod install|pod update|stack upgrade`)

// listed are the network verbs that may be stored from a prompt: they talk to
// a remote that the repository has.
var listed = set("git fetch|git pull")

// subbed are programs that the grammar does not know, whose first word is a
// sub-command.
var subbed = set("hg svn jj composer mix opam stack cabal dune zig rails bazel nx turbo flutter pod meson pre-commit jupyter")

// set reads a list of verbs, blanks or bars between them. With a bar a line
// holds verbs of several words.
func set(list string) map[string]bool {
	m := make(map[string]bool)
	for line := range strings.Lines(list) {
		if !strings.Contains(line, "|") {
			for w := range strings.FieldsSeq(line) {
				m[w] = true
			}
			continue
		}
		for v := range strings.SplitSeq(line, "|") {
			m[strings.TrimSpace(v)] = true
		}
	}
	return m
}

// within reports whether a list has a verb, or what the verb begins with.
func within(list map[string]bool, verb string) bool {
	for end := len(verb); end > 0; end = strings.LastIndexByte(verb[:end], ' ') {
		if list[verb[:end]] {
			return true
		}
	}
	return false
}

// verbOf returns the program of a command and its sub-command, "" where these
// are no names.
func verbOf(c *shell.Command) string {
	verb := c.Name
	switch {
	case c.Args.Sub != "":
		verb += " " + c.Args.Sub
	case subbed[c.Name] && len(c.Words) > 1:
		sub, _ := c.Words[1].Literal()
		verb += " " + sub // an option before it makes no verb
	}
	if !isVerb(verb) {
		return ""
	}
	return verb
}

// CheckVerb says why a verb cannot be approved, "" if it can.
func CheckVerb(verb string) string {
	if !isVerb(verb) {
		return "it is no verb: write a program and its sub-command, such as \"git commit\""
	}
	l := shell.Read(verb, shell.Env{})
	if l.Problem != nil || len(l.Commands) != 1 {
		return "it is no plain command"
	}
	c := &l.Commands[0]
	if got := verbOf(c); got != verb {
		return "the verb is " + got + ": what follows is no sub-command"
	}
	return unstorable(c, verb)
}

// unstorable says why a verb is never approved, "" if it may be.
func unstorable(c *shell.Command, verb string) string {
	p := row(c.Name)
	switch {
	case sideEffects[verb]:
		return "it needs no approval where it only prints"
	case p != nil && p.Input != program.RoleData:
		return verb + " is an interpreter: what it runs is not part of the verb"
	case p != nil && (p.InShell || p.Context != program.Local):
		return verb + " runs other commands"
	case within(never, verb), p != nil && (p.Engine || p.ChangesRights()):
		return verb + " runs or arranges what the verb does not show"
	case p != nil && len(p.Subs) > 0 && c.Args.Sub == "":
		return verb + " has sub-commands: name one, such as " + verb + " " + strings.Fields(p.Subs[0].Names)[0]
	case subbed[verb]:
		return verb + " has sub-commands: name one with it"
	}
	return ""
}

// row returns the row of a program, also under a name that ends with
// its version, as php8.2 does.
func row(name string) *program.Program {
	if p := program.Lookup(name); p != nil {
		return p
	}
	return program.Lookup(strings.TrimRight(name, "0123456789.-"))
}
