//go:build linux || darwin

package world

import (
	"io/fs"
	"syscall"
)

// links returns how many names a file has.
func links(info fs.FileInfo) uint64 {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return uint64(s.Nlink)
}
