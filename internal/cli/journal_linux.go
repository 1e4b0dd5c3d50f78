package cli

import (
	"fmt"
	"os"
	"syscall"
)

// journaled says whether a stream is the one that JOURNAL_STREAM names: what
// is written there is kept by systemd (systemd.exec(5)).
func journaled(stream any, variable string) bool {
	f, ok := stream.(*os.File)
	if !ok || variable == "" {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	at, ok := info.Sys().(*syscall.Stat_t)
	return ok && variable == fmt.Sprintf("%d:%d", at.Dev, at.Ino)
}
