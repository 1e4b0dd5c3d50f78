package eval

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// wrappers are the spellings of commands that run what follows them. Each is
// read with "ls -l /a" after it.
var wrappers = []string{
	"sudo", "sudo -n", "sudo -u a", "sudo -ua", "sudo --user a", "sudo --user=a", "sudo --us=a", "sudo -nu a", "sudo -nua",
	"sudo --", "sudo -u a --", "sudo -E -H", "sudo -EH", "sudo -g g", "sudo --group=g", "sudo -p x", "sudo -p ''", "sudo --prompt=x",
	"sudo -h host", "sudo --host=host", "sudo -C 3", "sudo --close-from=3", "sudo -D /w", "sudo -D/w", "sudo --chdir=/w", "sudo -T 5",
	"sudo --command-timeout=5", "sudo -r r", "sudo -t t", "sudo -R /w", "sudo -U a", "sudo A=1", "sudo A=1 B=2", "sudo -u a A=1",
	"sudo -S", "sudo -kS", "sudo --stdin", "sudo -b", "sudo -i", "sudo -s", "sudo --login", "sudo --preserve-env", "sudo --preserve-env=PATH", "sudo -A", "sudo -k", "sudo -P", "sudo -B", "sudo -N",
	"doas", "doas -u a", "doas -ua", "doas -n", "doas -nu a", "doas -C /f", "doas -a s", "doas --", "doas -L",
	"pkexec", "pkexec --user a", "pkexec --disable-internal-agent", "pkexec --keep-cwd",
	"env", "env -", "env -i", "env --ignore-environment", "env A=1", "env A=1 B=2", "env -u A", "env -uA", "env --unset=A", "env --unset A",
	"env --uns A", "env -iu A", "env -iuA", "env -C /w", "env -C/w", "env --chdir=/w", "env --chdir /w", "env -i A=1", "env --", "env -- A=1",
	"env -0", "env -v", "env --debug", "env --block-signal", "env --block-signal=PIPE", "env --ignore-signal=INT", "env --default-signal",
	"env -u A B=1", "env -u A -u B C=1", "/usr/bin/env", "/usr/bin/env A=1",
	"nohup", "nohup --",
	"nice", "nice -n 5", "nice -n5", "nice -n -5", "nice --adjustment=5", "nice --adjustment 5", "nice --adj=5", "nice -5", "nice --5", "nice -19", "nice --",
	"ionice", "ionice -c 2", "ionice -c2", "ionice -c2 -n7", "ionice --class 2", "ionice --class=2", "ionice -n 7", "ionice --classdata=7", "ionice -t", "ionice -tc 3", "ionice --",
	"timeout 5", "timeout 5s", "timeout -s KILL 5", "timeout -sKILL 5", "timeout --signal=KILL 5", "timeout --signal KILL 5", "timeout --sig KILL 5",
	"timeout -k 3 5", "timeout -k3 5", "timeout --kill-after=3 5", "timeout --kill-after 3 5", "timeout --foreground 5", "timeout --preserve-status 5",
	"timeout --fore 5", "timeout -v 5", "timeout -vk 3 5", "timeout -- 5", "timeout -k 3 -- 5", "timeout -s 9 -k 1 5",
	"command time", "/usr/bin/time", "/usr/bin/time -p", "/usr/bin/time -v", "/usr/bin/time -f %e", "/usr/bin/time -f%e", "/usr/bin/time --format=%e",
	"/usr/bin/time --format %e", "/usr/bin/time -o f", "/usr/bin/time --output=f", "/usr/bin/time -ao f", "/usr/bin/time -q --",
	"stdbuf -o0", "stdbuf -o 0", "stdbuf -oL", "stdbuf --output=L", "stdbuf --output L", "stdbuf -i0 -o0 -e0", "stdbuf -i 0 -e 0", "stdbuf --inp=0", "stdbuf -oL --",
	"setsid", "setsid -w", "setsid -f", "setsid -cf", "setsid --wait", "setsid --ctty", "setsid --fork", "setsid --",
	"chrt 5", "chrt -f 5", "chrt --fifo 5", "chrt -r 5", "chrt -b 0", "chrt -i 0", "chrt -o 0", "chrt -d -T 1 -P 2 -D 3 0", "chrt -T1 -d 0", "chrt --sched-runtime 1 -d 0", "chrt --sched-period=1 -d 0", "chrt -vR -f 5", "chrt -- 5",
	"taskset 1", "taskset -c 0", "taskset -c 0,1", "taskset --cpu-list 0", "taskset -ac 0", "taskset 0x3", "taskset -- 1",
	"numactl -N 0", "numactl -N0", "numactl --cpunodebind=0", "numactl --cpunodebind 0", "numactl -m 0", "numactl --membind=0", "numactl -i all", "numactl --interleave=all", "numactl -C 0-3", "numactl --physcpubind=0", "numactl -l", "numactl --localalloc", "numactl -p 0", "numactl --preferred=0", "numactl -N 0 -m 0 --",
	"unshare", "unshare -r", "unshare -m", "unshare -n", "unshare -rmn", "unshare --mount", "unshare --net=/f", "unshare -f -p", "unshare --fork --pid", "unshare --map-root-user", "unshare -R /", "unshare --root=/", "unshare -w /w", "unshare --wd=/w", "unshare -S 0", "unshare -G 0", "unshare --setuid 0", "unshare --",
	"unshare --propagation private", "unshare --setgroups deny", "unshare --map-user 0", "unshare --map-group 0", "unshare --mount-proc", "unshare --kill-child", "unshare -c", "unshare --map-users 0,0,1", "unshare --map-groups 0,0,1", "unshare --boottime 1", "unshare --monotonic 1", "unshare -l /f",
	"nsenter -t 1", "nsenter -t1", "nsenter --target 1", "nsenter --target=1", "nsenter -t 1 -m -u -i -n -p", "nsenter -t 1 -a", "nsenter -at 1", "nsenter --mount=/proc/1/ns/mnt", "nsenter -m/proc/1/ns/mnt", "nsenter -t 1 -r", "nsenter -t 1 -w", "nsenter -t 1 -S 0 -G 0", "nsenter -t 1 -F", "nsenter -t 1 -Z", "nsenter -t 1 -e", "nsenter -t 1 -W /w", "nsenter -t 1 --wdns=/w", "nsenter -t 1 --",
	"chroot /", "chroot /x", "chroot --userspec=a:b /x", "chroot --userspec a:b /x", "chroot --groups=g /x", "chroot --groups g /x", "chroot --skip-chdir /", "chroot -- /x",
	"strace", "strace -f", "strace -e trace=open", "strace -etrace=open", "strace -o f", "strace -of", "strace -fo f", "strace -s 99", "strace -fs99", "strace -u a", "strace -E A=1", "strace -P /x", "strace -p 1", "strace -c", "strace -C", "strace -S time", "strace -a 40", "strace -b execve", "strace -I 1", "strace -O 1", "strace -X raw", "strace -U name", "strace -yy", "strace -k", "strace -D", "strace -DD", "strace --trace=open", "strace --output f", "strace --output=f", "strace --string-limit=9", "strace --string-limit 9", "strace --follow-forks", "strace --env A=1", "strace --user a", "strace -n", "strace -z", "strace -Z", "strace --",
	"ltrace", "ltrace -f", "ltrace -e malloc", "ltrace -o f", "ltrace -s 9", "ltrace -n 2", "ltrace -l libc", "ltrace -x main", "ltrace -A 3", "ltrace -D 77", "ltrace -F f", "ltrace -w 3", "ltrace -u a",
	"command", "command -p", "command --", "builtin", "builtin --", "exec", "exec -a x", "exec -ax", "exec -c", "exec -cl", "exec -cla x", "exec -l -a x", "exec --",
	"xargs", "xargs -0", "xargs --null", "xargs -n 1", "xargs -n1", "xargs --max-args 1", "xargs --max-args=1", "xargs --max-a=1", "xargs -P 4", "xargs -P4", "xargs --max-procs=4", "xargs -0n1", "xargs -0n 1",
	"xargs -L 1", "xargs -L1", "xargs -l", "xargs -l1", "xargs --max-lines", "xargs --max-lines=1", "xargs -a f", "xargs -af", "xargs --arg-file=f", "xargs --arg-file f", "xargs -d x", "xargs -dx", `xargs -d '\n'`, "xargs --delimiter=x", "xargs --delimiter x",
	"xargs -E x", "xargs -Ex", "xargs -e", "xargs -ex", "xargs --eof", "xargs --eof=x", "xargs -i", "xargs -ix", "xargs --replace", "xargs --replace=x", "xargs -I x", "xargs -Ix", "xargs -r", "xargs -rt", "xargs --no-run-if-empty", "xargs -s 99", "xargs --max-chars=99", "xargs -x", "xargs -p", "xargs -o", "xargs --process-slot-var=x", "xargs --process-slot-var x", "xargs --show-limits", "xargs -t --", "xargs --verbose",
	"watch -x", "flock /f", "flock -n /f", "flock -w 5 /f", "flock -w5 /f", "flock --wait 5 /f", "flock --wait=5 /f", "flock --timeout 5 /f", "flock -E 1 /f", "flock --conflict-exit-code 1 /f", "flock -xn /f", "flock -s /f", "flock -o /f", "flock -F /f", "flock --nonblock --close /f", "flock --verbose /f", "flock -- /f",
	"busybox", "toybox", "busybox env", "caffeinate", "caffeinate -i", "caffeinate -dims", "caffeinate -t 5", "caffeinate -t5", "caffeinate -w 1",
	"entr", "entr -r", "entr -c", "entr -cdr", "entr -n", "entr -p", "entr -z",
	"kubectl exec p --", "kubectl exec -it p --", "kubectl exec p -c c --", "kubectl exec -n n p --", "kubectl -n n exec p --", "kubectl --namespace=n exec -i -t p -c c --", "kubectl --context c exec p --", "oc exec p --", "kubectl run x --image=i --", "kubectl run x --image i -it --rm --command --", "kubectl debug p --image i --",
	"docker exec c", "docker exec -it c", "docker exec -i -t c", "docker exec -u root c", "docker exec --user root c", "docker exec --user=root c", "docker exec -uroot c", "docker exec -w /w c", "docker exec -e A=1 c", "docker exec -eA=1 c", "docker exec --env A=1 c", "docker exec --env-file f c", "docker exec -d c", "docker exec --privileged c", "docker exec --detach-keys x c", "docker exec -ite A=1 c",
	"docker run i", "docker run --rm i", "docker run -it --rm i", "docker run -v /:/h i", "docker run -v/:/h i", "docker run --volume=/:/h i", "docker run --volume /:/h i", "docker run -e A=1 -p 1:2 --name x i", "docker run --network host i", "docker run --privileged i", "docker run -u 0 -w /w i", "docker run --mount type=bind,src=/,dst=/h i", "docker run --pid=host i", "docker run --device /dev/x i", "docker run --cpus 2 -m 1g i", "docker run --platform linux/amd64 i", "docker run --pull always i", "docker run -h x i", "docker run --add-host a:b i", "docker run --restart no -d i", "docker run --cap-add ALL --security-opt x i", "docker run --gpus all i", "docker run --shm-size 1g --ulimit x i", "docker run --tmpfs /t i", "docker run -l a=b --label-file f i", "docker run --log-driver x --log-opt y i", "docker run --init i", "docker run -a stdin i", "docker run --entrypoint env i", "docker run --stop-signal x --stop-timeout 1 i", "docker run --userns host --uts host --ipc host --cgroupns host i", "docker run --volumes-from c i", "docker run --dns x --dns-search y i", "docker run --env-file f --expose 1 -P i", "docker run --health-cmd x i", "docker run --isolation x --runtime y i", "docker run --sysctl a=b --read-only i", "docker run --group-add g --cidfile f i",
	"docker -H h run i", "docker --host=h run i", "docker --context c run i", "docker -c c run i", "docker -D run i", "docker --config d run i", "docker container run i", "docker container exec c", "docker create i", "podman run i", "podman exec c", "nerdctl run i",
	"docker compose run s", "docker compose exec s", "docker compose -f f exec s", "docker compose exec -T s", "docker compose run --rm s", "docker compose run -e A=1 s", "docker compose run --entrypoint env s", "docker compose -p x --profile y run s",
	"git bisect run", "git -C /w bisect run",
	"gosu root", "su-exec root", "please", "please -u root", "sudo-rs -u root", "pbrun -u root", "pmrun", "gsudo -n", "pfexec", "kdesu", "kdesu -u root", "gksu -u root --", "gksudo", "lxqt-sudo", "machinectl shell .host", "machinectl -q shell --uid root dev@.host", "machinectl shell web", "setpriv --reuid 0 --inh-caps -all --", "systemd-run -P --wait", "ksu -e", "ksu root -e", "run0", "run0 -u root", "run0 --user=root --", "run0 --user root", "dzdo", "dzdo -u root", "chpst -u x", "chpst -u x -n 5", "chpst -/ /x", "s6-setuidgid x", "setuidgid x", "softlimit -m 1", "setlock f", "setlock -n f", "envdir d", "runcon x", "runcon -t x", "runcon -u a -t x", "aa-exec -p x", "aa-exec -p x --", "choom -n 0", "choom -n 0 --", "uclampset -m 1", "schedtool -B -e", "cgexec -g cpu:x", "cpulimit -l 5 --", "cpulimit -l 5", "tini", "tini --", "tini -s -g --", "dumb-init", "dumb-init -c --", "catatonit --", "start-stop-daemon --start --exec", "start-stop-daemon -S -b -x", "start-stop-daemon --start --pidfile f --exec", "daemonize", "daemonize -o f", "lockf f", "eatmydata", "eatmydata --", "catchsegv", "chronic", "ifne", "dbus-launch --exit-with-session", "ssh-agent", "ssh-agent -a s", "xvfb-run", "xvfb-run -a", "xvfb-run -s '-screen 0'", "fakechroot", "faketime x", "datefudge x", "sshpass -p x", "sshpass -px", "proxychains", "proxychains -q", "proxychains4 -f c", "torsocks", "torify", "tsocks", "trickle -d 10",
	"bwrap --bind / /", "bwrap --dev-bind / / --proc /proc", "bwrap --ro-bind / / --unshare-all --", "bwrap --setenv A 1 --chdir /w", "firejail", "firejail --noprofile --private", "firejail --net=none", "proot", "proot -r /", "proot -r /x", "proot -b /x:/y -0 -w /", "systemd-nspawn -D /", "systemd-nspawn -D /x", "systemd-nspawn -D / --", "systemd-nspawn --directory=/ -q", "systemd-nspawn -qD /", "flatpak-spawn --host", "toolbox run", "toolbox run -c x", "distrobox enter x --", "distrobox-host-exec", "unshare -R /x",
	"valgrind", "valgrind --leak-check=full -q", "perf stat", "perf stat -e cycles -r 5", "perf stat --", "perf record -g -o f --", "perf record -F 99", "perf trace", "perf mem record", "heaptrack", "heaptrack -o f", "gdb --args", "gdb -q -batch -ex run --args", "gdb -args", "rr record", "rr record -n", "samply record", "py-spy record --", "sem", "sem -j 4", "sem --id x", "watchexec", "watchexec -e go --", "watchexec -r -w src", "nodemon --exec", "nodemon -w src -x",
	"nix develop -c", "nix develop .#x --command", "nix shell x -c", "nix shell x y --command", "mise exec --", "mise x node@20 --", "rtx exec --", "direnv exec .", "asdf exec", "rbenv exec", "pyenv exec", "nodenv exec", "poetry run", "uv run", "uv run --with x --", "pipenv run", "hatch run", "yarn exec", "yarn exec --", "pnpm exec", "pnpm exec --", "pnpm -r exec", "npm exec --", "npm exec -p x --", "bundle exec", "op run --", "op run --env-file f --", "op run --env-file=f", "doppler run --", "doppler run -p x -c y --", "doppler --project x run --", "infisical run --", "dotenvx run --", "aws-vault exec p --", "aws-vault exec p", "aws-vault exec -d 1h p --", "chamber exec x --", "dotenv", "dotenv -e f --", "dotenv run --", "cross-env A=1", "env-cmd -f f", "summon", "fnm exec --using=20", "nvm exec 20", "volta run", "rustup run stable", "cargo watch --", "pixi run", "devbox run", "guix shell x --", "micromamba run -n x",
	"screen", "screen -dm", "screen -dmS x", "screen -S x -dm", "dtach -n s", "dtach -A s -z", "abduco -n s", "rlwrap", "rlwrap -a", "rlwrap -f f", "xterm -e", "xterm -hold -bg black -e", "urxvt -e", "gnome-terminal --", "gnome-terminal --tab --", "xfce4-terminal -x", "konsole -e", "alacritty -e", "kitty", "kitty --hold", "foot", "tmux new -d", "tmux new-session -d -s x", "setarch -R", "setarch x86_64 -R", "arch -x86_64", "linux64",
	"sudo env A=1 nice -n 5 timeout 5", "nohup setsid", "time", "time -p", "! time", "sudo sudo", "command command", "env env -i",
}

// TestWrappers reads each spelling and looks at the innermost command.
func TestWrappers(t *testing.T) {
	for _, w := range wrappers {
		l := Read(w+" ls -l /a", testEnv)
		got := "none"
		if n := len(l.Commands); n > 0 && l.Commands[n-1].Parent >= 0 {
			got = renderWords(l.Commands[n-1].Words)
			got = strings.TrimSuffix(got, " ?+") // what xargs appends
		}
		if got != "ls -l /a" {
			t.Errorf("%s ls -l /a: payload %s", w, got)
		}
	}
}

// inert are commands that name a program and do not run it, or that run
// nothing because an option says so.
var inert = []string{
	"sudo -l ls -l", "sudo -v", "sudo -V", "sudo -e /f", "sudo --help ls", "sudo --version", "sudo -K", "command -v ls", "command -V ls", "command -pv ls",
	"env --help", "env --version ls", "timeout --help 5 ls", "nice --help ls", "ionice -p 1", "chrt -p 1", "chrt -m", "taskset -p 1", "nohup --help ls",
	"flock -u 9", "xargs --help ls", "git status", "kubectl exec p", "docker ps", "echo ls", "man ls", "which ls", "grep ls f", "git commit -m 'ls -l'", "trap -p", "env", "env A=1", "sudo", "run0 --version ls", "pkexec --help ls", "systemd-run --version ls", "machinectl status ls", "su-exec ls", "gosu ls", "setpriv -d ls", "please -l ls", "kdesu --version ls",
	"cpulimit -p 1 ls", "screen -r ls", "screen -ls", "start-stop-daemon --stop --exec ls", "gdb ls", "rr replay ls", "perf report ls", "npm run ls", "mise use ls", "op item ls", "aws-vault list", "systemd-nspawn --help", "nix build ls", "tmux ls", "xterm", "schedtool 1", "dotenv list",
}

func TestInert(t *testing.T) {
	for _, line := range inert {
		if l := Read(line, testEnv); l.Problem != nil || len(l.Commands) != 1 {
			t.Errorf("%s: reads as %s", line, render(l))
		}
	}
}

// TestProgramTable parses every option of every program of the table, in each
// of its spellings.
func TestProgramTable(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range program.All() {
		for n := range strings.FieldsSeq(p.Names) {
			if seen[n] {
				t.Errorf("%s has two entries", n)
			}
			seen[n] = true
		}
		testGrammar(t, p, strings.Fields(p.Names)[0])
	}
}

func testGrammar(t *testing.T, p *program.Program, prefix string) {
	t.Helper()
	names := map[string]*program.Option{}
	twice := map[string]bool{}
	for k := range p.Grammar().Options {
		spec := &p.Grammar().Options[k]
		for _, n := range spec.Names {
			if n == "" || strings.HasPrefix(n, "--") {
				t.Errorf("%s has an option %q", prefix, n)
			}
			if other := names[n]; other != nil {
				twice[n] = true
				if (other.Takes == program.Argument) != (spec.Takes == program.Argument) {
					t.Errorf("%s lists -%s with an argument and without", prefix, n)
				}
			}
			names[n] = spec
		}
	}
	for n, spec := range names {
		if a := command.ParseArgs(p, Read("x - rest", testEnv).Commands[0].Words); n == "-" && !a.Has("-") {
			t.Errorf("%s: x - rest does not read as the option", prefix)
		}
		if !twice[n] && n != "-" {
			testOption(t, p, spec, n, prefix)
		}
	}
	repeats := 0
	for _, o := range p.Grammar().Operands {
		if o.Repeat {
			repeats++
		}
	}
	if repeats > 1 {
		t.Errorf("%s has %d repeated operands", prefix, repeats)
	}
	for _, s := range append(p.Subs[:len(p.Subs):len(p.Subs)], p.Verbs...) {
		testGrammar(t, s, prefix+" "+strings.Fields(s.Names)[0])
	}
}

// testOption reads an option with its argument behind it and attached to it.
func testOption(t *testing.T, p *program.Program, spec *program.Option, name, prefix string) {
	t.Helper()
	if p.Style == program.Plain || p.Style == program.Pairs {
		t.Errorf("%s reads no options but lists -%s", prefix, name)
		return
	}
	dash, glue := "--", "="
	switch {
	case name == "#":
		name, dash = "7", "-"
	case p.Style.OfWords():
		dash = "-"
	case name[0] == '-':
		dash = ""
	case len(name) == 1:
		dash, glue = "-", ""
	}
	words := []shell.Word{textWord("x"), textWord(dash + name), textWord("value"), textWord("rest")}
	check := func(words []shell.Word, want string, has bool) {
		t.Helper()
		args := command.ParseArgs(p, words)
		if args.Unlisted || len(args.Options) == 0 || args.Options[0].Spec != spec && !spec.TakesWords() {
			t.Errorf("%s: %s does not read as the option", prefix, renderWords(words))
			return
		}
		if o := args.Options[0]; o.HasArg != has || has && o.Arg.Values[0] != want {
			t.Errorf("%s: %s has the argument %v %v", prefix, renderWords(words), o.HasArg, o.Arg.Values)
		}
	}
	if spec.TakesWords() {
		return
	}
	check(words, "value", spec.Takes == program.Argument)
	if spec.Takes != program.Nothing {
		check([]shell.Word{textWord("x"), textWord(dash + name + glue + "value")}, "value", true)
	}
}

func textWord(v string) shell.Word { return shell.Word{Set: shell.Set{Values: []string{v}}} }
