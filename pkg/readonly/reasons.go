package readonly

import "strings"

// optionReason says what a well-known option does beside reading, as a clause
// without its subject; "" if nothing is known of it.
func optionReason(program, option string) string {
	name, _, _ := strings.Cut(option, "=")
	for _, r := range optionReasons {
		if (r.programs == "" || strings.Contains(r.programs, " "+program+" ")) && strings.Contains(r.options, " "+name+" ") {
			return r.why
		}
	}
	return ""
}

// lastOperand is what programs do with an operand more than only reading takes.
var lastOperand = map[string]string{
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
