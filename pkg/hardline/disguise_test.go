package hardline_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// compositions is how many disguises and twins are drawn in one run.
const compositions = 100_000

// TestDisguises draws lines that are catastrophic by construction, and twins
// that are harmless by construction. SEED repeats a run.
func TestDisguises(t *testing.T) {
	seed.Slow(t)
	seed := seedOf(t)
	t.Logf("SEED=%d", seed)
	failures := 0
	for i := range uint64(compositions / 2) {
		for _, harm := range []bool{true, false} {
			family, line := disguise(rand.NewPCG(seed, i), harm)
			f, hit := hardline.Match(disguiseScene(line))
			if hit == harm {
				continue
			}
			if failures++; failures <= 20 {
				t.Errorf("%s: harm %v, matched %v: %s", family, harm, ruleOf(f), strconv.Quote(line))
			}
		}
	}
	if failures > 0 {
		t.Errorf("%d of %d lines are judged wrongly", failures, compositions)
	}
}

func seedOf(t *testing.T) uint64 {
	text := os.Getenv("SEED")
	if text == "" {
		return uint64(time.Now().UnixNano()) % 1_000_000
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal("SEED:", err)
	}
	return seed
}

func disguiseScene(line string) *hazard.Scene {
	env := eval.Env{Dir: "/home/dev/project", Home: "/home/dev"}
	return &hazard.Scene{Line: eval.Read(line, env), Home: env.Home, Protect: []string{"/home/dev/.config/policyctl"}, Own: OwnState}
}

func ruleOf(f hazard.Finding) string {
	if f.Rule == nil {
		return "nothing"
	}
	return f.Rule.ID
}

// disguise draws one line and says which family its payload belongs to. A twin
// has another target, or the same payload where it is data.
func disguise(src rand.Source, harm bool) (family, line string) {
	g := &generator{Rand: rand.New(src), harm: harm}
	f := families[g.IntN(len(families))]
	data := !harm && g.maybe(50)
	g.harm = harm || data
	line = f.draw(g)
	if len(g.setup) > 0 {
		line = strings.Join(g.setup, g.one("; ", "\n", " && ")) + g.one("; ", "\n", " && ") + line
	}
	if data {
		line = g.data(line)
	}
	for range g.IntN(3) {
		line = g.position(line)
		if g.maybe(40) {
			line = g.evaluated(line)
		}
	}
	return f.name, line
}

// A family draws a statement that has one catastrophic effect.
type family struct {
	name string
	draw func(*generator) string
}

var families = []family{
	{"delete", func(g *generator) string {
		return g.command(shuffledOptions(g, g.one("-rf", "-fr", "-r -f", "-Rf", "-R -f -v", "--recursive --force", "-rfv", "--recurs -f", "-r", "-rf --no-preserve-root", "-rf --"), g.place(), "rm")...)
	}},
	{"delete by find", func(g *generator) string {
		words := []string{"find", g.place()}
		words = append(words, strings.Fields(g.one("", "-mindepth 1", "-xdev", "-depth"))...)
		return g.command(append(words, strings.Fields(g.one(`-delete`, `-exec rm -rf {} +`, `-exec rm -rf {} \;`, `-execdir rm -rf {} ";"`, `-exec rm -r '{}' ';'`))...)...)
	}},
	{"delete by xargs", func(g *generator) string {
		path := g.quote(g.either(g.one("/", "/etc", "/home/dev", "/usr"), g.one("/tmp/x", "/home/dev/project/build")))
		return g.one(`echo `, `printf '%s\n' `, `printf %s `) + path + ` | ` + g.command(strings.Fields(g.one("xargs rm -rf", "xargs -I{} rm -rf {}", "xargs -n1 rm -r -f", "xargs -r rm -rf --", "xargs -t -P4 rm -fr"))...)
	}},
	{"delete from within", func(g *generator) string {
		return g.one("cd ", "cd -- ", "cd -P ", "pushd ") + g.wordPlace() + g.one(" && ", "; ", "\n") + g.command("rm", "-rf", g.one("*", ".", "./*", "{*,.*}", "./{*,.[!.]*}"))
	}},
	{"delete in a loop", func(g *generator) string {
		return "for d in " + g.one("", "/tmp/a ", "a b ") + g.place() + "; do " + g.command("rm", "-rf", g.one(`"$d"`, `$d`, `${d}`, `"${d}"/`, `"$d/"`)) + g.one("; done", "\ndone")
	}},
	{"delete by words of an array", func(g *generator) string {
		words := "rm -rf " + g.place()
		return g.one("set -- "+words+`; "$@"`, "a=("+words+`); "${a[@]}"`, "a=("+words+"\n)\n${a[*]}", "a=(ls); a=("+words+`); sudo "${a[@]}"`, "a=(-rf "+g.place()+`); rm "${a[@]}"`)
	}},
	{"move away", func(g *generator) string { return g.command("mv", g.place(), "/tmp/old") }},
	{"alter", func(g *generator) string {
		return g.command(append(strings.Fields(g.one("chmod -R 777", "chmod --recursive a+rwx", "chown -R dev:dev", "chgrp -R dev", "chattr -R +i", "chmod 000 -R", "chmod -Rv u-x")), g.plainPlace())...)
	}},
	{"file system", func(g *generator) string {
		return g.command(append(strings.Fields(g.one("mkfs.ext4", "mkfs -t ext4", "mkfs.xfs -f", "mke2fs -F", "mkswap", "wipefs -a", "wipefs --all", "sgdisk -Z", "sgdisk --zap-all", "blkdiscard", "cryptsetup luksFormat", "mkfs.vfat -F 32",
			"mkfs.btrfs -f", "cryptsetup -q luksFormat", "mdadm --zero-superblock")), g.device())...)
	}},
	{"device by dd", func(g *generator) string {
		of := g.device()
		words := []string{"dd", "if=/dev/zero", "of=" + of}
		if g.maybe(50) {
			words = []string{"dd", "of=" + of, "bs=1M", g.one("count=1", "conv=fsync"), "if=" + g.one("image.iso", "/dev/urandom")}
		}
		return g.command(words...)
	}},
	{"device by redirection", func(g *generator) string {
		return g.command(strings.Fields(g.one("echo x", "cat image", "head -c 512 /dev/zero", "printf x", "true"))...) + " " + g.one(">", ">>", ">|", "1>", "&>", "> ", "1>>", "<>") + g.wordDevice()
	}},
	{"device by copy", func(g *generator) string {
		return g.command(append(strings.Fields(g.one("cp image", "tee", "tee -a", "cp -f /dev/zero", "install image", "tee /tmp/log", "mv image", "truncate -s 0", "shred -u")), g.device())...)
	}},
	{"kill all", func(g *generator) string {
		return g.command(strings.Fields(g.either(g.one("kill -9 -1", "kill -KILL -1", "kill -s KILL -1", "kill -9 -- -1", "kill -TERM 4242 -1", "killall5 -9", "/bin/kill -9 -1", "kill -n 9 -1"),
			g.one("kill -9 4242", "kill -1 4242", "kill -s HUP 1234", "kill -0 4242", "kill -l", "killall node", "kill %1")))...)
	}},
	{"power", func(g *generator) string {
		return g.command(strings.Fields(g.either(
			g.one("shutdown -h now", "shutdown now", "shutdown -r +1", "reboot", "reboot -f", "poweroff", "halt -p", "init 0", "init 6", "telinit 6", "systemctl poweroff", "systemctl --force reboot", "systemctl -i halt", "systemctl isolate poweroff.target", "loginctl reboot"),
			g.one("shutdown --help", "shutdown -c", "reboot --help", "poweroff --help", "man reboot", "init --version", "systemctl status reboot.target", "systemctl --user restart pipewire", "systemctl list-jobs", "loginctl list-sessions", "who -r")))...)
	}},
	{"own commands", func(g *generator) string {
		return g.command(strings.Fields(g.either(g.one("policyctl trust", "policyctl trust .policyctl/policy.yaml", "policyctl uninstall claude", "policyctl approvals trust-verb curl", "policyctl requests approve 7", "pkill policyctl", "pkill -9 -f policyctl"),
			g.one("policyctl eval ls", "policyctl status", "policyctl floor root-delete", "policyctl approvals list", "policyctl check", "pgrep policyctl", "pkill -f webpack")))...)
	}},
	{"sysrq", func(g *generator) string {
		return g.command("echo", g.one("b", "o", "c")) + g.one(" > ", " >> ", " | tee ", " | sudo tee ") + g.either("/proc/sysrq-trigger", "/tmp/sysrq-trigger")
	}},
	{"fork bomb", func(g *generator) string {
		name := g.one(":", "b", "bomb", "_f", "x1")
		if g.harm {
			return g.one(name+"(){ "+name+"|"+name+"& };"+name, name+"() { "+name+" | "+name+" & }\n"+name, name+"() { "+name+" & "+name+"; }; "+name, "function "+strings.Replace(name, ":", "c", 1)+" { "+strings.Replace(name, ":", "c", 1)+" | "+strings.Replace(name, ":", "c", 1)+" & }; "+strings.Replace(name, ":", "c", 1),
				"while :; do sleep 100 & done", "while true\ndo ( yes > /dev/null ) & done")
		}
		return g.one(name+"(){ echo "+name+"|cat; };"+name, "while :; do sleep 1; done", "for i in 1 2 3; do sleep 1 & done; wait", name+"() { ls | wc -l; }\n"+name)
	}},
	{"password guessing", func(g *generator) string {
		return g.one("echo hunter2", "printf '%s\\n' pw", "yes pw") + " | sudo " + g.either(g.one("-S", "--stdin", "-kS", "-S -k", "-u root -S", "-Sp ''", "--stdi"), g.one("-n", "-k -n", "-u root -n", "--non-interactive")) + " " + g.one("id", "ls /root", "apt-get update")
	}},
	{"own policy", func(g *generator) string {
		p := g.file(g.either("/home/dev/.config/policyctl/policy.yaml", "/home/dev/.config/othertool/policy.yaml"))
		return g.one(g.command("rm", "-f", p), g.command("mv", p, "/tmp/p"), g.command("sed", "-i", "s/deny/allow/", p), g.command("truncate", "-s", "0", p), g.command("chmod", "666", p), g.command("cp", "/tmp/p", p), g.command("tee", p), g.command("ln", "-sf", "/tmp/p", p))
	}},
	{"own policy by redirection", func(g *generator) string {
		return "echo yolo " + g.one(">", ">>", ">|") + " " + g.quote(g.respell(g.either("/home/dev/.config/policyctl/policy.yaml", "/home/dev/.config/othertool/policy.yaml")))
	}},
}

// shuffledOptions puts options before or after the operand, where there is no
// --.
func shuffledOptions(g *generator, options, operand, program string) []string {
	words := strings.Fields(options)
	if words[len(words)-1] != "--" && g.maybe(25) {
		return append([]string{program, operand}, words...)
	}
	return append(append([]string{program}, words...), operand)
}

// wordPlace is a place in one word, for commands that take one.
func (g *generator) wordPlace() string {
	if g.harm && g.maybe(25) {
		return g.one(`~`, `~/`, `$HOME`, `"$HOME"`, `"${HOME:?}"`, `~/.`, `~/../..`)
	}
	return g.file(g.either(g.one("/", "/etc", "/usr", "/home/dev"), g.one("/tmp/x", "/home/dev/project/build", "/opt/app/cache")))
}

// plainPlace is a place that is not spelled as what lies in it.
func (g *generator) plainPlace() string {
	return g.quote(g.respell(g.either(g.one("/", "/etc", "/usr", "/var", "/bin"), g.one("/tmp/x", "/home/dev/project/build", "/opt/app/cache"))))
}

// device spells a raw device, or an image file.
func (g *generator) device() string {
	return g.file(g.either(g.one("/dev/sda", "/dev/sdb1", "/dev/nvme0n1", "/dev/vda", "/dev/mmcblk0", "/dev/disk/by-id/ata-x", "/dev/mapper/root", "/dev/md0"),
		g.one("/tmp/disk.img", "/home/dev/project/rootfs.ext4", "/var/tmp/image")))
}

// wordDevice is a device as the target of a redirection, where a pattern or
// several words would be an error.
func (g *generator) wordDevice() string {
	return g.quote(g.respell(g.either(g.one("/dev/sda", "/dev/nvme0n1", "/dev/vdb2", "/dev/mem"), g.one("/tmp/disk.img", "/dev/null", "/home/dev/project/out"))))
}

// command spells a simple command behind wrappers. Words are spelled but for
// the first.
func (g *generator) command(words ...string) string {
	words[0] = g.program(words[0])
	var parts []string
	for range max(0, g.IntN(5)-2) {
		parts = append(parts, g.one("sudo", "sudo -n", "sudo -u root", "sudo -E --", "doas", "env", "env A=b", "env -i", "env -u X -- ", "nohup", "nice -n 5", "nice", "ionice -c 3", "timeout 5", "timeout -s KILL 5m", "timeout --preserve-status 5",
			"stdbuf -oL", "setsid", "setsid -w", "chrt -i 0", "taskset -c 0", "busybox", "unshare -r", "systemd-run --scope", "strace -f", "/usr/bin/env", "flock /tmp/l", "sudo -u root -- "))
	}
	if len(parts) == 0 && g.maybe(30) {
		parts = append(parts, g.one("command", "exec", "command --", "A=b", "time", "time -p", "builtin command", "A=b B=c"))
	}
	sep := g.one(" ", " ", "  ", "\t", " \\\n ")
	return strings.Join(append(parts, words...), sep)
}

// program spells the name of a program.
func (g *generator) program(name string) string {
	switch g.IntN(9) {
	case 0:
		return g.one("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/usr/bin//") + name[strings.LastIndexByte(name, '/')+1:]
	case 1:
		return g.quote(name)
	case 2:
		return `$` + g.bind(g.quote(name))
	case 3:
		return g.one(`$(echo `, `$(printf %s `) + g.quote(name) + `)`
	}
	return name
}

// position puts a line where it runs.
func (g *generator) position(line string) string {
	forms := []string{"ls; %s", "true && %s", "false || %s", "%s; ls", "%s && echo done", "{ %s\n}", "( %s\n)", "if true; then %s\nfi", "if ls; then :; else %s\nfi", "if { %s\n}; then ls; fi",
		"for i in 1 2; do %s\ndone", "while true; do %s\nbreak; done", "until false; do %s\nbreak; done", "f() { %s\n}; f", "function g { %s\n}\ng", "echo $( %s\n)", "echo \"$( %s\n)\"", "X=$( %s\n)", "cat <( %s\n)",
		"case x in x) %s\n;; esac", "case $1 in -h) ls;; *) %s\n;; esac", ": \"${X:-$( %s\n)}\"", "[[ -n $( %s\n) ]]", "{ %s\n} | cat", "ls | { %s\n}", "{ %s\n} &\nwait", "coproc { %s\n}", "coproc N { %s\n}", "# comment\n%s", "%s\n# comment", "{ %s\n} 2>/dev/null",
		"echo x > >( %s\n)", "ls $( %s\n) x", "( %s\n) && ls", "true\n%s", "time { %s\n}", "! { %s\n}", "{ cat <<E1\n$( %s\n)\nE1\n}", "for i in $( %s\n); do ls; done", ": $(( $( %s\n) + 1 ))", "select x in a; do %s\nbreak; done", "trap '' INT; %s",
		"set -e\n%s", "export A=1\n%s", "x() { ls; }\n%s"}
	form := forms[g.IntN(len(forms))]
	if strings.Contains(line, "E1") {
		form = strings.ReplaceAll(form, "E1", "E2"+strings.Repeat("x", strings.Count(line, "E2")))
	}
	return strings.Replace(form, "%s", line, 1)
}

// data puts a line where it is text that nothing on this machine runs.
func (g *generator) data(line string) string {
	g.vars++
	end := fmt.Sprintf("TEXT%d", g.vars)
	text := single(line)
	forms := []string{"echo TEXT", "printf '%s\\n' TEXT", "grep -rnF -- TEXT docs", "rg -F -e TEXT", "git commit -m TEXT", "git commit --allow-empty --message=TEXT", "gh issue create --title x --body TEXT", "MSG=TEXT", "export MSG=TEXT",
		": TEXT", "true TEXT", "[ TEXT = x ]", "[[ TEXT == x ]]", "jq -n --arg x TEXT '$x'", "ssh build TEXT", "ssh -p 22 root@10.0.0.1 TEXT", "docker run --rm alpine sh -c TEXT", "docker exec -it web bash -c TEXT", "kubectl exec -it pod -- sh -c TEXT",
		"podman run --rm -v \"$PWD\":/w img sh -c TEXT", "echo TEXT >> notes.md", "echo TEXT | tee -a notes.md", "echo TEXT | grep -c rm", "case TEXT in x) ;; esac", "for m in TEXT; do echo \"$m\"; done", "logger TEXT", "curl -d TEXT http://localhost:9/x",
		"say() { echo \"$1\"; }; say TEXT", "wc -c <<< TEXT", "claude -p TEXT", "test -n TEXT", "echo \"$(printf %s TEXT)\"", "awk -v m=TEXT 'BEGIN { print m }'", "bash -n -c TEXT", "bash -n <<< TEXT", "echo TEXT > /tmp/never.sh; bash -n /tmp/never.sh", "echo TEXT > /tmp/never.sh; chmod +x /tmp/never.sh", "python3 script.py TEXT", "node app.js --note TEXT"}
	switch g.IntN(12) {
	case 0:
		return "{ cat > notes.md <<'" + end + "'\n" + line + "\n" + end + "\n}"
	case 1:
		return "{ cat <<'" + end + "' | wc -l\n" + line + "\n" + end + "\n}"
	case 2:
		return "{ python3 - <<'" + end + "'\nprint(" + pythonString(line) + ")\n" + end + "\n}"
	case 3:
		return "ls # " + strings.ReplaceAll(line, "\n", " ")
	}
	return strings.Replace(g.one(forms...), "TEXT", text, 1)
}

// evaluated hands a line to something that evaluates text.
func (g *generator) evaluated(line string) string {
	sh := g.one("sh", "bash", "/bin/sh", "zsh", "dash", "sudo bash", "env bash", "bash --norc", "timeout 9 sh")
	if g.maybe(25) && !strings.Contains(line, "system(") && !strings.Contains(line, "execSync(") && !strings.Contains(line, "subprocess.run(") { // one language in another is not read
		return g.inLanguage(line)
	}
	switch g.IntN(15) {
	case 13:
		g.vars++
		name := fmt.Sprintf("/tmp/s%d.sh", g.vars)
		return "{ printf '%s\\n' " + single(line) + g.one(" > ", " >| ", " | tee ") + name + g.one("; ", "\n", "; chmod +x "+name+"; ") + g.one(sh+" "+name, ". "+name, "source "+name, name, sh+" < "+name) + "\n}"
	case 14:
		return "echo " + single(line) + g.one(" | head -n 500", " | cat", " | tail -n 500", " | sed 's/^@@@//'") + " | " + sh
	case 0, 1:
		return sh + g.one(" -c ", " -ec ", " -xc ", " -l -c ", " -c -- ") + single(line)
	case 2:
		return "eval " + single(line)
	case 3:
		return sh + " <<< " + single(line)
	case 4:
		return "printf '%s\\n' " + single(line) + " | " + sh
	case 5:
		return "echo " + base64.StdEncoding.EncodeToString([]byte(line)) + " | base64 " + g.one("-d", "--decode", "-D") + " | " + sh + g.one("", " -s", " -")
	case 6:
		g.vars++
		end := fmt.Sprintf("EOF%d", g.vars)
		return "{ " + sh + " <<'" + end + "'\n" + line + "\n" + end + "\n}"
	case 7:
		return g.one("su -c ", "su root -c ") + single(line)
	case 8:
		return "source <(printf '%s' " + single(line) + ")"
	case 9:
		return "eval \"$(echo " + base64.StdEncoding.EncodeToString([]byte(line)) + " | base64 -d)\""
	case 10:
		if strings.Contains(line, "{}") { // find would replace it
			return line
		}
		return "find . -maxdepth 0 -exec sh -c " + single(line) + ` \;`
	case 11:
		return "c=" + single(line) + "\n" + g.one(`eval "$c"`, `bash -c "$c"`, `sh -c "${c}"`, `echo "$c" | bash`, `bash <<< "$c"`)
	}
	if strings.Contains(line, "::") { // xargs would replace it
		return line
	}
	return g.one("watch -n 1 ", "flock /tmp/l -c ", "xargs -I:: sh -c ", "script -c ", "trap ") + single(line) + g.one("", " ")
}

// inLanguage hands a line to the shell from another language.
func (g *generator) inLanguage(line string) string {
	if strings.Contains(line, "\n") {
		return "python3 -c " + single("import os; os.system("+pythonString(line)+")")
	}
	perl := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(line)
	switch g.IntN(7) {
	case 0:
		return "perl -e " + single("system('"+perl+"')")
	case 1:
		return g.one("node -e ", "node --eval ") + single("require('child_process').execSync("+pythonString(line)+")")
	case 2:
		return "ruby -e " + single("system('"+perl+"')")
	case 3:
		return "php -r " + single("system('"+perl+"');")
	case 4:
		return "awk " + single("BEGIN { system("+pythonString(line)+") }")
	case 5:
		return "python3 -c " + single("import subprocess; subprocess.run("+pythonString(line)+", shell=True)")
	}
	return "git -c alias.x=" + single("!"+line) + " x"
}

// pythonString is a literal of Python for ASCII text.
func pythonString(s string) string { return strconv.QuoteToASCII(s) }
