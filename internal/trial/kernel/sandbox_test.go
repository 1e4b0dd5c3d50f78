//go:build linux

package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/sandbox"
)

const (
	// seconds is how long a line may take.
	seconds = 2
	nobody  = sandbox.Nobody
)

// watched are the system calls that the judge looks at. Reading is not among
// them, except for opening, whose flags tell.
var watched = strings.Join(strings.Fields(`
	open openat openat2 creat open_by_handle_at truncate ftruncate fallocate
	mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
	link linkat symlink symlinkat mknod mknodat
	chmod fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat futimesat
	setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
	mount umount2 pivot_root chroot fsopen fsmount move_mount open_tree mount_setattr swapon swapoff
	socket connect bind listen sendto sendmsg
	kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal
	execve execveat clone clone3 fork vfork
	ptrace process_vm_writev io_uring_setup bpf perf_event_open userfaultfd memfd_create
	setns unshare keyctl add_key request_key shmget msgget semget mq_open
	sethostname setdomainname settimeofday clock_settime adjtimex clock_adjtime
	reboot init_module finit_module delete_module kexec_load acct quotactl syslog
`), ",")

// setup makes the namespaces' file system: everything read-only but the
// playground and empty temporary directories. No file knows the machine's new
// name, so that who looks for its address asks the network.
const setup = `set -e
mount --bind "$0" /home
mount -o remount,bind,ro /
for dir in /tmp /var/tmp /dev/shm; do
	mount -t tmpfs -o mode=1777 tmpfs "$dir"
done
echo playground >/proc/sys/kernel/hostname
exec "$@"`

// driver runs lines one after another, in turn in each of the shells for which
// a proof holds. It kills what outlives a line that took too long, and at the
// end what outlives any: in its namespace there is nothing else.
const driver = `exec >/dev/null 2>&1 3>&-
sweep() {
	for p in /proc/[0-9]*; do
		[ "${p#/proc/}" = $$ ] || kill -KILL "${p#/proc/}"
	done
}
run() {
	(cd /home/dev/project && exec -a "` + marker + `$1" timeout -s KILL %d "$2" -c "$3") </dev/null
	[ $? -ne 137 ] || sweep
}
%s
sweep
exit 0
`

// shells are those that run the lines in turn; zsh only where it is installed.
var shells = []string{"bash", "bash", "sh", "zsh"}

// missing says what this machine lacks to judge, "" if nothing.
var missing = sync.OnceValue(func() string {
	if why := sandbox.Missing("strace", "setpriv", "timeout", "bash", "git"); why != "" {
		return why
	}
	dir, err := os.MkdirTemp("", "kernel")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, projectDir), 0o755), os.Chmod(dir, 0o755)); err != nil {
		return err.Error()
	}
	t, err := traced(dir, []string{"true"})
	if err != nil {
		return "namespaces or ptrace are not permitted: " + err.Error()
	}
	if len(t.tree(0)) == 0 {
		return "strace saw nothing"
	}
	return ""
})

// need skips a test where the machine cannot judge; in CI it fails.
func need(t *testing.T) {
	t.Helper()
	needs(t, missing())
}

// needs skips a test that lacks something, or that .ci/run runs later with more lines.
func needs(t *testing.T, lacking string) {
	t.Helper()
	if os.Getenv("TRIALS") == "later" {
		t.Skip("TRIALS=later: .ci/run runs it with more lines")
	}
	sandbox.Need(t, lacking)
}

// traced runs lines in the namespaces, with home as /home.
func traced(home string, lines []string) (trace, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(20+seconds*len(lines))*time.Second)
	defer cancel()
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	cmd := traceable(ctx, home, script(lines))
	cmd.ExtraFiles = []*os.File{write} // the descriptor 3
	var told strings.Builder
	cmd.Stderr = &told
	err = cmd.Start()
	write.Close()
	if err != nil {
		return nil, err
	}
	t, readErr := readTrace(read)
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(told.String()))
	}
	return t, readErr
}

// traceable returns the command that runs a script for bash in namespaces of its
// own, without rights, and writes the trace to the descriptor 3.
func traceable(ctx context.Context, home, script string) *exec.Cmd {
	id := fmt.Sprint(nobody)
	cmd := sandbox.Command(ctx, setup, home,
		"strace", "--follow-forks", "--seccomp-bpf", "--quiet=all", "--signal=none", "--string-limit=200", "--trace="+watched, "--output=/dev/fd/3",
		"setpriv", "--reuid="+id, "--regid="+id, "--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs",
		"bash", "-c", script)
	cmd.Env = environment
	return cmd
}

// script returns the driver with its lines.
func script(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		sh := shells[i%len(shells)]
		if find(sh) == "" {
			sh = shells[0]
		}
		fmt.Fprintf(&b, "run %d %s %s\n", i, sh, quote(line))
	}
	return fmt.Sprintf(driver, seconds, b.String())
}

// environment is what the lines see.
var environment = []string{
	"PATH=" + searched, "HOME=/home/dev", "USER=nobody", "LANG=C.UTF-8", "TERM=dumb", "TZ=UTC", "GIT_OPTIONAL_LOCKS=0",
}
