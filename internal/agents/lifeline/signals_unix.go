//go:build unix

package lifeline

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// ending are the signals that end a process that does not catch them.
var ending = []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM}

// waking are the other signals of POSIX that end or halt a process and can be
// caught, and those that only a system has. To catch one costs two changes of
// threads, for all of them as much as a decision, so that only a hook that
// waits catches them. Until then Go's runtime takes them and goes on, or refuses
// by exit code 2.
func waking() []os.Signal {
	return append([]os.Signal{
		syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGALRM, syscall.SIGVTALRM, syscall.SIGXCPU, syscall.SIGIO, syscall.SIGSYS,
		syscall.SIGABRT, syscall.SIGTRAP, syscall.SIGILL, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV,
		syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU,
	}, own()...)
}

// ignore has writing fail instead of the process, and nothing halt it before it
// waits.
func ignore() {
	signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU)
}

// closed reports whether the other end of a pipe or socket is closed.
func closed(f *os.File) bool {
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	gone := false
	err = conn.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd)}}
		n, err := unix.Poll(fds, 0)
		gone = err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
	})
	return err == nil && gone
}
