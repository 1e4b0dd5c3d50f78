//go:build !unix

package lifeline

import (
	"os"
	"syscall"
)

// ending are what Windows makes of a closed console and of Ctrl-C.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM}

func waking() []os.Signal { return nil }

func ignore() {}

// closed reports nothing: a pipe there does not tell without being written to.
func closed(*os.File) bool { return false }
