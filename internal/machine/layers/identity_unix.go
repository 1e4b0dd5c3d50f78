//go:build unix

package layers

import (
	"fmt"
	"io/fs"
	"syscall"
)

// identity tells a file that replaced another apart.
func identity(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprint(s.Dev, s.Ino)
	}
	return ""
}
