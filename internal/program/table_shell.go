package program

// shellReading is what shells do that only read a script.
var shellReading = &Reading{
	Operands: "data", Check: "shellText", Source: "bash(1) 5.2, dash(1)", Options: shellReads,
	Proved: []string{"bash --version", "bash -n script.sh", "sh -n ./run.sh"},
	Not: []string{"bash -c ls", "bash -c './p'", "bash script.sh", "sh -c \"$X\"", "bash -lc ls", "bash -n +n " +
		"script.sh", "bash", "ls | sh", "bash -n .env", "bash -c 'rm x'"},
}

// builtins are parts of the shells, and the programs that run what they are given.
var builtins = []*Program{
	{Names: "jobs dirs times", Kinds: "times:special",
		Reads: &Reading{Free: true, Source: "bash(1) 5.2", Options: "l p r s n v",
			Proved: []string{"jobs", "jobs -l", "dirs -v"},
			Not:    []string{"jobs -x ls", "dirs -c", "jobs > f"},
		}},
	{Names: "ulimit umask", Kinds: "sums=all umask:quiet",
		NoGrant: "*", Reads: &Reading{Check: "limitShown", Source: "bash(1) 5.2", Options: "a b c d e f i k l m n p " +
			"q r s t u v x S H",
			Proved: []string{"ulimit -n", "ulimit -a", "umask"},
			Not:    []string{"ulimit -n 1024", "ulimit -nunlimited", "umask 022", "ulimit -n > f"},
		}},
	{Names: "read", Kinds: "sets=words sums=all quiet pauses", NoGrant: "*", Style: Stop, Operands: "data*",
		Options: "a= e i= n= N= p= t= u=",
		Reads: &Reading{Check: "readNames", Source: "bash(1) 5.2, dash(1), zshbuiltins(1)", Options: "r s d=",
			Proved: []string{"ls | while read -r f; do wc -l \"$f\"; done", "read x < f", "read -r a b <<< 'x " +
				"y'", "while read f; do echo $f; done < list.txt"},
			Not: []string{"read 'a[$(./p)]'", "read PATH", "read -p x y", "read $X", "read x < .env", "read -a x"},
		}},
	{Names: "printenv", Kinds: "environ=bare path=variables output=path",
		Operands: "data*", Reads: &Reading{Check: "printenvNames", Source: coreutils, Options: "0,null help version",
			Proved: []string{"printenv PATH", "printenv HOME USER", "printenv NODE_ENV"},
			Not:    []string{"printenv", "printenv AWS_SECRET_ACCESS_KEY", "printenv $X", "printenv PATH > f"},
		}},
	{Names: "bash", Variables: "PROMPT_COMMAND! PS0!prompt PS1!prompt PS2!prompt PS4!prompt BASH_ENV!file",
		Tells: tells, Style: Stop, Operands: "exec data*", evaluating: evaluating{Shell: Bourne},
		Startup: Startup{Interactive: ".bashrc", Login: ".bash_profile .bash_login .profile " +
			".bash_logout", LoginIf: "l"},
		Input: RoleText, Options: shellOptions, Reads: shellReading},
	{Names: "sh", Variables: "PS1!prompt PS2!prompt PS4!prompt BASH_ENV!file ENV!file",
		Style: Stop, Operands: "exec data*", evaluating: evaluating{Shell: Bourne}, Startup: bourneFiles,
		Input:   RoleText,
		Options: shellOptions, Reads: shellReading},
	{Names: "timeout", Kinds: "operand=duration limits blind", Style: Stop, Operands: "data payload",
		enclosing: enclosing{Transparent: true},
		Options:   help + "p f",
		Reads: &Reading{Check: "payload", Source: coreutils, Options: "foreground preserve-status k,kill-after= " +
			"s,signal= v,verbose",
			Proved: []string{"timeout 5 ls", "timeout -k 1 5 grep x f", "timeout -s KILL 5 cat f"},
			Not:    []string{"timeout 5 ./p", "timeout $T ls", "timeout 5"},
		}},
	{Names: "nice", Kinds: "blind",
		Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true}, Options: help,
		Reads: &Reading{Check: "payload", Source: coreutils, Options: "n,adjustment= #",
			Proved: []string{"nice ls", "nice -5 wc f", "nice -n 5 wc f"},
			Not:    []string{"nice ./p", "nice -n $X ls", "nice sh"},
		}},
	{Names: "stdbuf", Kinds: "blind", Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true},
		Options: help,
		Reads: &Reading{Check: "payload", Source: coreutils, Options: "i,input= o,output= e,error=",
			Proved: []string{"stdbuf -oL grep x f", "stdbuf -i0 -o0 cat f", "stdbuf --output=L wc f"},
			Not:    []string{"stdbuf -oL sh", "stdbuf -o $X ls", "stdbuf --outp=L ls"},
		}},
	{Names: "command", Kinds: "places?:v,:V blind output=found", NoGrant: "*", Style: Stop, Operands: "payload",
		enclosing: enclosing{Transparent: true, InShell: true},
		Options:   "p", Reads: &Reading{Check: "payload", Source: "bash(1) 5.2, dash(1), " +
			"zshbuiltins(1)", Options: "v~ V~",
			Proved: []string{"command ls", "command -v go", "command -V ls"},
			Not:    []string{"command -p ls", "command ./p", "command -0 -v ls", "command --error=x -V ls"},
		}},
	{Names: "xargs", Kinds: "completes blind output=filter conducts",
		NoGrant: "*", Style: Stop, Operands: "payload", Input: RoleEnv,
		Options: help + "a,arg-file=read E= e,eof? i,replace? l,max-lines? o,open-tty p,interactive " +
			"process-slot-var= max-chars= show-limits J= R=",
		Reads: &Reading{
			Operands: "data", Check: "xargs", Source: "xargs(1) findutils 4.9",
			Options: "0,null d,delimiter= I= n,max-args= L= r,no-run-if-empty t,verbose P,max-procs= s= x,exit",
			Proved: []string{"find . -name x | xargs grep -l y", "ls | xargs -I{} cat {}", "find . -print0 | xargs " +
				"-0 wc -l", "ls | xargs", "ls | xargs awk 'END {print NR}'", "ls | xargs sed -n 1p --"},
			Not: []string{
				"ls | xargs rm", "ls | xargs sed -n p", "ls | xargs -I{} sh -c {}", "ls | xargs ./p", "ls | xargs " +
					"sort", "ls | xargs find", "ls -a | grep env | xargs cat",
				"find . -name .env | xargs cat", "find . | grep env | xargs cat", "xargs -a list cat",
			},
		},
	},
}
