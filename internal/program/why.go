package program

import (
	"strings"
	"sync"
)

// WhyOption says what a well-known option does beside reading, as a clause
// without its subject; "" if nothing is known of it.
func WhyOption(program, option string) string {
	name, _, _ := strings.Cut(option, "=")
	for _, r := range optionReasons {
		if (r.programs == "" || strings.Contains(r.programs, " "+program+" ")) && strings.Contains(r.options, " "+name+" ") {
			return r.why
		}
	}
	return ""
}

// WhyOperand says what a program does with an operand more than only reading takes; "" if
// nothing is known of that.
func WhyOperand(program string) string { return lastOperands[program] }

var lastOperands = map[string]string{
	"uniq": "is the file that it writes", "xxd": "is the file that it writes", "hostname": "sets the name of this machine", "ifconfig": "changes the interface",
	"ulimit": "sets the limit", "umask": "sets the mask", "stty": "changes the terminal",
}

// optionReasons are the options that people most often wonder about.
var optionReasons = []struct{ programs, options, why string }{
	{" sed gsed ", " -i --in-place -I ", "edits the file in place"},
	{" sed gsed awk gawk mawk nawk jq yq ", " -f --file --from-file ", "takes its program from a file, which policyctl does not read"},
	{" yq ", " -i --inplace ", "edits the file in place"},
	{" yq ", " -s --split-exp ", "writes files"},
	{" sort shuf tree ", " -o --output ", "writes a file"},
	{" sort ", " -T -S -m --temporary-directory --buffer-size --merge ", "writes temporary files"},
	{" sort ", " --compress-program ", "runs a program"},
	{" find ", " -delete ", "removes files"},
	{" find ", " -execdir -ok -okdir ", "runs a command in another directory, or asks first"},
	{" find ", " -fprint -fprint0 -fprintf -fls ", "writes a file"},
	{" rg ", " --pre --hostname-bin -z --search-zip ", "runs a program"},
	{" fd fdfind ", " -x -X --exec --exec-batch -l --list-details ", "runs a program"},
	{" git ", " -c --config-env ", "sets configuration, which may name programs"},
	{" git ", " -p --paginate ", "runs a pager"},
	{" git ", " --ext-diff --textconv --show-signature -O --open-files-in-pager --exec-path ", "runs a program"},
	{" git ", " --output ", "writes a file"},
	{" git ", " --git-dir --work-tree ", "uses another repository, whose configuration is unknown"},
	{" git ", " --list -l ", "prints every key, and some may hold secrets"},
	{" sed gsed ", " -l --line-length ", "takes no argument in BSD sed, which reads the next word as the script"},
	{" unzip ", " -T ", "sets the time of the archive"},
	{" git ", " -d -D -m -M -f --delete --move --force --edit-description --set-upstream-to ", "changes the repository"},
	{" date ", " -s --set ", "sets the clock"},
	{" date ", " -f --file ", "reads a file"},
	{" xxd ", " -r -revert ", "writes a file"},
	{" hostname ", " -f -i -d --fqdn --long --domain --ip-address ", "queries the resolver"},
	{" file ", " -z -Z --uncompress -C -m ", "runs a program, or compiles a file"},
	{" ss ", " -K --kill ", "closes connections"},
	{" tar bsdtar gtar ", " -c -r -u -A --create --append --update --delete ", "writes an archive"},
	{" tar bsdtar gtar ", " -I --to-command --checkpoint-action --use-compress-program ", "runs a program"},
	{" bash sh ", " -c -s ", "runs text as a script"},
	{" bash sh ", " -l -i --login ", "runs the user's start-up files"},
	{" wc du sort ", " --files0-from ", "takes its operands from a file"},
	{" xargs ", " -a --arg-file -p -o ", "reads a file, or asks a person"},
	{" printf ", " -v ", "assigns a variable"},
	{" lsof ", " -r -D ", "repeats forever, or writes a cache"},
	{" unzip ", " -o -d -u -f -j ", "writes files"},
	{" gzip gunzip bzip2 xz zstd ", " -o -r --rm ", "writes or removes files"},
	{" ip ", " -batch -b -n -netns ", "takes commands from a file, or works in another network namespace"},
	{" dmesg ", " -C -c -n ", "changes the kernel's messages"},
	{" openssl ", " -out -engine -passin ", "writes a file, or loads code"},
}

// Why returns what a program does beside reading, as a clause without
// its subject; "" if it is not among those that people expect to be proved.
func Why(name string) string {
	for _, r := range reasons() {
		if strings.Contains(r.names, " "+name+" ") {
			return r.why
		}
	}
	switch p := Find(name); {
	case p == nil:
	case IsShell(p):
		return "runs a script"
	case IsInterpreter(p):
		return "runs a program"
	case p.Connects(""), IsCluster(p), p.Context == Remote:
		return "talks to other hosts"
	case IsEngine(p):
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
		{" " + Names(Installs) + " npx mvn gradle ", "writes logs and caches, and may reach the network or run what the project names"},
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

// Instead says what only reads and does nearly the same as a program, "" if nothing does.
func Instead(name string) string { return insteadOf()[name] }

var insteadOf = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"less": "use cat, head or tail", "more": "use cat, head or tail", "most": "use cat, head or tail", "view": "use cat, head or tail",
		"man": "use NAME --help", "top": "use ps aux", "htop": "use ps aux", "zgrep": "use zcat FILE | grep", "zless": "use zcat FILE | head",
		"env": "use printenv NAME", "ldd": "use readelf -d FILE", "npm": "read package.json and package-lock.json, or declare it with approvals.readonly_commands",
		"python": "for JSON use jq", "python3": "for JSON use jq", "diff3": "use diff", "sdiff": "use diff -y", "colordiff": "use diff -u", "tar": "use tar -tf FILE", "unzip": "use unzip -l FILE",
	}
})

// Declarable reports whether a program has forms that only read as far as the operator is
// concerned, although it reaches a daemon or another host, or writes a cache.
func Declarable(name string) bool {
	return Has(name, IsEngine) || Has(name, IsCluster) || strings.Contains(declarable, " "+name+" ")
}

const declarable = " gh aws gcloud az helm terraform pnpm yarn pip pip3 uv go gofmt goimports cargo rustc java systemctl brew apt bundle "
