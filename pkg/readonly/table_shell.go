package readonly

// shellEntries are builtins of the shell, and wrappers, of which what they run
// is a command of its own.
var shellEntries = []*Entry{
	{
		Names: "jobs dirs times", Free: true, Operands: "none", Source: "bash(1) 5.2", Options: "l p r s n v",
		Proved: []string{"jobs", "jobs -l", "dirs -v"}, Not: []string{"jobs -x ls", "dirs -c", "jobs > f"},
	},
	{
		Names: "ulimit umask", Operands: "none", Source: "bash(1) 5.2", check: limitShown, Options: "a b c d e f i k l m n p q r s t u v x S H",
		Proved: []string{"ulimit -n", "ulimit -a", "umask"}, Not: []string{"ulimit -n 1024", "ulimit -nunlimited", "umask 022", "ulimit -n > f"},
	},
	{
		Names: "read", Operands: "data", Source: "bash(1) 5.2, dash(1), zshbuiltins(1)", check: readNames, Options: "r s d=",
		Proved: []string{"ls | while read -r f; do wc -l \"$f\"; done", "read x < f", "read -r a b <<< 'x y'", "while read f; do echo $f; done < list.txt"},
		Not:    []string{"read 'a[$(./p)]'", "read PATH", "read -p x y", "read $X", "read x < .env", "read -a x"},
	},
	{
		Names: "printenv", Operands: "data", Source: coreutils, Options: "0,null help version", check: printenvNames,
		Proved: []string{"printenv PATH", "printenv HOME USER", "printenv NODE_ENV"}, Not: []string{"printenv", "printenv AWS_SECRET_ACCESS_KEY", "printenv $X", "printenv PATH > f"},
	},
	{
		Names: "bash sh", Stop: true, Operands: "data", Source: "bash(1) 5.2, dash(1)", Options: "n version help", check: shellText,
		Proved: []string{"bash --version", "bash -n script.sh", "sh -n ./run.sh"},
		Not:    []string{"bash -c ls", "bash -c './p'", "bash script.sh", "sh -c \"$X\"", "bash -lc ls", "bash -n +n script.sh", "bash", "ls | sh", "bash -n .env", "bash -c 'rm x'"},
	},
	{
		Names: "timeout", Operands: "data", Source: coreutils, Options: "foreground preserve-status k,kill-after= s,signal= v,verbose", check: payload,
		Proved: []string{"timeout 5 ls", "timeout -k 1 5 grep x f", "timeout -s KILL 5 cat f"}, Not: []string{"timeout 5 ./p", "timeout $T ls", "timeout 5"},
	},
	{
		Names: "nice stdbuf", Operands: "data", Source: coreutils, Options: "n,adjustment= i,input= o,output= e,error= #", check: payload,
		Proved: []string{"nice ls", "stdbuf -oL grep x f", "nice -n 5 wc f"}, Not: []string{"nice ./p", "nice -n $X ls", "stdbuf -oL sh"},
	},
	{
		Names: "command", Operands: "data", Source: "bash(1) 5.2, dash(1), zshbuiltins(1)", Options: "v V", check: payload,
		Proved: []string{"command ls", "command -v go", "command -V ls"}, Not: []string{"command -p ls", "command ./p", "command -0 -v ls", "command --error=x -V ls"},
	},
	{
		Names: "xargs", Operands: "data", Source: "xargs(1) findutils 4.9", check: xargs,
		Options: "0,null d,delimiter= I= n,max-args= L= r,no-run-if-empty t,verbose P,max-procs= s= x,exit",
		Proved:  []string{"find . -name x | xargs grep -l y", "ls | xargs -I{} cat {}", "find . -print0 | xargs -0 wc -l", "ls | xargs", "ls | xargs awk 'END {print NR}'", "ls | xargs sed -n 1p --"},
		Not: []string{
			"ls | xargs rm", "ls | xargs sed -n p", "ls | xargs -I{} sh -c {}", "ls | xargs ./p", "ls | xargs sort", "ls | xargs find", "ls -a | grep env | xargs cat",
			"find . -name .env | xargs cat", "find . | grep env | xargs cat", "xargs -a list cat",
		},
	},
}
