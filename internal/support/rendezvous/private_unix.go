//go:build unix

package rendezvous

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// private says what lets another user have written a file.
func private(info fs.FileInfo) error {
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("others may write %s (mode %04o): take that away with chmod go-w", info.Name(), mode)
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if uid := os.Getuid(); ok && int(s.Uid) != uid && s.Uid != 0 {
		return fmt.Errorf("%s belongs to user %d, not to user %d", info.Name(), s.Uid, uid)
	}
	return nil
}
