package readonly

import (
	"github.com/policyctl/policyctl/internal/eval"
	"strings"
	"testing"
)

// TestReasons shows that a line that is not proved says which word keeps it
// from being, why, and what to write instead.
func TestReasons(t *testing.T) {
	rows := []struct{ why, word, instead, line string }{
		{"edits the file in place", "-i", "", "sed -i s/a/b/ f"},
		{"edits the file in place", "--in-place", "", "sed --in-place s/a/b/ f"},
		{"the script of sed is unknown", "$x", "single quotes", "sed -n $x f"},
		{"the flag w of s writes a file", "'s/a/b/w g'", "", "sed 's/a/b/w g' f"},
		{"sed's command e runs a program", "'1e ls'", "", "sed '1e ls' f"},
		{"a file that the pattern matches may be an option of sed", "*.go", "--", "sed -n 1p *.go"},
		{"-delete of find removes files", "-delete", "", "find . -delete"},
		{"-fprint of find writes a file", "-fprint", "", "find . -fprint x"},
		{"may be an option of find", "$D", "./", "find $D -name x"},
		{"rm writes, moves or removes files", "rm", "", "find . -exec rm {} +"},
		{"the word may name a file", ".env", "", "find . -name .env -exec cat {} +"},
		{"-o of sort writes a file", "-o", "", "sort -o f g"},
		{"may be an option of sort", "*.txt", "./", "sort *.txt"},
		{"-o of tree writes a file", "-o", "", "tree -o f"},
		{"--pre of rg runs a program", "--pre", "", "rg --pre x y"},
		{"may be an option of rg", `"$P"`, "--", `rg "$P" src`},
		{"a path below /home/dev holds", "~", "", "rg x ~"},
		{"-x of fd runs a program", "-x", "", "fd -x ls"},
		{"curl talks to other hosts", "curl", "", "curl -s http://example.com"},
		{"npm writes logs and caches", "npm", "package.json", "npm ls"},
		{"go records its own usage", "go", "approvals.readonly_commands", "go version"},
		{"may run a toolchain that the directory names", "cargo", "approvals.readonly_commands", "cargo --version"},
		{"docker talks to a daemon", "docker", "approvals.readonly_commands", "docker ps"},
		{"may be any program", "./run.sh", "name alone", "./run.sh"},
		{"runs a script that policyctl does not read", "bash x.sh", "bash -n", "bash x.sh"},
		{"-c of bash runs text", "-c", "", "bash -c ls"},
		{"holds secrets", "env", "printenv NAME", "env"},
		{"shows the whole environment", "printenv", "name the variable", "printenv"},
		{"export shows or sets the environment", "export X=1", "", "export X=1"},
		{"the assignment to LC_ALL", "LC_ALL=/tmp/c", "leave it out", "LC_ALL=/tmp/c sort f"},
		{"the assignment to IFS", "IFS=", "leave it out", "IFS= sort f"},
		{"the assignment to PAGER", "PAGER=less", "leave it out", "PAGER=less git log"},
		{"the redirection writes a file", "> f", "/dev/null", "ls > f"},
		{"it runs in the background", "ls", "&", "ls &"},
		{"what xargs appends may be an option of sort", "xargs sort", "--", "ls | xargs sort"},
		{"hidden files", "ls -a", "", "ls -a | xargs cat"},
		{"tee writes", "tee", "", "ls | tee f"},
		{"suggests a secret", "$TOKEN", "", "echo $TOKEN"},
		{"the path is sensitive", ".env", "", "cat .env"},
		{"-f of tail never ends", "-f", "", "tail -f log"},
		{"less is interactive", "less", "cat, head or tail", "less f"},
		{"top creates its settings directory", "top", "ps aux", "top -bn1"},
		{"tar only reads when it lists", "tar xf a.tar", "tar -tf", "tar xf a.tar"},
		{"unzip without -l or -p", "unzip a.zip", "-l", "unzip a.zip"},
		{"without -c replaces the file", "gzip f", "-c", "gzip f"},
		{"git commit is not on the list", "commit", "policyctl readonly git", "git commit -m x"},
		{"the sub-command of git is unknown", "$V", "write it", "git $V"},
		{"-c of git sets configuration", "-c", "", "git -c a.b=c log"},
		{"-s of date sets the clock", "-s", "", "date -s x"},
		{"sets the clock", "0101", "+", "date 0101"},
		{"sets the name of this machine", "x", "", "hostname x"},
		{"-f of hostname queries the resolver", "-f", "", "hostname -f"},
		{"awk's program may write a file", `'{print > "f"}'`, "", `awk '{print > "f"}' g`},
		{"awk's program uses system", `'BEGIN{system("x")}'`, "", `awk 'BEGIN{system("x")}'`},
		{"takes its program from a file", "-f", "", "awk -f p f"},
		{"the filter uses env", "env", "", "jq -n env"},
		{"the filter of jq is unknown", "$F", "single quotes", "jq $F f"},
		{"is the file that it writes", "b", "", "xxd a b"},
		{"is the file that it writes", "b", "", "uniq a b"},
		{"looks at a variable by name", "-v", "", "test -v x"},
		{"the word may expand to several", "$x", "double quotes", "[ $x = y ]"},
		{"the shell's own commands have other names and options", "printf -v x y", "", "printf -v x y"},
		{"dash starts a in the background", "&>/dev/null", "2>&1", "ls &>/dev/null x"},
		{"zsh runs cat or a pager", "< f", "cat", "< f"},
		{"frobnicate is not on the list", "frobnicate", "policyctl readonly", "frobnicate x"},
		{"after a blank, may be an option of sort", "./$X", "double quotes", "sort ./$X"},
		{"after a blank, may be an option of sed", "$f", "double quotes", "for f in src/*.go; do sed -n 1p $f; done"},
		{"may be an option of git", "--format=%h?", "single quotes", "git log --format=%h?"},
		{"the loop sets the variable PATH", "for PATH in .;", "another name", "for PATH in .; do ls; done"},
		{"the variable path changes", "path", "another name", "read path < f"},
		{"zsh evaluates the text in the brackets", "$x", "${x}", "echo $x[i]"},
		{"zsh changes the value", "$f", "${x}", "cat $f:h"},
		{"zsh counts from 1", "x=(a b)", "for", "x=(a b); echo ${x[1]}"},
		{"git stash without a sub-command", "git stash", "policyctl readonly git", "git stash"},
		{"git remote show is not on the list", "show", "policyctl readonly git", "git remote show origin"},
		{"and some may hold secrets", "--list", "", "git config --list"},
		{"only the form of git config that reads one key", "git config user.name x", "git config --get", "git config user.name x"},
		{"with a name, it creates one", "new", "--list", "git branch new"},
		{"the pattern .env names a file", "-g", "", "rg --hidden -g .env x"},
		{"may expand to several operands", "{}", `\;`, "find . -name x -exec uniq {} +"},
		{"takes no argument in BSD sed", "-l", "", "sed -l 5 p f"},
		{"sets the time of the archive", "-lT", "", "unzip -lT a.zip"},
		{"e shows the environment", "ps -auxe", "ps aux", "ps -auxe"},
		{"it never ends", "1", "add a count", "vmstat 1"},
		{"--follow of tail never ends", "--follow=name", "timeout 5", "tail --follow=name log"},
		{"/dev/zero never ends", "/dev/zero", "head", "cat f /dev/zero"},
		{"/dev/tty never ends", "/dev/tty", "timeout 5", "head -1 /dev/tty"},
		{"/dev/zero never ends", "/dev/zero", "head", "tr a b < /dev/zero"},
		{"yes never ends", "yes", "head", "yes | wc -l"},
		{"the sequence never ends", "inf", "head", "seq inf"},
		{"include /sys/kernel/tracing/trace_pipe, which never ends", "/sys", "", "grep -r x /sys"},
		{"the loop around it never ends", "true", "break", "while true; do date; done"},
		{"the braces expand to too many words", "echo {1..1000000000}", "", "echo {1..1000000000}"},
		{"it waits for more than an hour", "2h", "", "sleep 2h"},
		{"awk's program never ends", "'BEGIN{for(;;);}'", "", "awk 'BEGIN{for(;;);}'"},
		{"awk's program is not understood", "'{print 1e1 0x1g}'", "", "awk '{print 1e1 0x1g}'"},
		{"sed's script has a loop that reads no line and may never end", "':a;ba'", "", "sed ':a;ba' f"},
		{"some versions of sed take the first operand as the script", "p", "options before it", "sed p -e p f"},
		{"the filter never ends", "'repeat(.)'", "", "jq 'repeat(.)' f"},
		{"the filter uses load", `'loadstr("f")'`, "", `yq 'loadstr("f")' f.yaml`},
		{"yq's filter is not understood", `'.a # "'`, "", `yq '.a # "' f.yaml`},
		{"read an option after an operand", "-c", "options first", "uniq f -c"},
		{"may end the command that find runs", `"$x"`, "", `find . -exec ls "$x" -l \;`},
		{"takes options from the file after @", "@f", "", "nm -C @f"},
		{"python3 runs a program", "python3", "jq", "python3 -m json.tool f"},
		{"the option --frob of ls is not on its list", "--frob", "policyctl readonly ls", "ls --frob"},
	}
	p := &Prover{Reasons: true, Home: testHome}
	for _, r := range rows {
		l := eval.Read(r.line, eval.Env{Dir: "/home/dev/project", Home: testHome})
		var proof Proof
		for i := range l.Commands {
			if proof = p.Prove(l, i); !proof.Proved {
				break
			}
		}
		word := r.line[proof.Span.From:proof.Span.To]
		if proof.Proved || !strings.Contains(proof.Why, r.why) || word != r.word || !strings.Contains(proof.Instead, r.instead) {
			t.Errorf("%q: %q at %q, instead %q; want %q at %q, instead %q", r.line, proof.Why, word, proof.Instead, r.why, r.word, r.instead)
		}
	}
}
