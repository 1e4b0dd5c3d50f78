package eval

import (
	"testing"
)

// itself are connections to this machine: what runs there finds its home.
var itself = []row{
	{"ssh localhost 'ls ~'; ^ls {/home/dev|?} @{/home/dev|?} remote", "ssh localhost 'ls ~'"},
	{"ssh root@127.0.0.1 'ls ~; pwd'; ^ls {/root|?} @{/root|?} remote; ^pwd @{/root|?} remote", "ssh root@127.0.0.1 'ls ~; pwd'"},
	{"ssh -p 22 bob@localhost 'ls ~'; ^ls {/home/bob|?} @{/home/bob|?} remote", "ssh -p 22 bob@localhost 'ls ~'"},
	{"ssh -o HostName=::1 h 'ls ~'; ^ls {/home/dev|?} @{/home/dev|?} remote", "ssh -o HostName=::1 h 'ls ~'"},
	{"ssh ssh://localhost:22 'ls ~'; ^ls {/home/dev|?} @{/home/dev|?} remote", "ssh ssh://localhost:22 'ls ~'"},
	{"ssh -p 2222 localhost 'ls ~'; ^ls ? remote", "ssh -p 2222 localhost 'ls ~'"},
	{"ssh ssh://localhost:2222 'ls ~'; ^ls ? remote", "ssh ssh://localhost:2222 'ls ~'"},
	{"ssh -o HostName=10.0.0.1 localhost 'ls ~'; ^ls ? remote", "ssh -o HostName=10.0.0.1 localhost 'ls ~'"},
	{"ssh -o ProxyJump=b localhost 'ls ~'; ^ls ? remote", "ssh -o ProxyJump=b localhost 'ls ~'"},
	{"pdsh -w localhost ls -l; ^ls -l @{/home/dev|?} remote", "pdsh -w localhost ls -l"},
	{"clush -c -w h f", "clush -c -w h f"},
	{"fab -H h -- 'ls -l'; ^ls -l remote", "fab -H h -- 'ls -l'"},
	{"fab -H h deploy", "fab -H h deploy"},
}

func TestItself(t *testing.T) { testRows(t, itself) }

// renamed are programs under names that the line gives them.
var renamed = []row{
	{"cp /bin/ls z; ./z -l; ^~/bin/ls -l", "cp /bin/ls z; ./z -l"},
	{"ln -s /bin/ls z; z", "ln -s /bin/ls z; z"},
	{"ln -s /bin/ls /usr/local/bin/z; z; ^~/bin/ls", "ln -s /bin/ls /usr/local/bin/z; z"},
	{"cp /bin/ls z; mv z y; ./y; ^~/bin/ls", "cp /bin/ls z; mv z y; ./y"},
	{"cp -t d /bin/ls /bin/rm; d/ls; ^~/bin/ls", "cp -t d /bin/ls /bin/rm; d/ls"},
	{"cp ls z; ./z", "cp ls z; ./z"},
	{"BASH_CMDS=? !doubt; z() -l; ^/bin/ls -l; ^~z -l", "BASH_CMDS[z]=/bin/ls; z -l"},
}

func TestRenamed(t *testing.T) { testRows(t, renamed) }

// grouped are groups of commands whose output another command reads.
var grouped = []row{
	{"echo ls; echo pwd; sh !opaque; ^ls; ^pwd", "{ echo ls; echo pwd; } | sh"},
	{">x; echo ls; sh x; ^ls", "(echo ls) > x; sh x"},
	{">x; date; echo ls; sh x", "{ date; echo ls; } > x; sh x"},
	{"cd /; ls @/; xargs rm; ^rm ?+", "(cd / && ls) | xargs rm"},
	{"find .; xargs rm; ^rm ?+", "(find .) | xargs rm"},
	{"f={/tmp/tmp.unnamed-1|?}; mktemp; echo ls >{/tmp/tmp.unnamed-1|?}; sh {/tmp/tmp.unnamed-1|?}+ !opaque; ^ls", "f=$(mktemp); echo ls > $f; sh $f"},
	{"f={/tmp/tmp.unnamed-1|?}; mktemp; g={/tmp/tmp.unnamed-3|?}; mktemp; echo ls >{/tmp/tmp.unnamed-1|?}; sh {/tmp/tmp.unnamed-3|?}+ !opaque", "f=$(mktemp); g=$(mktemp); echo ls > $f; sh $g"},
	{"echo ls >x.sh; [for *.sh]; sh {*.sh|?} !opaque; ^ls", "echo ls > x.sh; for f in *.sh; do sh $f; done"},
	{"echo ls >x; find . -name x -exec sh {} ';'; ^sh {./x|?} !opaque; ^^ls", "echo ls > x; find . -name x -exec sh {} ';'"},
}

func TestGrouped(t *testing.T) { testRows(t, grouped) }

// startingUp are files of the line that a program runs as it starts.
var startingUp = []row{
	{"echo ls >/home/dev/.bashrc; bash -ic pwd !opaque; ^pwd; ^ls", "echo ls > ~/.bashrc; bash -ic pwd"},
	{"echo ls >/home/dev/.bashrc; bash -c pwd; ^pwd", "echo ls > ~/.bashrc; bash -c pwd"},
	{"echo ls >/home/dev/.zshenv; zsh -c pwd !opaque; ^pwd; ^ls", "echo ls > ~/.zshenv; zsh -c pwd"},
	{"echo ls >.git/hooks/pre-commit; git commit -m x !opaque; ^ls", "echo ls > .git/hooks/pre-commit; git commit -m x"},
	{"echo ls >.git/hooks/pre-commit; git log", "echo ls > .git/hooks/pre-commit; git log"},
	{"echo ls >.git/hooks/pre-commit.sample; git commit -m x", "echo ls > .git/hooks/pre-commit.sample; git commit -m x"},
}

func TestStartingUp(t *testing.T) { testRows(t, startingUp) }

// told is what programs print that tells of the machine or is a literal.
var told = []row{
	{"ls {/home/dev|?}; getent passwd {dev|?}; cut -d: -f6", `ls "$(getent passwd "$USER" | cut -d: -f6)"`},
	{"ls {/home/dev|?}; sh -c 'echo ~'; ^echo /home/dev", `ls "$(sh -c 'echo ~')"`},
	{"ls {/home/dev|/home/?}+; logname", "ls /home/$(logname)"},
	{`ls {/home/dev|?}; python3 -c 'import os; print(os.path.expanduser("~"))'`, `ls "$(python3 -c 'import os; print(os.path.expanduser("~"))')"`},
	{"ls ?; python3 -c 'print(1 + 1)'", `ls "$(python3 -c 'print(1 + 1)')"`},
	{`jq -nr "ls"; sh !opaque; ^ls`, `jq -nr '"ls"' | sh`},
	{"ls {/dev/sda1|?}; df /; awk 'NR==2 {print $1}'", `ls "$(df / | awk 'NR==2 {print $1}')"`},
	{"du -d1 /; cut -f2; xargs rm; ^rm {/|?}", "du -d1 / | cut -f2 | xargs rm"},
	{"du -d1 /; cut -f1; xargs rm; ^rm ?+", "du -d1 / | cut -f1 | xargs rm"},
	{"x=$HOME; ls {/home/dev|?} !opaque", `x='$HOME'; ls "${x@P}"`},
	{"x=/a/b; ls {/a|?}", `x=/a/b; ls "${x%"/b"}"`},
	{"[for *.x]; ls {*.x|?} ?", `for f in *.x; do ls "${f%.x}" "${f##*/}"; done`},
}

func TestTold(t *testing.T) { testRows(t, told) }

// TestRestarts reads scripts that start themselves, and some that may stop.
func TestRestarts(t *testing.T) {
	for line, want := range map[string]bool{
		"echo '$0 &' > x; sh x":                              true,
		"echo '$0 & $0 &' > x; chmod +x x; ./x":              true,
		"printf '#!/bin/sh\\n./x | ./x &\\n' > x; ./x":       true,
		"echo 'bash $0 &' > x; bash x":                       true,
		"echo '$0 --child &' > x; sh x":                      false,
		"echo 'if [ $1 ]; then $0 & fi' > x; sh x":           false,
		"echo 'exit; $0 &' > x; sh x":                        false,
		"echo './y &' > x; ./x":                              false,
		"echo '$0 &' > x; cat x":                             false,
		"echo 'sleep 1; $0 &' > x; sh x":                     false,
		"echo '[ -f y ] && $0 &' > x; sh x":                  false,
		"echo '$0' > x; sh x":                                false,
		"echo 'f() { $0 & }' > x; sh x":                      false,
		"ssh h \"echo '\\$0 &' > x; sh x\"":                  false,
		"echo '$0 & $0 &' > x; find . -name x -exec sh {} +": false,
	} {
		if got := len(Read(line, testEnv).Spawns) > 0; got != want {
			t.Errorf("%s: spawns is %v, want %v", line, got, want)
		}
	}
}
