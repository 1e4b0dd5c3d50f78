//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// ownerOf returns the user to whom a file belongs.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}

// giveTo gives a new file the owner and the group of another.
func giveTo(f *os.File, info fs.FileInfo) error {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	own, err := f.Stat()
	if err != nil {
		return err
	}
	if o, ok := own.Sys().(*syscall.Stat_t); ok && o.Uid == s.Uid && o.Gid == s.Gid {
		return nil
	}
	return f.Chown(int(s.Uid), int(s.Gid))
}
