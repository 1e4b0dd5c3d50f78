//go:build unix

package sqlite

import (
	"fmt"
	"os"
	"syscall"
)

// Identity tells the file at a path from every other one, by its device and
// inode; "" where there is none or the system does not tell.
func Identity(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}
