package eval

import (
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

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

	// Text that is evaluated although a part of it is unknown.
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

	// What programs print that only look at names.
	"cd /; rm $(pwd)/a",
	"rm $(cd / && pwd)/a",
	"rm $(cd /; pwd)a",
	"rm $(x=1; cd / && pwd)/a",
	"rm $(dirname /a/b)",
	"rm $(dirname /a/b/)",
	"rm /$(basename /b/a)",
	"rm /$(basename a.go .go)",
	"rm $(realpath /b/../a)",
	"rm $(readlink -f /a)",
	"cd /; rm $(realpath a)",
	"printf -v x /a; rm $x",
	"printf -v x %s/%s '' a; rm $x",
	`mapfile -t x <<< /a; rm "${x[@]}"`,
	`readarray -t x < <(echo /a); rm "${x[0]}"`,
	"mapfile <<< /a; rm $MAPFILE",
	"read <<< /a; rm $REPLY",
	`read -ra x <<< "/a b"; rm "${x[0]}"`,
	`read -r b x <<< "b /a"; rm "$x"`,
	`IFS=: read -r b x <<< "b:/a"; rm "$x"`,
	"rm /@(a|b)",
	"rm /+(a)",
	"rm /?(a)",
	"rm /*(b|a)",
	"readonly x=/a; rm $x",
	"declare -r x=/a; rm $x",
	"declare -- x=/a; rm $x",
	"declare -l x=/a; rm $x",
	`declare -a x=(/a); rm "${x[@]}"`,
	"f() { rm /a; }; export -f f; bash -c f",
	`f() { rm "$1"; }; export -f f; bash -c 'f /a'`,
	`f() { rm "$1"; }; export -f f; echo /a | xargs -I{} bash -c 'f {}'`,
	"x=b:~; HOME=/a; x=b:~; rm ${x#b:}",
	`find /a | while read f; do rm "$f"; done`,
	`find /a -print0 | while IFS= read -r -d '' f; do rm "$f"; done`,
	`while read f; do rm "$f"; done < <(find /a)`,
	"for f in $(find /a); do rm $f; done",
	"rm $(find /a)",
	`find / -exec rm {}a ';'`,

	// Variables whose text a program runs.
	"PAGER='rm /a' git log",
	"GIT_SSH_COMMAND='rm /a' git fetch",
	"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm /a' git log",
	"EDITOR='rm /a' crontab -e",
	"BROWSER='rm /a' gh browse",
	"LESSOPEN='|rm /a' less f",
	"LESSOPEN='||-rm /a' less f",
	"MANPAGER='rm /a' man ls",
	"SUDO_EDITOR='rm /a' sudo -e f",
	"export PAGER='rm /a'; git log",
	"env PAGER='rm /a' git log",
	"sudo PAGER='rm /a' git log",
	"PS4='$(rm /a)' bash -xc ls",
	"BASH_ENV=<(echo 'rm /a') bash -c ls",
	"env BASH_ENV=<(echo 'rm /a') bash -c ls",
	"ENV=<(echo 'rm /a') sh -i",
	"bash --rcfile <(echo 'rm /a') -i",
	"bash --init-file <(echo 'rm /a')",
	"at -f <(echo 'rm /a') now",
	"echo 'rm /a' | at -f /dev/stdin now",
	"echo 'rm /a' | xargs -0 sh -c",
	`echo 'rm /a' | xargs -d '\n' sh -c`,
	"echo 'rm /a' | xargs -I{} sh -c {}",
	`echo '"rm /a"' | xargs sh -c`,
	`printf '%s\0' 'rm /a' | xargs -0 bash -c`,
	`printf '%s\0' x /a | xargs -0 rm`,
	`printf 'rm\0 /a' | sh`,
	"tar xIf 'rm /a' f",
	"tar cfI f 'rm /a' b",
	"zip -TT 'rm /a' b c",
	"zip b c --unzip-command 'rm /a' -T",
	"ssh -o KnownHostsCommand='rm /a' h",
	"capsh -- -c 'rm /a'",
	"xterm -e 'rm /a'",
	"nodemon --exec 'rm /a'",
	"nodemon --exec='rm /a'",
	"start-stop-daemon --start --exec /bin/rm -- /a",
	"start-stop-daemon -S -x rm -u root -- /a",
	"start-stop-daemon --start --startas rm --exec b -- /a",
	"cargo watch -s 'rm /a'",
	"doppler run --command 'rm /a'",
	"mise exec -c 'rm /a'",
	"sops exec-env f 'rm /a'",
	"chroot / rm a",
}

// unseen are lines that do not run rm on /a, or only on some conditions that
// leave most of what is found out.
var unseen = []string{
	"PAGER='rm /a' ls",
	"EDITOR='rm /a' ls",
	"export EDITOR='rm /a'",
	"PAGER='rm /a'",
	"PS1='rm /a' bash -i",
	"bash --rcfile <(echo 'rm /a') -c ls",
	"export PAGER='git log'; git log",
	`find /a | while read f; do if ls "$f"; then rm "$f"; fi; done`,
	`find /a | while read f; do [ -s "$f" ] || rm "$f"; done`,
	`find /a | while read f; do [ -s "$f" ] && continue; rm "$f"; done`,
	`find /a | while read f; do case $f in b) rm "$f";; esac; done`,
	"for f in $(find /a -name b); do rm $f; done",
	"find /a -exec grep -q b {} ';' -print | xargs rm",
	"f() { rm /b; }; bash -c 'f /a'",
	"rm /!(a)",
	"rm $(dirname \"$0\")/a",
}

func TestUnseen(t *testing.T) {
	for _, line := range unseen {
		l := Read(line, testEnv)
		if l.Problem != nil || runsOn(l, "rm", "/a") {
			t.Errorf("%s\nreads as %s", line, render(l))
		}
	}
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

// runsOn reports whether a command of the line is the program and has the path
// among its operands, as seen from its directory.
func runsOn(l *Line, name, path string) bool {
	for i := range l.Commands {
		c := &l.Commands[i]
		if c.Name != name || c.Function || c.Place&command.Defined != 0 {
			continue
		}
		for _, w := range c.Words[1:] {
			for _, p := range shell.Paths(c.Dir, w.Set) {
				if p == path {
					return true
				}
			}
		}
	}
	return false
}
