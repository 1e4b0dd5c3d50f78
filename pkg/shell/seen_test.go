package shell

import "testing"

// seen are lines that run rm on /a, or run it unless a variable or a file says
// otherwise: the command must be among those that are read.
var seen = []string{
	// A function or an alias of that name does not hide the program.
	"rm() { :; }; command rm /a",
	"rm() { :; }; exec rm /a",
	"rm() { :; }; env rm /a",
	`rm() { command rm "$@"; }; rm /a`,
	"rm() { :; }; unset -f rm; rm /a",
	"rm() { :; }; unset rm; rm /a",
	"if false; then rm() { :; }; fi; rm /a",
	"false && rm() { :; }; rm /a",
	"for i in; do rm() { :; }; done; rm /a",
	"case x in y) rm() { :; };; esac; rm /a",
	"rm() { :; } | cat; rm /a",
	"rm() { :; } & rm /a",
	"(rm() { :; }); rm /a",
	"{ rm() { :; }; } | cat; rm /a",
	"rm() { :; }; sudo rm /a",
	"rm() { :; }; bash -c 'rm /a'",
	"rm() { :; }; find . -exec rm /a ';'",
	"alias rm=:; rm /a",
	"alias rm=:; unalias rm; rm /a",
	`alias rm=:; \rm /a`,
	"alias rm=: && rm /a",
	"if x; then f() { ls; }; else f() { rm \"$1\"; }; fi; f /a",
	"if x; then f() { rm \"$1\"; }; else f() { ls; }; fi; f /a",

	// A word that may be nothing does not hide what follows it.
	"$x rm /a",
	"${x:+sudo} rm /a",
	"sudo $x rm /a",
	"env $x rm /a",
	"timeout 5 $x rm /a",
	"bash $x -c 'rm /a'",
	`set --; "$@" rm /a`,
	`a=(); "${a[@]}" rm /a`,
	`"${x[@]}" rm /a`,
	`"$@" rm /a`,
	"$(true) rm /a",
	"{,rm} /a",
	"{,} rm /a",
	"x=; $x rm /a",
	"sudo -u$x rm /a",
	"sudo -u$USER rm /a",
	`sudo -u"$x" rm /a`,
	"xargs -I$x rm /a",
	"nice -n$x rm /a",

	// Programs that take a command in more than one way.
	"env - rm /a",
	"env -i - rm /a",
	"eval -- rm /a",
	"bash +x -c 'rm /a'",
	"sh +e -c 'rm /a'",
	"bash -x +v -c 'rm /a'",
	"bash -O extglob -c 'rm /a'",
	"bash +O extglob -c 'rm /a'",
	"bash -c -- 'rm /a'",
	"$SHELL -c 'rm /a'",
	"runuser -u a rm /a",
	"runuser -u a -- rm /a",
	"su a -- -c 'rm /a'",
	"echo 'rm /a' | sudo -s",
	"echo 'rm /a' | sudo -i",
	"sudo -s <<< 'rm /a'",
	"echo 'rm /a' | su",
	"echo 'rm /a' | su -",
	"strace -p 1 rm /a",
	"fd . -x rm /a",
	"fd . -X rm /a",
	"entr -s 'rm /a'",
	"parallel ::: 'rm /a' ls",
	"parallel rm {} ::: /a",
	"parallel 'rm {}' ::: /a",
	"parallel rm ::: /b /a",
	"echo / | xargs -I{} rm {}a",
	"find /a | xargs rm",
	"find /a -exec rm {} +",
	"ssh h -o ProxyCommand='rm /a' true",
	"ssh -o 'ProxyCommand rm /a' h",
	"git -c alias.x='!rm /a' x",
	"git bisect run sh -c 'rm /a'",
	"watch 'rm /a'",
	"script -c 'rm /a'",
	"script -qc 'rm /a' /dev/null",
	"flock /tmp/l -c 'rm /a'",
	"flock -u /tmp/l rm /a",
	"systemd-run rm /a",
	"systemd-run --user --scope rm /a",
	"setarch x86_64 rm /a",
	"linux32 rm /a",
	"prlimit --nofile=1 rm /a",
	"setpriv --reuid 0 rm /a",
	"fakeroot rm /a",
	"unbuffer rm /a",
	"dbus-run-session -- rm /a",
	"hyperfine 'rm /a'",
	"coproc rm /a",
	"coproc C { rm /a; }",
	"coproc rm x=1 /a",
	"time -p rm /a",
	"! rm /a",
	"busybox rm /a",
	"exec -a x rm /a",
	"trap 'rm /a' EXIT",
	"trap 'rm $x' EXIT; x=/a",
	"trap 'rm $x' EXIT; cd /; x=/a; ls",
	`PROMPT_COMMAND='rm /a'`,
	"mapfile -C 'rm /a' -c 1 a < f",

	// Text that is evaluated although a part of it is not known.
	`sh -c "rm /a $x"`,
	`bash -c "$x; rm /a"`,
	`bash -c "rm /a; echo $x"`,
	"bash <<E\nrm /a\nls $x\nE\n",
	`eval "rm /a $x"`,
	`eval rm /a $x`,
	`echo "rm /a $x" | sh`,
	`bash -s /a <<< 'rm "$1"'`,
	`bash -s -- /a <<< 'rm "$1"'`,
	`echo 'rm "$1"' | bash -s /a`,

	// Values that depend on the way taken.
	"x=/a; ls || x=/b; rm $x",
	"x=/b; ls && x=/a; rm $x",
	"x=/b; until ls; do x=/a; done; rm $x",
	"f() { x=/a; }; f; rm $x",
	"f() { local x=/b; }; x=/a; f; rm $x",
	"x=/a; (x=/b); rm $x",
	"x=/a; x=/b | cat; rm $x",
	"x=/a; : $(x=/b); rm $x",
	"x=/a; x=/b ls; rm $x",
	"x=/a; x=/b & rm $x",
	"x=/b; for x in /a; do :; done; rm $x",
	"x=/b; while read x; do rm $x; done <<< /a",
	"x=/a; case $y in b) x=/b;; esac; rm $x",
	"x=(/b /a); rm ${x[1]}",
	"x=(/b /a); rm ${x[-1]}",
	`x=(/b /a); rm "${x[@]:1}"`,
	"set -- /b /a; rm $2",
	"set -- /b /a; shift; rm $1",
	`set -- /b /a; rm "${@:2}"`,
	`ls && set -- rm /a; "$@"`,
	`sh -c 'true && set -- rm /a; "$@"'`,
	`if ls; then x=(rm /a); fi; "${x[@]}"`,
	`f() { for i in 1; do rm {/a,/b}; done; }; f`,
	"find /a -exec rm {} +",
	"find /a | xargs rm",
	"x=/b; x=${x%b}a; rm $x",
	"x=/ab; rm ${x%b}",
	"x=b/a; rm ${x#b}",
	"x=b/a; rm ${x/#b/}",
	"x=/ab; rm ${x/%b/}",
	"x=/A; rm ${x,,}",
	"x=/; rm ${x}a",
	"x=a; rm /$x",
	"x=y; y=/a; rm ${!x}",
	"rm ${x:-/a}",
	`rm "${x:-/a}"`,
	"rm ${x:=/a}",
	"x=; rm ${x:-/a}",
	"x=1; rm ${x:+/a}",
	"IFS=:; x=b:/a; rm $x",
	"IFS=; set -- / a; rm \"$*\"",
	"x=$(echo /a); rm $x",
	"rm $(echo /a)",
	"rm $(printf '%s' /a)",
	"rm `echo /a`",
	"rm {/b,/a}",
	"rm /{b,a}",
	"cd /; rm a",
	"cd / && rm a",
	"cd /b; cd ..; rm a",
	"cd /b/c; rm ../../a",
	"cd / || exit; rm a",
	"pushd /; rm a",
	"cd /; cd /b; cd -; rm a",
	"(cd /; rm a)",
	"cd /nonexistent; cd /; rm ./a",
	"env -C / rm a",
	"x=/; cd $x; rm a",
}

// TestSeen looks for the command in each line.
func TestSeen(t *testing.T) {
	for _, line := range seen {
		l := Read(line, testEnv)
		if l.Problem != nil || !runsOn(l, "rm", "/a") {
			t.Errorf("%s\nreads as %s", line, render(l))
		}
	}
}

// runsOn says whether a command of the line is the program and has the path
// among its operands, as seen from its directory.
func runsOn(l *Line, name, path string) bool {
	for i := range l.Commands {
		c := &l.Commands[i]
		if c.Name != name || c.Function || c.Place&Defined != 0 {
			continue
		}
		for _, w := range c.Words[1:] {
			for _, p := range Paths(c.Dir, w.Set) {
				if p == path {
					return true
				}
			}
		}
	}
	return false
}
