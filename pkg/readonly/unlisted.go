package readonly

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// unlisted proves NAME --version and NAME --help of programs that print and
// leave, whatever directory they run in, and says of others why they are not proved.
func (v *attempt) unlisted(name string, w shell.Word) bool {
	if v.printsOnly(name) {
		return true
	}
	if v.p.Script != nil {
		why, ok := v.p.Script(v.line, v.index)
		if ok {
			return true
		}
		if why != "" && v.p.Reasons {
			v.fail(v.c.Span, why)
			return v.instead(insteadOf()[name])
		}
	}
	if !v.p.Reasons {
		return v.fail(w.Span, NotProved)
	}
	if why := reasonFor(name); why != "" {
		v.failf(w.Span, "%s %s", name, why)
		if t := insteadOf()[name]; t != "" {
			return v.instead(t)
		}
		if program.Has(name, program.IsEngine) || program.Has(name, program.IsCluster) || strings.Contains(declarable, " "+name+" ") {
			return v.instead("declare the forms of it that only read in approvals.readonly_commands")
		}
		return false
	}
	v.failf(w.Span, "%s is not on the list of programs that only read", name)
	return v.instead("policyctl readonly lists those programs; add others with approvals.readonly_commands")
}

// printsOnly reports whether the command is a program with one option, after
// which it prints and leaves.
func (v *attempt) printsOnly(name string) bool {
	if len(v.c.Words) != 2 || len(v.c.Assigns) > 0 {
		return false
	}
	t, ok := v.c.Words[1].Literal()
	if !ok {
		return false
	}
	p := program.Find(name)
	if p == nil || !program.Means(name, v.c.Name) {
		return false
	}
	tells, pure := p.Tell(v.c.Name, t)
	return tells && pure
}

// reasonFor returns what a program does beside reading, as a clause without
// its subject; "" if it is not among those that people expect to be proved.
func reasonFor(name string) string {
	for _, r := range reasons() {
		if strings.Contains(r.names, " "+name+" ") {
			return r.why
		}
	}
	switch p := program.Find(name); {
	case p == nil:
	case program.IsShell(p):
		return "runs a script"
	case program.IsInterpreter(p):
		return "runs a program"
	case p.Connects(""), program.IsCluster(p), p.Context == program.Remote:
		return "talks to other hosts"
	case program.IsEngine(p):
		return "talks to a daemon that can do anything"
	case p.ChangesRights():
		return "runs a program as another user"
	}
	return ""
}

// reasons are why well-known programs are on no list.
var reasons = sync.OnceValue(func() []struct{ names, why string } {
	return []struct{ names, why string }{
		{" systemctl hostnamectl timedatectl loginctl launchctl tmux crontab ", "talks to a daemon, which may change something"},
		{" go ", "records its own usage in a file, and may download the Go release that go.mod names"},
		{" gofmt goimports ", "records its own usage in a file"},
		{" cargo rustc rustup ", "may run a toolchain that the directory names"},
		{" " + program.Names(program.Installs) + " npx mvn gradle ", "writes logs and caches, and may reach the network or run what the project names"},
		{" java javac jps jar ", "starts a virtual machine, which writes to the temporary directory"},
		{" make cmake ninja just pytest tox jest vitest eslint prettier tsc ", "runs what the project's files say"},
		{" top htop ", "creates its settings directory, and is interactive"},
		{" less more most man view vi vim nvim nano emacs watch ", "is interactive, or starts a pager or an editor"},
		{" env printenv export declare typeset set ", "shows or sets the environment, which holds secrets"},
		{" sqlite3 dc ldd ", "can run programs"},
		{" zgrep zless zdiff diff3 sdiff colordiff lsb_release ", "is a wrapper that runs other programs"},
		{" rm rmdir mv cp mkdir touch ln tee dd truncate install chmod chown patch split csplit gzip zip unzip tar ", "writes, moves or removes files"},
		{" kill pkill killall ", "signals processes"},
		{" eval source . exec trap alias hash unset shopt enable history fc bind ", "changes or runs something in the shell"},
		{" git ", "only reads with some verbs"},
	}
})

// insteadOf says what only reads and does nearly the same.
var insteadOf = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"less": "use cat, head or tail", "more": "use cat, head or tail", "most": "use cat, head or tail", "view": "use cat, head or tail",
		"man": "use NAME --help", "top": "use ps aux", "htop": "use ps aux", "zgrep": "use zcat FILE | grep", "zless": "use zcat FILE | head",
		"env": "use printenv NAME", "ldd": "use readelf -d FILE", "npm": "read package.json and package-lock.json, or declare it with approvals.readonly_commands",
		"python": "for JSON use jq", "python3": "for JSON use jq", "diff3": "use diff", "sdiff": "use diff -y", "colordiff": "use diff -u", "tar": "use tar -tf FILE", "unzip": "use unzip -l FILE",
	}
})

// declarable are programs with forms that only read as far as the operator is
// concerned, although they reach a daemon or another host, or write a cache.
const declarable = " gh aws gcloud az helm terraform pnpm yarn pip pip3 uv go gofmt goimports cargo rustc java systemctl brew apt bundle "
