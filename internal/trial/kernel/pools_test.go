//go:build linux

package kernel_test

import "strings"

// intricate are programs with a language of their own, or with many options;
// they are drawn more often.
const intricate = "sed awk gawk mawk find jq sort rg xargs tree git fdfind xxd uniq file diff"

// compositions are forms of lines; $1 to $3 are lines, DIR is a directory.
var compositions = []string{
	"$1 | $2", "$1 | $2 | $3", "$1 |& $2", "$1; $2", "$1 && $2", "$1 || $2", "cd DIR && $1", "cd DIR; $1 | $2", "$1 2>&1 | $2",
	"if $1; then $2; else $3; fi", "for f in f a.go 'a b.txt'; do $1; done", "for f in *.go; do $1 \"$f\"; done", "for i in 1 2; do $1; break; done",
	"while $1; do $2; break; done", "until $1; do $2; break; done", "case x in x) $1;; *) $2;; esac", "{ $1; $2; }", "( $1; $2 )", "! $1", "time $1",
	"echo \"$($1)\"", "echo `$1`", "X=$($1); echo \"$X\"", "F=f; $1 \"$F\"", "f=./-o; $1 $f", "for f in $($1); do $2 -- \"$f\"; done",
	"diff <($1) <($2)", "cat <($1)", "$1 <<'E'\n-o\n$HOME\nE\n", "$1 <<< -o", "$1 < f | $2", "[[ -n \"$($1)\" ]] && $2", "(( 1 < 2 )) && $1",
	"$1\n$2", "$1 # $2", "$1 >/dev/null 2>&1; $2", "set -euo pipefail; $1", "timeout 1 $1", "nice $1", "command $1", "stdbuf -oL $1", "$1 | xargs $2", "$1 | xargs -n1 $2", "find DIR -maxdepth 1 -exec $1 {} \\;",
	"tac | $1", "cat long | $1", "cat 'x.tar.gz' | $1",
}

var directories = strings.Fields("src sub . .. newer node_modules src/deep /tmp / dirlink nowhere")

var redirections = []string{"2>/dev/null", "2>&1", ">/dev/null", "< f", "< /dev/null", "&>/dev/null", ">>/dev/null", "<<< foo", "2>&-", "0<&-", "< long"}

var counts = []string{"0", "1", "2", "5", "10", "80", "120", "+2", "-1", "1,3", "2-", "1k", "1K", "0x10", "1.5"}

var patterns = []string{"foo", "'a|b'", "'^x'", "'[a-z]+'", "'.*'", "'*.go'", "'src/*'", "x", "'('", "'[[:alpha:]'", "''", "go", "'%G'", "name", "'\\(x\\)\\1'"}

var formats = []string{"'%s'", "'%s %n'", "'%y %p\\n'", "%H", "'%(refname)'", "'{{.ID}}'", "'+%F'", "full-iso", "iso", "default", "'%b%h'", "oneline", "raw", "'%(trailers)'", "json"}

var paths = []string{
	"f", "a", "b", "x", "a.go", "a.txt", "f.json", "data.csv", "README.md", "src", "src/main.go", "sub", ".", "..", "empty", "bin", "long", "latin1", "zero",
	"./-o", "-- -o", "-- --output=x", "-- *", "*.go", "src/*", "./*", "'a b.txt'", "\"it's\"", "link", "dirlink", "dangling", "loop", "missing", "notes.zst", "notes.lz", "notes.Z", "x.tar.gz", "sums", "-",
	"/etc/passwd", "/etc/hosts", "/proc/self/status", "/dev/null", "/dev/fd/0", "/dev/stdin", "$'new\\nline'", "{f,a}", "\"$PWD\"/f", "~/project/f", "./+1",
}

// argumentsByName are the arguments of options of the same name.
var argumentsByName = []struct {
	names  string
	values []string
}{
	{"n lines c bytes w width L m max-count A B C after-context before-context context maxdepth mindepth max-depth d depth skip j threads s f t k key i g l N o abbrev unified U", counts},
	{"format pretty printf c o time-style quoting-style indicator-style output", formats},
	{"e regexp name iname path ipath g glob iglob I P include exclude exclude-dir grep author G S regex iregex lname ignore hide E match refs", patterns},
	{"color colour colors", []string{"always", "never", "auto"}},
	{"f file newer anewer r reference samefile ignore-file exclude-from base-directory relative-to relative-base search-path", paths},
	{"since until after before date d newermt changed-within changed-before", []string{"yesterday", "'2 days ago'", "2020-01-01", "1h", "@0", "'-o'"}},
	{"type t xtype", []string{"f", "d", "l", "go", "x1", "c"}},
	{"sort sortr", []string{"name", "size", "path", "-rss", "none", "month"}},
	{"sort merged contains points-at no-merged", []string{"HEAD", "main", "-committerdate", "v1"}},
	{"S buffer-size block-size parallel", []string{"1", "1b", "10k", "1M"}},
}

// operandsOf are the operands of programs to which not any word is one. What
// stands for $1 is a command.
var operandsOf = map[string][]string{
	"find": {
		".", ". -name '*.go'", "src -type f -print0", ". -maxdepth 1 -ls", ". -printf '%p %s\\n'", ". \\( -name f -o -name a \\) -print", ". -newer f -prune -o -print", ". -exec $1 {} +", ". -name '*.go' -exec $1 {} \\;",
		"src -execdir $1 {} \\;", ". -maxdepth 2 -type f -size -2k -quit", "-- . -name x", "./-o . -name f", ". -name -delete", ". -newermt 2019-01-01 -not -empty", "dirlink/ -follow", ". , -true", ". -path '*/.git' -prune -o -type f -exec grep -l foo {} +",
	},
	"jq":      {".", "'.a'", "'.a | keys'", "'.[] | .x?'", "-r '.a[1].b'", "'tojson | fromjson'", "'@sh \"x \\(.a)\"'", "'now | todate'", "'limit(3; range(9))'", "'$__loc__'", "'getpath([\"a\"])'", "'input_line_number'", "'halt_error'", "'ltrimstr(\"x\")'", "'splits(\"a\")'", "'modulemeta'", "'get_search_list'", "'$__prog_args'", "'error'", "'debug(1)'", "'stderr'", "'@text'", "'ascii'", "'env.X'"},
	"date":    {"", "+%F", "+%s", "'+%Y-%m-%d %H'", "-d yesterday", "010203042026", "+"},
	"timeout": {"1 $1", "0.5 $1", "-k 1 1 $1", "-s KILL 1 $1", "1 timeout 1 $1"},
	"nice":    {"$1", "-n 5 $1", "-5 $1"}, "stdbuf": {"-oL $1", "-o0 -e0 $1", "-i0 $1"}, "command": {"-v ls", "-V ls", "$1", "-- $1"},
	"xargs": {"$1", "-n1 $1", "-I{} $1", "-0 $1", "-r -P2 -n1 $1", "-d, $1", "-t $1", "-L1 grep -l foo", "wc -l", "cat", "ls", "echo", "head -n1", "stat -c %s", "file"},
	"sleep": {"0", "0.1", "0.01s"}, "exit": {"", "0", "1", "$?"}, "return": {"0"}, "break": {""}, "continue": {""},
	"seq": {"3", "1 3", "1 2 9", "-w 1 10", "3 -1 1"}, "set": {"-e", "-u", "-o pipefail", "-euo pipefail"}, "cd": {"src", "..", "-", "", "~", "dirlink", "nowhere"},
	"[": {"-f f ]", "-d src ]", "-n \"$X\" ]", "a = b ]", "1 -gt 0 ]", "! -e x -a -r f ]", "f -nt a ]", "-t 1 ]"}, "test": {"-f f", "-s f", "f -ef link", "-O f", "-t 0", "\"$(ls)\"", "-e -o", "1 -eq 1"},
	"ps": {"aux", "", "-ef", "-p 1", "ax", "-eo pid,cmd", "f"}, "pgrep": {"bash", "-f ls", "-u nobody", "-l .", ""}, "lsof": {"", "f", "-p 1", "-i", "-i :80", "-c ba", "-u nobody", "-d 0", "+D ."},
	"tar": {"tf a.tar", "-tf a.tar f", "-tvf x.tar.gz", "-xOf a.tar f", "-tf a.tar -C src", "--list --file=a.tar"}, "ip": {"addr", "a", "link show", "route", "addr show lo", "-br a", "rule", "neigh", "route get 1.2.3.4"}, "ss": {"-tln", "", "-s", "state listening"},
	"bash": {"-c 'ls'", "-n ./p", "-c \"$1\""}, "sh": {"-c 'cat f'", "-n ./p"}, "openssl x509": {"-in f", "-noout -text -in f"}, "openssl dgst": {"f", "-sha256 f"}, "read": {"x", "-r a b", "-r"}, "printenv": {"PATH", "HOME LANG"}, "top": {"-bn1"},
	"hostname": {""}, "go version": {""}, "go env": {"GOPATH", "GOFLAGS GOPROXY", "GOMOD", "GOVERSION GOTOOLCHAIN", "GOCACHE", "CGO_CFLAGS", "GOTELEMETRY"},
	"type": {"ls", "-a ls", "cd"}, "which": {"ls", "-a git go", "./p", "p"},
	"tr":        {"a b", "-d x", "'[:lower:]' '[:upper:]'", "-s ' '", "-cd 'a-z\\n'"},
	"printf":    {"'%s\\n' a", "'%d' 1", "'%s' \"$X\"", "'%b' 'a\\n'", "'%q' \"it's\"", "'%(%F)T' -1", "-- -v", "'%5s|' a b", "'%*d' 3 1"},
	"git":       {"", "HEAD", "main", "HEAD~1", "HEAD~1 HEAD", "main..HEAD", "main...feature/x", "v1", "-- f", "HEAD -- src", "HEAD:f", "v1^{commit}", ":f", "refs/heads/main", "--all", "f", "src", "-- -o", "nowhere", "stash@{0}", "HEAD@{1}"},
	"git stash": {"list", "list -p", "list --stat", "list HEAD"}, "git config": {"--get user.name", "--get remote.origin.url", "--get --type=path user.name", "--global --get user.name"},
	"git remote": {"", "-v", "get-url origin", "get-url --all origin"}, "git branch": {"", "-a", "-vv", "--list 'f*'", "--contains HEAD", "--merged", "--show-current"}, "git tag": {"", "-l", "-l 'v*'", "-n", "--contains HEAD"},
	"git blame": {"f", "a.go", "-L1,2 f", "HEAD -- f", "-L :x:a.go"}, "git grep": {"foo", "-e foo --and -e x", "foo HEAD", "foo -- src", "-c x", "--no-index foo"}, "git diff": {"", "HEAD", "HEAD~1", "v1 HEAD", "--no-index f a", "--cached", "HEAD~1 -- src", "--no-index f long"},
	"git cat-file": {"-p HEAD", "-t HEAD", "-s HEAD:f", "-e HEAD"}, "git reflog": {"", "show", "show main", "-3", "list"}, "git symbolic-ref": {"HEAD", "--short HEAD"}, "git merge-base": {"main feature/x", "--is-ancestor HEAD~1 HEAD", "--fork-point main"},
}

// sedScripts are whole scripts; others are made of sedTokens.
var sedScripts = []string{"-n '1,3p'", "-n '/foo/p'", "'s/a/b/g'", "-e 1d -e '$d'", "'y/ab/cd/'", "-n '$='", "-E 's/(a)/\\1/'", "'1!G;h;$!d'", "'s#/#_#g'", "-n '/x/,/y/p'", "-n -e '1{p;q}'", "-s -n '$p'", "'1~2d'", "'/x/I,+2d'"}

var sedTokens = strings.Split("p|d|D|h|H|g|G|n|N|P|q|Q 1|x|=|l|l 5|{|}|;|;|\n|!|1|$|,|2,|0~2|,+1|/x/|/[/]/|/[]/]/|\\,x,|/\\//I|s/a/b/|s/x/y/g|s/x/y/p|s/[/]/x/|s,a,b,|s/a/b/2|s/a/\\n/|y/a/b/|s/a/b/w out|w out|W out|e ls|e|s/x/y/e|r f|R f|F|z|#x|#n|a\\|i x|c|:a|b a|t|v| |}p|\\n|s/a/\\\n/|M|I|w|/w out", "|")

var awkTokens = strings.Split(`{|}|print|print $1|print $1, $2|;|;|
|$1|NR|NF|NR==1|NR>1|/x/|/[/]/|/\//|/a"b/|"x"|"a\"b"|"/"|+|-|*|/|%|==|!=|~|!~|&&|,|(|)|[|]|a[$1]|a[$1]++|BEGIN|END|BEGIN{|if|else |for(i in a)|while|length($0)|substr($1,1,2)|gsub(/a/,"b")|toupper($1)|printf "%s\n", $1|>|> "out"|>>"out"|getline|system("ls")|"ls"|#x|\|?|:|!|1| | |exit|next|split($0,a)|delete a|in|return|-v|=1|s+=$1`, "|")

// hostileWords are words of a program that do more than read where they count.
var hostileWords = map[string][]string{
	"sort": {"-oout", "--output=out", "-o", "-T.", "--compress-program=./p", "--files0-from=f"}, "tree": {"-o", "-oout", "--fromfile", "-R"}, "xxd": {"-r", "f out", "-"}, "uniq": {"out", "-", "+1"},
	"find": {"-delete", "-fprint", "-ok", "-fls", "-fprint0 out", "-exec"}, "rg": {"--pre=./p", "--pre", "-z", "--hostname-bin=./p"}, "fdfind": {"-x", "-xls", "-X", "--exec=ls"}, "sed": {"-i", "-iout", "--in-place", "-f", "-fp"},
	"git": {"--output=out", "--output", "--ext-diff", "--textconv", "-O./p", "--open-files-in-pager=./p", "--show-signature", "-D", "-d", "-m"}, "date": {"-s", "--set=now", "-snow", "010203042026"}, "file": {"-C", "-m", "-fp", "-"},
	"hostname": {"-F", "new", "-b"}, "diff": {"--output=out", "-l"}, "awk": {"-i", "inplace", "-fp", "-vx=1", "-o", "-p", "--"}, "gawk": {"-i", "inplace", "-fp", "-l", "-ooutput", "-dout", "-pout", "-D"},
	"xargs": {"-a", "-p", "-o", "-Ish", "sh", "rm"}, "lsof": {"+D", "+m", "-D", "-r", "+r1"}, "ps": {"e", "--frob"}, "go env": {"-w"},
	"tar": {"-x", "-I./p", "--to-command=./p", "--checkpoint-action=exec=./p", "-C", "x", "-c"}, "ip": {"link set lo up", "-force", "-batch f", "netns exec x ls", "monitor"}, "ss": {"-K", "--kill", "-D out", "-E"}, "openssl x509": {"-out out", "-engine ./p", "-signkey f"},
	"gzip": {"-k", "-d", "-S.x", "-f"}, "zstd": {"-o out", "--rm", "-d"}, "dmesg": {"-c", "-C", "-n1", "-w"}, "shuf": {"-o", "-oout"}, "bash": {"./p", "-l", "-i"}, "read": {"PATH", "-u0", "-a"},
	"": {"-o", "--output=out", "-w", "-f", "-x", "+1", "out", "--", "-i", "--files0-from=f", "-"},
}
