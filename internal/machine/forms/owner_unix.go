//go:build unix

package forms

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a file belongs to an owner or to root, and nobody else
// may write it.
func owned(info fs.FileInfo, owner int) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	const others = 0o022
	return ok && (int(s.Uid) == owner || s.Uid == 0) && info.Mode().Perm()&others == 0
}

// ownerOf returns the owner of a file, whatever links lead there.
func ownerOf(path string) (uid int, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}
