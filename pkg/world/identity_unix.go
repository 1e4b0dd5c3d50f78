//go:build linux || darwin

package world

import (
	"io/fs"
	"syscall"
)

// stat returns what lies at a path, with links followed or not. It is called
// often and makes no [fs.FileInfo].
func stat(path string, follow bool) (identity, fs.FileMode, error) {
	var s syscall.Stat_t
	look := syscall.Lstat
	if follow {
		look = syscall.Stat
	}
	err := look(path, &s)
	for err == syscall.EINTR {
		err = look(path, &s)
	}
	if err != nil {
		return identity{}, 0, err
	}
	mode := fs.ModeIrregular
	switch s.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		mode = 0
	case syscall.S_IFDIR:
		mode = fs.ModeDir
	case syscall.S_IFLNK:
		mode = fs.ModeSymlink
	}
	return identityOf(&s).of(mode), mode, nil
}

// sameFile reports whether an open file has an identity.
func sameFile(info fs.FileInfo, id identity) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && identityOf(s) == id
}
