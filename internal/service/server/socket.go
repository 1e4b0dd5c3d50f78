package server

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// maxSocket is the longest path of a socket that all systems take.
const maxSocket = 103

// listenSocket listens on a Unix socket that nobody but this user reaches: in
// a directory of 0700, so that there is no moment before its mode is 0600.
func listenSocket(path string) (net.Listener, func(), error) {
	if !filepath.IsAbs(path) || len(path) > maxSocket {
		return nil, nil, fmt.Errorf("socket %q: give an absolute path of at most %d bytes", path, maxSocket)
	}
	if err := privateDir(filepath.Dir(path)); err != nil {
		return nil, nil, fmt.Errorf("socket %s: %w", path, err)
	}
	// Two services that start at once must not take the other's for a stale one.
	lock := plainfile.Lock(path + ".lock")
	held, err := lock.TryLock()
	if err == nil && !held {
		err = errors.New("another service has it: end that one, or choose another path")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("socket %s: %w", path, err)
	}
	l, err := bind(path)
	if err != nil {
		_ = lock.Unlock() // the error says enough
		return nil, nil, fmt.Errorf("socket %s: %w", path, err)
	}
	return l, func() { _ = lock.Unlock() }, nil
}

// bind listens at a path where nobody else does.
func bind(path string) (net.Listener, error) {
	if err := removeStale(path); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close() // the error says enough
		return nil, err
	}
	return l, nil
}

// privateDir makes the directory, or checks that it is this user's alone.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" { // where modes say nothing
		return fmt.Errorf("others can reach the directory %s: run chmod 700, or choose another", dir)
	}
	return nil
}

// removeStale removes a socket that a service left behind: one at which nobody
// answers.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return errors.New("this is not a socket: move it away, or choose another path")
	}
	c, err := net.Dial("unix", path)
	if err == nil {
		_ = c.Close()
		return errors.New("something answers there: end it, or choose another path")
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("whether something answers there is unknown: %w", err)
	}
	return os.Remove(path)
}
