//go:build unix

package lifeline

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// fatal are the signals of POSIX that end or halt a process and can be caught,
// and those that only a system has.
var fatal = append([]os.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2,
	syscall.SIGALRM, syscall.SIGVTALRM, syscall.SIGXCPU, syscall.SIGIO, syscall.SIGSYS,
	syscall.SIGABRT, syscall.SIGTRAP, syscall.SIGILL, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV,
	syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU,
}, own()...)

func ignore() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }

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
